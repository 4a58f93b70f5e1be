/**
 * Named statements of `.sql` files on one connection: `sql("claim")`.
 * @module
 */
import { namedQueries } from "../named_queries.ts";
import type { Driver, Statement } from "./driver.ts";

export type Statements = (name: string) => Statement;

export function statements(driver: Driver, ...texts: readonly string[]): Statements {
  // Split at first use: most commands have no use for most files.
  let queries: ReadonlyMap<string, string> | undefined;
  const prepared = new Map<string, Statement>();
  return (name) => {
    let statement = prepared.get(name);
    if (statement === undefined) {
      const sql = (queries ??= namedQueries(texts.join("\n"))).get(name);
      if (sql === undefined) throw new Error(`No statement is named "${name}"`);
      statement = driver.prepare(sql);
      prepared.set(name, statement);
    }
    return statement;
  };
}
