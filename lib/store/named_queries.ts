/**
 * Splits a `.sql` file into its statements: each begins with a line
 * `-- name: word`. Comments below that line belong to the statement.
 * @module
 */
export function namedQueries(text: string): ReadonlyMap<string, string> {
  const queries = new Map<string, string>();
  for (const part of text.split(/^-- name: /m).slice(1)) {
    const end = part.indexOf("\n");
    const name = part.slice(0, end).trim();
    if (queries.has(name)) throw new Error(`Two statements are named "${name}"`);
    queries.set(name, part.slice(end + 1).trim());
  }
  return queries;
}
