/**
 * Whether to say more on stderr than must be said.
 * @module
 */
import type { Context } from "../context.ts";

/** A script compares what a job wrote to stderr; a person at a terminal wants to know more. */
export function isTalkative(context: Context): boolean {
  return context.verbose || Deno.stderr.isTerminal();
}
