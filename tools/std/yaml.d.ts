/** What the npm copy of the standard library lacks: the types of its YAML parser. */

/** @throws {SyntaxError} when the text is no YAML, or has a key twice. */
export function parse(text: string): unknown;
