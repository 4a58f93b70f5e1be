/**
 * Text in columns for help: wrapped at spaces, hanging under its first word.
 * @module
 */

/** Breaks text at spaces into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

export interface DefinitionOptions {
  /** Columns of the whole line. */
  readonly columns: number;
  /** Columns before the term. */
  readonly indent: number;
  /** Terms longer than this get a line of their own. */
  readonly maxTerm: number;
  readonly paintTerm?: (term: string) => string;
}

/** Narrower than this a column of sentences cannot be read. */
const MIN_TEXT_COLUMNS = 24;

/** Lines `  term   sentence`, the sentences aligned and wrapped under each other. */
export function definitions(entries: readonly (readonly [string, string])[], options: DefinitionOptions): string[] {
  const { columns, indent, maxTerm, paintTerm = (term) => term } = options;
  const terms = entries.map(([term]) => term.length).filter((length) => length <= maxTerm);
  const termColumns = Math.max(0, ...terms);
  const start = indent + termColumns + 2;
  const width = Math.max(MIN_TEXT_COLUMNS, columns - start);
  return entries.flatMap(([term, sentence]) => {
    const [first = "", ...rest] = wrap(sentence, width);
    const hanging = (line: string) => " ".repeat(start) + line;
    const shown = " ".repeat(indent) + paintTerm(term);
    if (term.length > termColumns) return [shown, hanging(first), ...rest.map(hanging)];
    return [(shown + " ".repeat(termColumns - term.length + 2) + first).trimEnd(), ...rest.map(hanging)];
  });
}
