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
 * - Patterns are regular expressions that see one line at a time; an unfinished
 *   line is held back. Of a line above 64 KiB they see a part at a time.
 * @module
 */
import { type Redaction, textOf, toByteText } from "./redaction.ts";

export const REDACTED = "[redacted]";

/** Longest line that patterns see as a whole. */
const MAX_LINE = 64 * 1024;
/** Of a longer line, how much of its end is seen together with what follows. */
const OVERLAP = 4 * 1024;

/** Takes things out of one text that is there as a whole. */
export function redactText(text: string, redaction: Redaction): string {
  const redactor = new Redactor(redaction);
  const encoded = new TextEncoder().encode(text);
  return new TextDecoder().decode(joined(redactor.push(encoded), redactor.end()));
}

export class Redactor {
  readonly #stages: readonly Stage[];

  constructor({ words, patterns }: Redaction) {
    this.#stages = [
      ...(words.length > 0 ? [new WordStage(words.map(toByteText))] : []),
      ...(patterns.length > 0 ? [new PatternStage(patterns)] : []),
    ];
  }

  /** What can be shown of the stream so far. */
  push(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const before = textOf(bytes);
    let text = before;
    for (const stage of this.#stages) text = stage.push(text);
    // The usual case, for which nothing needs to be made.
    return text === before ? bytes : bytesOf(text);
  }

  /** What was held back, when nothing follows. */
  end(): Uint8Array<ArrayBuffer> {
    let text = "";
    for (const stage of this.#stages) text = stage.push(text) + stage.end();
    return bytesOf(text);
  }
}

interface Stage {
  push(text: string): string;
  end(): string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

class WordStage implements Stage {
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

class PatternStage implements Stage {
  readonly #patterns: readonly RegExp[];
  /** No pattern looks around, so that what matches in a line also does in a text of many. */
  readonly #isLocal: boolean;
  #line = "";
  /** The line begins with something that has been replaced already. */
  #covered = 0;

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    this.#isLocal = patterns.every(({ source }) => !/\(\?[^:]/.test(source));
  }

  push(text: string): string {
    const all = this.#line + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#line = all.slice(end);
    let shown = all.slice(0, end);
    if (
      end > 0 && (!this.#isLocal || this.#covered > 0 || this.#patterns.some((pattern) => shown.search(pattern) >= 0))
    ) {
      shown = shown.slice(0, -1).split("\n").map((line) => `${this.#whole(line)}\n`).join("");
    }
    return this.#line.length > MAX_LINE ? shown + this.#begin() : shown;
  }

  end(): string {
    const line = this.#line;
    this.#line = "";
    return this.#whole(line);
  }

  #whole(line: string): string {
    const shown = this.#replaced(line, this.#spans(line), line.length);
    this.#covered = 0;
    return shown;
  }

  /** Gives out the beginning of a line that is too long to be held back. */
  #begin(): string {
    const line = this.#line;
    const spans = this.#spans(line);
    const last = spans.at(-1);
    if (last !== undefined && last.end === line.length && last.start < line.length - OVERLAP) {
      // It may go on. Its beginning is kept, by which what follows is found to belong to it.
      const shown = this.#replaced(line, spans, line.length);
      this.#line = line.slice(last.start, last.start + OVERLAP);
      this.#covered = this.#line.length;
      return shown;
    }
    let cut = line.length - OVERLAP;
    for (const { start, end } of spans) if (start < cut && end > cut) cut = start;
    const shown = this.#replaced(line, spans.filter(({ end }) => end <= cut), cut);
    this.#line = line.slice(cut);
    this.#covered = 0;
    return shown;
  }

  #spans(line: string): Span[] {
    const spans: Span[] = this.#covered > 0 ? [{ start: 0, end: this.#covered }] : [];
    for (const pattern of this.#patterns) {
      for (const match of line.matchAll(pattern)) {
        if (match[0] !== "") spans.push({ start: match.index, end: match.index + match[0].length });
      }
    }
    return merged(spans);
  }

  #replaced(line: string, spans: readonly Span[], end: number): string {
    let shown = "";
    let at = 0;
    for (const span of spans) {
      shown += line.slice(at, span.start) + (span.start === 0 && this.#covered > 0 ? "" : REDACTED);
      at = span.end;
    }
    return shown + line.slice(at, end);
  }
}

/** In order, those that overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
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

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
