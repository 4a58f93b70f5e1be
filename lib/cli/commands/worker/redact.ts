/**
 * `__redact`: searches for patterns until its input ends. A search may never
 * end, so that whoever asked kills this process then.
 * @module
 */
import { endOfLine, type Matches, searchLines } from "../../../core/pattern_stage.ts";
import { WholeLines } from "../../../core/whole_lines.ts";
import { endWithParent } from "../../../host/end_with_parent.ts";
import type { Answer, Request } from "../../../worker/pattern_process.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";

const READ_BYTES = 256 * 1024;

// deno-lint-ignore require-await -- all it does is to read and to write, and nothing else may go on meanwhile
export async function run(context: Context, _input: Input): Promise<void> {
  const encoder = new TextEncoder();
  const reply = (answer: Answer) => {
    const line = `${JSON.stringify(answer)}\n`;
    context.writeBytes(encoder.encode(line));
  };
  // A service manager tells all processes of a worker to stop; this one is needed until the last job has ended.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) Deno.addSignalListener(signal, () => {});
  endWithParent();
  reply({ found: [] });
  const lines = new WholeLines();
  const decoder = new TextDecoder();
  for (;;) {
    const piece = new Uint8Array(READ_BYTES);
    const length = Deno.stdin.readSync(piece);
    if (length === null) return;
    for (const line of decoder.decode(lines.push(piece.subarray(0, length))).split("\n")) {
      if (line !== "") search(JSON.parse(line), reply);
    }
  }
}

/** What the patterns of the last request were made of. */
let known: { readonly key: string; readonly patterns: readonly RegExp[] } | undefined;

function search({ patterns, text, isCareful }: Request, reply: (answer: Answer) => void): void {
  const key = JSON.stringify(patterns);
  if (known?.key !== key) known = { key, patterns: patterns.map(([source, flags]) => new RegExp(source, flags)) };
  if (!isCareful) return reply({ found: searchLines(known.patterns, text) });
  let found: Matches = [];
  for (let start = 0; start < text.length;) {
    reply({ found, line: start });
    const end = endOfLine(text, start);
    const begin = start;
    found = searchLines(known.patterns, text.slice(start, end)).map((place) => begin + place);
    start = end + 1;
  }
  reply({ found });
}
