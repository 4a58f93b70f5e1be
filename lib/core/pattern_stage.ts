/**
 * Takes what patterns match out of a text that comes in pieces. Patterns see one
 * line at a time; an unfinished line is held back. Of a line above 64 KiB they
 * see a part at a time.
 *
 * The caller does the search, and may have another process do it: a pattern that
 * backtracks may take hours, and nothing in this process could stop it.
 * @module
 */
import { merged, REDACTED, type Span } from "./spans.ts";

/** Longest line that patterns see as a whole. */
const MAX_LINE = 64 * 1024;
/** Of a longer line, how much of its end is seen together with what follows. */
const OVERLAP = 4 * 1024;

/** Start and end of each match, one pair after the other, in any order. */
export type Matches = readonly number[];

/** Asks for the matches in some lines, and goes on when it is given them. */
export type Steps<Result> = Generator<string, Result, Matches>;

/** Finds what patterns match in each of the lines. They need the flag `g`. */
export function searchLines(patterns: readonly RegExp[], text: string): number[] {
  // Usually there is nothing. Then one search of all lines is several times as fast as one of each.
  const wanted = patterns.filter((pattern) => LOOKS_AROUND.test(pattern.source) || text.search(pattern) >= 0);
  const found: number[] = [];
  for (let start = 0; start < text.length && wanted.length > 0;) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    for (const pattern of wanted) {
      for (const match of line.matchAll(pattern)) {
        if (match[0] !== "") found.push(start + match.index, start + match.index + match[0].length);
      }
    }
    start = end + 1;
  }
  return found;
}

/** What matches in a line by itself also does so in a text of many, unless the pattern looks around. */
const LOOKS_AROUND = /\(\?[^:]/;

/** Where the line ends that begins there. */
export function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

export class PatternStage {
  #line = "";
  /** The line begins with something that has been replaced already. */
  #covered = 0;

  *push(text: string): Steps<string> {
    const all = this.#line + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#line = all.slice(end);
    const shown = end === 0 ? "" : `${yield* this.#whole(all.slice(0, end - 1))}\n`;
    return this.#line.length > MAX_LINE ? shown + (yield* this.#begin()) : shown;
  }

  *end(): Steps<string> {
    const line = this.#line;
    this.#line = "";
    return yield* this.#whole(line);
  }

  *#whole(lines: string): Steps<string> {
    const shown = this.#replaced(lines, yield* this.#spans(lines), lines.length);
    this.#covered = 0;
    return shown;
  }

  /** Gives out the beginning of a line that is too long to be held back. */
  *#begin(): Steps<string> {
    const line = this.#line;
    const spans = yield* this.#spans(line);
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

  *#spans(lines: string): Steps<Span[]> {
    const spans: Span[] = this.#covered > 0 ? [{ start: 0, end: this.#covered }] : [];
    if (lines === "") return spans;
    const found = yield lines;
    for (let at = 0; at < found.length; at += 2) spans.push({ start: found[at] ?? 0, end: found[at + 1] ?? 0 });
    return merged(spans);
  }

  #replaced(text: string, spans: readonly Span[], end: number): string {
    let shown = "";
    let at = 0;
    for (const span of spans) {
      shown += text.slice(at, span.start) + (span.start === 0 && this.#covered > 0 ? "" : REDACTED);
      at = span.end;
    }
    return shown + text.slice(at, end);
  }
}
