/**
 * A JSON array as a stream of bytes -> one line for each of its items, so that
 * an array of any size is read as NDJSON is.
 *
 * Only the array itself is understood here; what stands between its commas is
 * given on as it is, whether it makes sense or not, and judged by the one who
 * parses the lines.
 * @module
 */
import { UsageError } from "./errors.ts";

const [QUOTE, COMMA, NEWLINE, SPACE, BACKSLASH] = [...'",\n \\'].map((char) => char.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [..."[]{}"].map((char) => char.charCodeAt(0));
/** Stands for a line end within a text, where JSON allows none: the parser will complain of it. */
const BAD_CONTROL = 1;

/** Bytes of the items, each with a line end behind it, and the line of the source in which each begins. */
export interface ItemLines {
  readonly bytes: Uint8Array;
  readonly lineOf: readonly number[];
}

export class JsonArrayLines {
  readonly #maxItemBytes: number;
  /** The item that is not complete yet is at its beginning. */
  #buffer = new Uint8Array(0);
  #kept = 0;
  #line = 1;
  /** 0 before and after the array, 1 between its items. */
  #depth = 0;
  #hasBegun = false;
  #isInText = false;
  #isEscaped = false;
  /** Where the present item begins; 0 while only space was seen. */
  #itemLine = 0;
  #items = 0;

  constructor(maxItemBytes: number) {
    this.#maxItemBytes = maxItemBytes;
  }

  /** @throws {UsageError} for text after the array, or an item that is too long. */
  push(piece: Uint8Array): ItemLines {
    const out = new Uint8Array(this.#kept + piece.length + 1);
    out.set(this.#buffer.subarray(0, this.#kept));
    const lineOf: number[] = [];
    let at = this.#kept;
    let complete = 0;
    const endItem = () => {
      // Nothing between two commas: the comma itself is what the parser will refuse.
      if (this.#itemLine === 0) {
        this.#itemLine = this.#line;
        out[at++] = COMMA!;
      }
      out[at++] = NEWLINE!;
      complete = at;
      lineOf.push(this.#itemLine);
      this.#itemLine = 0;
      this.#items++;
    };
    for (const byte of piece) {
      if (byte === NEWLINE) this.#line++;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
        out[at++] = byte === NEWLINE ? BAD_CONTROL : byte;
        continue;
      }
      if (isSpace(byte)) {
        if (this.#itemLine !== 0) out[at++] = SPACE!;
        continue;
      }
      if (this.#depth === 0) {
        if (this.#hasBegun) throw new UsageError(`line ${this.#line}: unexpected text after the end of the array`);
        this.#hasBegun = true;
        this.#depth = 1;
        continue;
      }
      if (this.#depth === 1 && byte === COMMA) {
        endItem();
        continue;
      }
      if (this.#depth === 1 && byte === CLOSE_LIST) {
        // `[]` has no item; `[1,]` has one too many.
        if (this.#itemLine !== 0 || this.#items > 0) endItem();
        this.#depth = 0;
        continue;
      }
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
      else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && this.#depth > 1) this.#depth--;
      else if (byte === QUOTE) this.#isInText = true;
      if (this.#itemLine === 0) this.#itemLine = this.#line;
      out[at++] = byte;
    }
    this.#kept = at - complete;
    if (this.#kept > this.#maxItemBytes) {
      throw new UsageError(
        `line ${this.#itemLine}: expected at most ${this.#maxItemBytes / 1024 / 1024} MiB in an item`,
      );
    }
    this.#buffer = out.slice(complete, at);
    return { bytes: out.subarray(0, complete), lineOf };
  }

  /** @throws {UsageError} when the array has no end. */
  end(): void {
    if (this.#hasBegun && this.#depth > 0) {
      throw new UsageError(`line ${this.#line}: unexpected end of the JSON array: "]" is missing`);
    }
  }
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === 9 || byte === 13;
}
