/**
 * Words as a POSIX shell must see them, for command lines shown to people.
 * @module
 */

/** The word itself where that is safe, else in single quotes. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
