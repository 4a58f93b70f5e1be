/**
 * Asks before something that cannot be taken back: on a terminal by a
 * question, elsewhere by `--yes` alone, so that a script never hangs.
 * @module
 */
import { UsageError } from "../core/errors.ts";
import type { Context } from "./context.ts";
import { writeErr } from "./output/streams.ts";
import { shownLine } from "./output/terminal_text.ts";

/** True when the user agrees. @throws {UsageError} where nobody can be asked. */
export function confirm(context: Pick<Context, "yes">, question: string): boolean {
  if (context.yes) return true;
  if (!Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) {
    throw new UsageError(`Cannot ask "${question}": this is not a terminal`, { hint: "add --yes if it is meant" });
  }
  writeErr(`${shownLine(question)} [y/N] `);
  const answer = new Uint8Array(64);
  const length = Deno.stdin.readSync(answer) ?? 0;
  return /^\s*y(es)?\s*$/i.test(new TextDecoder().decode(answer.subarray(0, length)));
}
