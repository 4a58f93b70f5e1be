/**
 * Takes words and patterns out of a stream of bytes, whatever the pieces in
 * which it comes: what may be the beginning of something to take out is held
 * back until the rest has come, or has not.
 *
 * Bytes are looked at as text with one character per byte, so that everything
 * else comes out as it went in, also when it is no text.
 *
 * - Words are found wherever they are, across lines too; overlapping ones go as
 *   a whole. Held back is at most as much as the longest word.
 * - Patterns see one line at a time: `pattern_stage.ts`.
 * @module
 */
import { PatternStage, searchLines, type Steps } from "./pattern_stage.ts";
import { type Redaction, textOf, toByteText } from "./redaction.ts";
import { merged, REDACTED, type Span } from "./spans.ts";

/** Takes things out of one text that is there as a whole. */
export function redactText(text: string, redaction: Redaction): string {
  const redactor = new Redactor(redaction);
  const steps = redactor.last(new TextEncoder().encode(text));
  let step = steps.next();
  while (!step.done) step = steps.next(searchLines(redaction.patterns, step.value));
  return new TextDecoder().decode(step.value);
}

/** Only where there are patterns does it ever ask for their matches. */
export class Redactor {
  readonly #words: WordStage | undefined;
  readonly #patterns: PatternStage | undefined;

  constructor({ words, patterns }: Redaction) {
    this.#words = words.length > 0 ? new WordStage(words.map(toByteText)) : undefined;
    this.#patterns = patterns.length > 0 ? new PatternStage() : undefined;
  }

  /** What can be shown of the stream so far. */
  *push(bytes: Uint8Array<ArrayBuffer>): Steps<Uint8Array<ArrayBuffer>> {
    const before = textOf(bytes);
    const text = this.#words?.push(before) ?? before;
    const shown = this.#patterns === undefined ? text : yield* this.#patterns.push(text);
    // The usual case, for which nothing needs to be made.
    return shown === before ? bytes : bytesOf(shown);
  }

  /** What is left when nothing follows these bytes. */
  *last(bytes: Uint8Array<ArrayBuffer>): Steps<Uint8Array<ArrayBuffer>> {
    const before = textOf(bytes);
    const text = this.#words === undefined ? before : this.#words.push(before) + this.#words.end();
    if (this.#patterns === undefined) return bytesOf(text);
    return bytesOf((yield* this.#patterns.push(text)) + (yield* this.#patterns.end()));
  }
}

class WordStage {
  readonly #words: readonly string[];
  #held = "";
  /** How much of what is held back is part of something that has been replaced already. */
  #covered = 0;

  constructor(words: readonly string[]) {
    this.#words = [...new Set(words)];
  }

  push(text: string): string {
    const all = this.#held + text;
    return this.#emit(all, all.length - this.#longestBeginning(all));
  }

  end(): string {
    return this.#emit(this.#held, this.#held.length);
  }

  /** Gives out the text up to `safe`, and holds back the rest. */
  #emit(all: string, safe: number): string {
    if (safe === 0) {
      this.#held = all;
      return "";
    }
    const covered = this.#covered;
    const spans = merged([...(covered > 0 ? [{ start: 0, end: covered }] : []), ...this.#find(all)]);
    let shown = "";
    let at = 0;
    this.#covered = 0;
    for (const { start, end } of spans) {
      if (start >= safe) break;
      shown += all.slice(at, start) + (start === 0 && covered > 0 ? "" : REDACTED);
      at = Math.min(end, safe);
      if (end > safe) this.#covered = end - safe;
    }
    this.#held = all.slice(safe);
    return shown + all.slice(at, safe);
  }

  #find(all: string): Span[] {
    const spans: Span[] = [];
    for (const word of this.#words) {
      for (let start = all.indexOf(word); start !== -1; start = all.indexOf(word, start + 1)) {
        spans.push({ start, end: start + word.length });
      }
    }
    return spans;
  }

  /** Length of the longest end of the text with which a word begins; a whole word is none. */
  #longestBeginning(all: string): number {
    let longest = 0;
    for (const word of this.#words) {
      for (let length = Math.min(word.length - 1, all.length); length > longest; length--) {
        if (all.charCodeAt(all.length - length) === word.charCodeAt(0) && all.endsWith(word.slice(0, length))) {
          longest = length;
        }
      }
    }
    return longest;
  }
}

/** Characters beyond U+00FF -> their bytes; all others are their own. */
const FAR_BYTES: ReadonlyMap<number, number> = new Map(
  Array.from(textOf(Uint8Array.from({ length: 256 }, (_, byte) => byte)), (char, byte) => [char.charCodeAt(0), byte]),
);

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bytes[at] = code > 0xff ? FAR_BYTES.get(code) ?? 0 : code;
  }
  return bytes;
}
