/**
 * Makes text from jobs safe to print: what would drive a terminal, or make text
 * read differently from what it is, is shown as an escape.
 * @module
 */

/**
 * Characters that have no width and say nothing: soft hyphen, Mongolian vowel
 * separator, zero width space, word joiner and invisible operators, deprecated
 * format characters, byte order mark, annotation marks, and the tag block, in
 * which a whole sentence can hide. In source form, for use in a class.
 */
const INVISIBLE = String.raw`\xad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;

/** Control characters but for C0, everything that changes the direction of writing, and what else ends a line. */
const MISLEADING = String.raw`\x7f-\x9f\p{Bidi_Control}\u2028\u2029${INVISIBLE}`;

/** Joiners, which emoji and several scripts need between two letters of theirs, and ASCII never. */
const STRAY_JOINER = String.raw`(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])`;

/** All that is made visible: C0 with ESC and unpaired surrogates, too. */
const UNSAFE = new RegExp(String.raw`[\0-\x1f\p{Cs}${MISLEADING}]|${STRAY_JOINER}`, "gu");

/** What JSON may hold as it is, and a terminal should not get. Stringify itself escapes C0 and unpaired surrogates. */
const UNSAFE_IN_JSON = new RegExp(String.raw`[\u200c\u200d${MISLEADING}]`, "gu");

/** Nearly all text: found out at a tenth of the price of a search for the classes above. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_LINES = /^[\x20-\x7e\n\t]*$/;

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
export function visibleText(text: string, { keepNewlines = false }: VisibleTextOptions = {}): string {
  if ((keepNewlines ? PLAIN_LINES : PLAIN).test(text)) return text;
  return text.replace(UNSAFE, (char) => {
    if (keepNewlines && (char === "\n" || char === "\t")) return char;
    return SHORT_ESCAPES.get(char) ?? numericEscape(char);
  });
}

/**
 * JSON text that means the same and is safe on a terminal: what it holds of
 * unsafe characters is written as `\uXXXX`. For what `JSON.stringify` gave.
 */
export function visibleJson(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  return json.replace(UNSAFE_IN_JSON, (char) => {
    let escapes = "";
    for (let i = 0; i < char.length; i++) escapes += `\\u${hex(char.charCodeAt(i), 4)}`;
    return escapes;
  });
}

function numericEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
