/**
 * A SQLite file looked at from outside the store, for what its interface does
 * not show.
 * @module
 */
import { DatabaseSync } from "node:sqlite";

type Row = Record<string, unknown>;

/** Runs statements on a file, which is made when it does not exist. */
export function execute(path: string, sql: string): void {
  using database = opened(path);
  database.value.exec(sql);
}

/** The rows of one query. */
export function query(path: string, sql: string): Row[] {
  using database = opened(path);
  return database.value.prepare(sql).all() as Row[];
}

/** One step per line, as `EXPLAIN QUERY PLAN` tells them. */
export function queryPlan(path: string, sql: string): string[] {
  return query(path, `explain query plan ${sql}`).map((row) => String(row.detail));
}

/** The only row of a check of the whole file: `ok`, or what is wrong with it. */
export function integrity(path: string): unknown {
  return query(path, "pragma integrity_check").map((row) => row.integrity_check).join("\n");
}

function opened(path: string): Disposable & { readonly value: DatabaseSync } {
  const value = new DatabaseSync(path);
  return { value, [Symbol.dispose]: () => value.close() };
}
