/**
 * `version`: which queuectl this is, and what it is made of.
 * @module
 */
import { VERSION } from "../../version.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";

// deno-lint-ignore require-await
export async function run(context: Context, _input: Input): Promise<void> {
  const isJson = context.format === "json" || context.format === "ndjson";
  if (isJson) context.print(JSON.stringify({ version: VERSION, deno: Deno.version.deno, target: Deno.build.target }));
  else context.print(`queuectl ${VERSION}`);
}
