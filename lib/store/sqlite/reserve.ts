/**
 * Jobs that belong to one worker, which `queuectl run` starts for them.
 *
 * A reserved job that is pending is parked as `run`, outside the ready index:
 * other workers do not see it. The reservation holds as long as its worker is
 * registered; the job of one that is gone, or never came, is for everyone.
 * @module
 */
import type { EnqueuedJob } from "../store.ts";
import type { Statements } from "./statements.ts";

/** Runs inside the transaction that made the jobs. */
export function reserve(sql: Statements, jobs: readonly EnqueuedJob[], workerId: string): void {
  for (const { seq } of jobs) sql("reserve").run(workerId, seq);
}

/** Whether there is anything to free: looking takes no lock. */
export function hasAbandoned(sql: Statements, untouchedSince: number): boolean {
  return sql("abandoned").get(untouchedSince) !== undefined;
}

/** Runs inside a write transaction. Returns how many. */
export function freeAbandoned(sql: Statements, untouchedSince: number): number {
  const rows = sql("abandoned").all(untouchedSince);
  for (const row of rows) sql("free").run(Number(row.crashes) > 0 ? "alone" : "", Number(row.seq));
  return rows.length;
}
