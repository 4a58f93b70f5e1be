/**
 * Named statements of `.sql` files on one connection: `sql("claim")`.
 * @module
 */
import { namedQueries } from "../named_queries.ts";
import type { Driver, Statement } from "./driver.ts";

export type Statements = (name: string) => Statement;

export function statements(driver: Driver, ...texts: readonly string[]): Statements {
  // Split when a name is looked for: most commands have no use for most files.
  const unread = [...texts];
  const queries = new Map<string, string>();
  const prepared = new Map<string, Statement>();
  const query = (name: string): string => {
    while (!queries.has(name)) {
      const text = unread.shift();
      if (text === undefined) throw new Error(`No statement is named "${name}"`);
      for (const [key, sql] of namedQueries(text)) queries.set(key, sql);
    }
    return queries.get(name)!;
  };
  return (name) => {
    let statement = prepared.get(name);
    if (statement === undefined) {
      statement = driver.prepare(query(name));
      prepared.set(name, statement);
    }
    return statement;
  };
}
