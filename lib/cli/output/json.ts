/**
 * JSON on stdout, in the two shapes that scripts ask for.
 * @module
 */
import type { Context } from "../context.ts";

export function isJsonFormat(context: Pick<Context, "format">): boolean {
  return context.format === "json" || context.format === "ndjson";
}

/** One value: indented for `json`, on one line for `ndjson`. */
export function printJson(context: Pick<Context, "format" | "print">, value: unknown): void {
  context.print(context.format === "ndjson" ? JSON.stringify(value) : JSON.stringify(value, null, 2));
}

/**
 * A list: an array with one record to a line, or (`ndjson`) the lines alone.
 * Written in pieces, so that a million records need no second copy in memory.
 */
export function printJsonList(context: Pick<Context, "format" | "write">, records: Iterable<unknown>): void {
  const isArray = context.format !== "ndjson";
  let piece = isArray ? "[" : "";
  let isFirst = true;
  for (const record of records) {
    if (isArray) piece += isFirst ? "\n  " : ",\n  ";
    piece += JSON.stringify(record) + (isArray ? "" : "\n");
    isFirst = false;
    if (piece.length < PIECE_LENGTH) continue;
    context.write(piece);
    piece = "";
  }
  if (isArray) piece += isFirst ? "]\n" : "\n]\n";
  if (piece !== "") context.write(piece);
}

/** Long enough that the number of writes does not matter, short against the memory of the program. */
const PIECE_LENGTH = 64 * 1024;
