/**
 * Databases to measure on: with the schema of the migration, filled by plain
 * SQL, which is some ten times as fast as enqueueing.
 * @module
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore, type Store } from "../lib/store/mod.ts";
import { type Bench, CLOCK } from "./bench.ts";

let made = 0;

/** A path that no other measurement uses. */
export function newPath(bench: Bench, name: string): string {
  return join(bench.folder, `${name}-${++made}.db`);
}

/** A new store, opened as a worker opens it unless said otherwise. */
export function newStore(bench: Bench, name: string, mode: "write" | "work" = "work"): Promise<Store> {
  return openStore(newPath(bench, name), { mode, clock: CLOCK });
}

/** A migrated, empty file, for those who speak SQL to it. */
export async function newDatabase(bench: Bench, name: string, synchronous: "normal" | "full"): Promise<DatabaseSync> {
  const store = await newStore(bench, name);
  await store.close();
  return openRaw(store.location, synchronous);
}

/** With the pragmas of a worker (normal) or of a command (full). */
export function openRaw(path: string, synchronous: "normal" | "full"): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`pragma temp_store = memory; pragma synchronous = ${synchronous}`);
  if (synchronous === "normal") database.exec("pragma wal_autocheckpoint = 4000");
  return database;
}

/** Jobs that differ from a plain pending one by some columns; the values are SQL. */
export interface Fill {
  readonly count: number;
  readonly queue?: string;
  readonly columns?: Readonly<Record<string, string>>;
}

const OPTIONS = '{"backoff":{"strategy":"exponential","base":2,"delay":60,"max":21600,"jitter":0},' +
  '"kill_grace_ms":10000,"cwd":"/tmp"}';

/** Adds jobs as `enqueue true` would have left them. */
export function fill(database: DatabaseSync, { count, queue = "default", columns = {} }: Fill): void {
  const values: Record<string, string> = {
    // Random, because the order of ids decides what an index on them costs; without the digits that no id has.
    id: "replace(replace(replace(replace(lower(hex(randomblob(6))), '0', 'g'), '1', 'h'), '8', 'i'), '9', 'j')",
    id_generated: "1",
    state: "'pending'",
    queue: `'${queue}'`,
    type: "'shell'",
    command: "'true'",
    max_retries: "3",
    options: `'${OPTIONS}'`,
    created_at: String(Date.now()),
    updated_at: String(Date.now()),
    ...columns,
  };
  database.exec(`
    insert into queues (name, created_at) values ('${queue}', 0) on conflict do nothing;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into jobs (${Object.keys(values).join(", ")}) select ${Object.values(values).join(", ")} from n;
  `);
}
