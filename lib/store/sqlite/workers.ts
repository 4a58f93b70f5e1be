/** Registered workers in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import { COPIED } from "../../host/process_identity.ts";
import type { WorkerStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { workerFromRow } from "./rows.ts";
import workersSql from "./sql/workers.sql" with { type: "text" };
import { statements } from "./statements.ts";

/** Beyond this the machine slept or the clock was set: no slot was there. */
const LONGEST_BEAT_MS = 10 * 60_000;

export interface WorkersOptions {
  readonly clock: Clock;
  /** The rows are those of another database, of which this one is a copy. */
  readonly isCopy: boolean;
}

export function sqliteWorkers(connection: Connection, { clock, isCopy }: WorkersOptions): WorkerStore {
  const sql = statements(connection.driver, workersSql);
  /** Of those, so many are recorded. */
  let recordedRetries = 0;
  /** Counts the time of its slots since the last beat. Inside a write transaction, before the beat. */
  const recordSlots = (id: string) => {
    const row = sql("last_beat").get(id);
    if (row === undefined) return;
    const now = clock.now();
    const elapsedMs = Math.min(Math.max(0, now - Number(row.beat_at)), LONGEST_BEAT_MS);
    const busyRetries = connection.busyRetries - recordedRetries;
    sql("record_slots").run(Math.floor(now / 60_000), elapsedMs * Number(row.slots), busyRetries);
    recordedRetries += busyRetries;
  };
  return {
    register: async (worker) => {
      await connection.write("register a worker", () => {
        const now = clock.now();
        sql("register").run(
          worker.id,
          worker.pool,
          worker.host,
          worker.boot_id,
          worker.pid_namespace,
          worker.pid,
          worker.process_start,
          worker.queues === null ? null : JSON.stringify(worker.queues),
          worker.slots,
          worker.version,
          worker.generation,
          now,
          now,
        );
        connection.crowd.size = Number(sql("count").get()?.n ?? 1);
      });
    },
    beat: (id, beat) =>
      connection.write("beat", () => {
        const { state, done, failed, rss_bytes, trouble } = beat;
        recordSlots(id);
        connection.crowd.size = Number(sql("count").get()?.n ?? 1);
        return sql("beat").run(clock.now(), state, done, failed, rss_bytes, trouble, id).changes > 0;
      }),
    unregister: async (id) => {
      await connection.write("unregister a worker", () => {
        recordSlots(id);
        sql("unregister").run(id);
      });
    },
    list: () =>
      connection.read("list workers", () => {
        const jobs = new Map<string, string[]>();
        for (const row of sql("current_jobs").all()) {
          const worker = String(row.worker_id);
          jobs.set(worker, [...(jobs.get(worker) ?? []), String(row.id)]);
        }
        return sql("list").all().map((row) => {
          const worker = workerFromRow(row, jobs.get(String(row.id)) ?? []);
          return isCopy ? { ...worker, boot_id: COPIED } : worker;
        });
      }),
    holdings: (id) =>
      connection.read("look at what a worker holds", () =>
        sql("holdings").all(id).map((row) => ({
          seq: Number(row.seq),
          id: String(row.id),
          claim: Number(row.claim),
        }))),
    strays: () => connection.read("look for strays", () => sql("strays").all().map((row) => String(row.worker_id))),
  };
}
