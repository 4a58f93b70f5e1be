/**
 * A stream of bytes -> the records of a batch: the lines of NDJSON, the items
 * of a JSON array, or plain lines. Whatever it was, it leaves as lines, so that
 * what was read once can be read again from a spool without knowing its form.
 * @module
 */
import { UsageError } from "../core/errors.ts";
import { JsonArrayLines } from "../core/json_array_lines.ts";
import { WholeLines } from "../core/whole_lines.ts";

/** `json`: an array or NDJSON, told apart by the first character. */
export type BatchForm = "json" | "lines";

/** Longest record: command, argv and stdin of a job, each at its limit, fit. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Some records that came together. */
export interface RecordBlock {
  /** As lines, each with its line end but perhaps the last. */
  readonly bytes: Uint8Array;
  /** The same as text; blank ones are no records. */
  readonly records: readonly string[];
  /** The line of the source in which a record begins. */
  readonly lineOf: (index: number) => number;
  /** They are items of an array: their lines are not those of the source. */
  readonly isArray: boolean;
}

/** @throws {UsageError} saying the line, for what is not text, too long, or an array that is broken. */
export async function* recordBlocks(
  chunks: AsyncIterable<Uint8Array>,
  form: BatchForm,
): AsyncGenerator<RecordBlock> {
  const lines = new WholeLines();
  let items: JsonArrayLines | undefined;
  /** What came before the form was known: nothing but space. */
  let held: Uint8Array | undefined = new Uint8Array();
  let line = 1;
  const block = (bytes: Uint8Array, lineOf?: readonly number[]): RecordBlock => {
    const first = line;
    const numberOf = lineOf === undefined
      ? (index: number) => first + index
      : (index: number) => lineOf[index] ?? first;
    const records = linesOf(bytes, numberOf);
    line += records.length;
    return { bytes, records, lineOf: numberOf, isArray: lineOf !== undefined };
  };
  for await (let chunk of chunks) {
    if (held !== undefined) {
      held = withoutMark(joined(held, chunk));
      const first = firstCharacter(held);
      if (first === undefined || isPartOfMark(held)) continue;
      if (first === "[" && form === "json") items = new JsonArrayLines(MAX_RECORD_BYTES);
      [chunk, held] = [held, undefined];
    }
    if (items === undefined) {
      const bytes = lines.push(chunk);
      if (bytes.length > 0) yield block(bytes);
      if (lines.pending > MAX_RECORD_BYTES) {
        throw new UsageError(`line ${line}: expected at most ${MAX_RECORD_BYTES / 1024 / 1024} MiB in a line`);
      }
    } else {
      const { bytes, lineOf } = items.push(chunk);
      if (bytes.length > 0) yield block(bytes, lineOf);
    }
  }
  items?.end();
  const last = held ?? lines.end();
  if (last.length > 0) yield block(last);
}

/** The records again, from bytes that were read before. */
export function* spooledRecords(pieces: Iterable<Uint8Array>): Generator<string> {
  const lines = new WholeLines();
  for (const piece of pieces) {
    const bytes = lines.push(piece);
    if (bytes.length > 0) yield* linesOf(bytes, () => 0);
  }
  const last = lines.end();
  if (last.length > 0) yield* linesOf(last, () => 0);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** One text at a time would cost half a microsecond for each line. */
function linesOf(bytes: Uint8Array, lineOf: (index: number) => number): string[] {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new UsageError(`line ${lineOf(badLine(bytes))}: it is not valid UTF-8`);
  }
  const lines = text.split("\n");
  if (text.endsWith("\n")) lines.pop();
  return lines;
}

/** Which line of some is not UTF-8. */
function badLine(bytes: Uint8Array): number {
  let start = 0;
  for (let index = 0;; index++) {
    const end = bytes.indexOf(10, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? undefined : end));
    } catch {
      return index;
    }
    if (end < 0) return index;
    start = end + 1;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Without the byte order mark that some editors put first. */
function withoutMark(chunk: Uint8Array): Uint8Array {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}

/** The mark has three bytes, which may come one by one. */
function isPartOfMark(bytes: Uint8Array): boolean {
  return bytes.length < 3 && bytes[0] === 0xef;
}

function firstCharacter(chunk: Uint8Array): string | undefined {
  const found = chunk.find((byte) => byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13);
  return found === undefined ? undefined : String.fromCharCode(found);
}
