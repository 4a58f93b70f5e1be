/**
 * A bare loop that inserts finished rows: the floor of batch insertion.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { namedQueries } from "../../lib/store/named_queries.ts";
import jobsSql from "../../lib/store/sqlite/sql/jobs.sql" with { type: "text" };

/** Values of one row in the order of the statement `insert`. */
export type InsertRow = (string | number | null)[];

/** All in one transaction. */
export function insertRows(database: DatabaseSync, rows: readonly InsertRow[]): void {
  const insert = database.prepare(namedQueries(jobsSql).get("insert")!);
  database.exec("begin immediate");
  for (const row of rows) insert.run(...row);
  database.exec("commit");
}
