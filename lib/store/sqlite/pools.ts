/** Pools of workers in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import { NotFoundError, quoted } from "../../core/errors.ts";
import type { PoolKey, PoolRecord, PoolStore } from "../pool_store.ts";
import type { Record } from "./audit.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import poolsSql from "./sql/pools.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqlitePools(
  connection: Connection,
  { clock, record }: { clock: Clock; record: Record },
): PoolStore {
  const sql = statements(connection.driver, poolsSql);
  /** Changes one pool, and notes who did it. */
  const change = (statement: string, key: PoolKey, values: readonly (number | null)[]) =>
    connection.write(`${statement} a pool`, () => {
      const row = sql(statement).get(...values, clock.now(), key.name, key.host);
      if (row === undefined) throw new NotFoundError(`No pool ${quoted(key.name)}`, { hint: "queuectl worker status" });
      const [value] = values;
      record(`worker ${statement}`, key.name, statement === "scale" ? String(value) : null);
      return poolFromRow(row);
    });
  return {
    list: () => connection.read("list pools", () => sql("list").all().map(poolFromRow)),
    find: ({ name, host }) =>
      connection.read("find a pool", () => {
        const row = sql("find").get(name, host);
        return row === undefined ? undefined : poolFromRow(row);
      }),
    put: ({ name, host }, { count, concurrency, queues }) =>
      connection.write("ask for a pool", () => {
        const now = clock.now();
        const row = sql("put").get(name, host, count, concurrency, queues && JSON.stringify(queues), now, now);
        record("worker start", name, `${count} workers`);
        return poolFromRow(row!);
      }),
    scale: (key, count) => change("scale", key, [count]),
    restart: (key) => change("restart", key, []),
    stop: (key, releaseAt) => change("stop", key, [releaseAt]),
    beat: ({ name, host }, { pid, process_start, is_foreground, version, trouble }) =>
      connection.write(
        "beat",
        () =>
          sql("beat").run(pid, process_start, is_foreground ? 1 : 0, version, trouble, clock.now(), name, host)
            .changes > 0,
      ),
    prune: (before) => connection.write("forget old pools", () => sql("prune").run(before).changes),
    remove: async ({ name, host }) => {
      await connection.write("forget a pool", () => sql("remove").run(name, host));
    },
  };
}

function poolFromRow(row: Row): PoolRecord {
  return {
    name: String(row.name),
    host: String(row.host),
    count: Number(row.count),
    concurrency: row.concurrency == null ? null : Number(row.concurrency),
    queues: row.queues == null ? null : JSON.parse(String(row.queues)) as string[],
    generation: Number(row.generation),
    state: String(row.state) as PoolRecord["state"],
    release_at: row.release_at == null ? null : Number(row.release_at),
    supervisor: row.supervisor_pid == null ? null : {
      pid: Number(row.supervisor_pid),
      process_start: String(row.supervisor_start),
      is_foreground: row.is_foreground === 1,
      version: String(row.version),
      trouble: row.trouble == null ? null : String(row.trouble),
      beat_at: Number(row.beat_at),
    },
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  };
}
