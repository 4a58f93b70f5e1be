/**
 * A bare loop that inserts finished rows: the floor of batch insertion.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { namedQueries } from "../../lib/store/named_queries.ts";
import jobsSql from "../../lib/store/sqlite/sql/jobs.sql" with { type: "text" };

const INSERT = namedQueries(jobsSql).get("insert")!;

/** Values of one row in the order of the statement `insert`. */
export type InsertRow = (string | number | null)[];

/** What the statement asks for, in its order; a column with a value of its own, such as '', is not asked for. */
const COLUMNS = ((): string[] => {
  const [names = [], values = []] = [...INSERT.matchAll(/\(([^()]*)\)/g)].map(([, list = ""]) =>
    list.split(",").map((item) => item.trim())
  );
  return names.filter((_, i) => values[i] === "?");
})();

/** A row of these columns; the others are null. */
export function insertRow(values: Readonly<Record<string, string | number | null>>): InsertRow {
  return COLUMNS.map((name) => values[name] ?? null);
}

/** All in one transaction. */
export function insertRows(database: DatabaseSync, rows: readonly InsertRow[]): void {
  const insert = database.prepare(INSERT);
  database.exec("begin immediate");
  for (const row of rows) insert.run(...row);
  database.exec("commit");
}
