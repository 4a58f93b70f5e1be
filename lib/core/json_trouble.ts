/**
 * What is wrong with a text that is no JSON, and where.
 * @module
 */
export interface JsonTrouble {
  /** What the parser says, without the text, which it repeats. */
  readonly what: string;
  /** Of the first character that does not fit; the length of the text when it ends too early. */
  readonly offset: number;
}

/** `error` is what JSON.parse threw for `text`. */
export function jsonTrouble(error: unknown, text: string): JsonTrouble {
  const message = error instanceof Error ? error.message : String(error);
  const token = /^Unexpected token '.*?'(?=,)/su.exec(message)?.[0];
  if (token !== undefined) return { what: token, offset: unexpectedAt(text) };
  const offset = /at position (\d+)/.exec(message)?.[1];
  const what = message.replace(/(?: in JSON)? at position \d+.*$/s, "");
  return { what, offset: offset === undefined ? text.length : Number(offset) };
}

/**
 * The parser does not say where a token is that it did not expect. But it says
 * so of every beginning of the text that has the token in it, and of no shorter
 * one: that one ends too early.
 */
function unexpectedAt(text: string): number {
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = Math.floor((without + having) / 2);
    if (hasUnexpected(text.slice(0, middle))) having = middle;
    else without = middle;
  }
  return without;
}

function hasUnexpected(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith("Unexpected token");
  }
}
