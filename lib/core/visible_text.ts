/**
 * Makes text from jobs safe to print: what would drive a terminal, or make text
 * read differently from what it is, is shown as an escape.
 * @module
 */

/**
 * Control characters (C0 with ESC, DEL, C1), unpaired surrogates, everything
 * that changes the direction of writing, line and paragraph separators, and the
 * byte order mark. Joiners stay: emoji and several scripts need them.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);

export interface VisibleTextOptions {
  /** Leave line ends and tabs as they are, for text that has lines of its own. Default false. */
  keepNewlines?: boolean;
}

/**
 * The text with every unsafe character as an escape: `\x1b`, `\u202e`, `\n`.
 * Backslashes are not doubled: this is for reading, and paths and patterns stay
 * readable; data that must come back exactly is what JSON is for.
 */
export function visibleText(text: string, options: VisibleTextOptions = {}): string {
  return text.replace(UNSAFE, (char) => {
    if (options.keepNewlines === true && (char === "\n" || char === "\t")) return char;
    return SHORT_ESCAPES.get(char) ?? numericEscape(char);
  });
}

/** All unsafe characters are below U+10000, so that one code unit tells which it is. */
function numericEscape(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
