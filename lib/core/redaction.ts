/**
 * What is to be taken out of the output of jobs, as people write it down.
 * `redactor.ts` does it.
 * @module
 */
import { UsageError } from "./errors.ts";

/** What is to be taken out. */
export interface Redaction {
  /** As text of people. */
  readonly words: readonly string[];
  readonly patterns: readonly RegExp[];
}

export const NO_REDACTION: Redaction = { words: [], patterns: [] };

export function isNothing({ words, patterns }: Redaction): boolean {
  return words.length === 0 && patterns.length === 0;
}

/**
 * Reads the setting: words and `/regular expressions/`, the latter with an `i` behind them where letter case does not
 * matter, separated by commas or newlines.
 * @throws {UsageError} for a regular expression that is none, or that matches nothing at all. It says which one by its
 * place and never repeats it: the text is as secret as what it is to hide.
 */
export function parseRedaction(text: string, field = "redact"): Redaction {
  const words: string[] = [];
  const patterns: RegExp[] = [];
  const refused = (why: string) =>
    new UsageError(`Invalid ${field}, entry ${words.length + patterns.length + 1}: ${why}`);
  let rest = text.trimStart();
  while (rest !== "") {
    const pattern = /^\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/(i?)\s*(?:[,\n]|$)/.exec(rest);
    if (pattern !== null) {
      patterns.push(readPattern(pattern[1] ?? "", pattern[2] ?? "", refused));
      rest = rest.slice(pattern[0].length).trimStart();
      continue;
    }
    const [word = ""] = rest.split(/[,\n]/, 1);
    if (word.startsWith("/") && word.length > 1) {
      throw refused("expected /PATTERN/ or /PATTERN/i, or a word without a / before it");
    }
    if (word.trim() !== "") words.push(word.trim());
    rest = rest.slice(word.length + 1).trimStart();
  }
  return { words, patterns };
}

/** What only regular expressions have: a class, a group, an escape, or "any of them". */
const LOOKS_LIKE_PATTERN = /\[.+\]|\(.+\)|\\[a-zA-Z.]|\.[*+]/;

/** A doubt about the setting, which does not repeat its words: was one of them meant as a regular expression? */
export function doubtAboutRedaction(text: string): string | undefined {
  if (!parseRedaction(text).words.some((word) => LOOKS_LIKE_PATTERN.test(word))) return undefined;
  return "redact: a word looks like a regular expression; without slashes around it (/PATTERN/) it is taken as it stands";
}

function readPattern(source: string, flags: string, refused: (why: string) => UsageError): RegExp {
  try {
    // As bytes, like the text that it will see.
    const pattern = new RegExp(toByteText(source), `gm${flags}`);
    if (!pattern.test("")) return pattern;
  } catch (error) {
    // The engine says "Invalid regular expression: /PATTERN/gm: Reason". The error itself is no cause: it has the pattern.
    const why = error instanceof Error ? error.message.replace(/^.*: /s, "").toLowerCase() : "";
    throw refused(`expected a regular expression${REASON.test(why) ? `: ${why}` : ""}`);
  }
  throw refused("expected a regular expression that does not match empty text");
}

/** A reason of the engine is words alone. Anything else may be a part of the pattern. */
const REASON = /^[a-z][a-z ]*$/;

/** Shortest line of a secret of several lines that is taken out by itself: shorter ones (`}`) say nothing. */
const MIN_SECRET_LINE = 8;

/** What hides a secret: all of it, and each of its lines, since programs like to print those one by one. */
export function wordsOfSecret(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim()).filter((line) => line.length >= MIN_SECRET_LINE);
  return [...new Set([value, trimmed, ...(lines.length > 1 ? lines : [])])].filter((word) => word !== "");
}

/**
 * One character for each byte, and another one for each: this encoding has no byte without a character. Native, and
 * so five times as fast as code of ours could be.
 */
const BYTE_TEXT = new TextDecoder("windows-1252");

export function textOf(bytes: Uint8Array<ArrayBuffer>): string {
  return BYTE_TEXT.decode(bytes);
}

export function toByteText(text: string): string {
  return textOf(new TextEncoder().encode(text));
}
