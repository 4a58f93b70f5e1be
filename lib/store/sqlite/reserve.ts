/**
 * Jobs that belong to one worker, which `queuectl run` starts for them.
 *
 * A reserved job that is pending is parked as `run`, outside the ready index:
 * other workers do not see it. The reservation holds as long as its worker is
 * registered; the job of one that is gone, or never came, is for everyone.
 * @module
 */
import type { EnqueuedJob } from "../store.ts";
import type { Row } from "./driver.ts";
import { settleLock } from "./locks.ts";
import type { Statements } from "./statements.ts";

/** Runs inside the transaction that made the jobs. */
export function reserve(sql: Statements, jobs: readonly EnqueuedJob[], workerId: string): void {
  for (const { seq } of jobs) sql("reserve").run(workerId, seq);
}

/** Which of the jobs whose worker is not registered. */
export interface Abandoned {
  readonly untouchedSince: number;
  /** Of these, this job only, by its number. */
  readonly only?: number;
}

/** Whether there is anything to free: looking takes no lock. */
export function hasAbandoned(sql: Statements, which: Abandoned): boolean {
  return abandoned(sql, which).length > 0;
}

/** Runs inside a write transaction. Returns how many. */
export function freeAbandoned(sql: Statements, which: Abandoned): number {
  const rows = abandoned(sql, which);
  for (const row of rows) {
    sql("free").run(row.lock != null ? "lock" : Number(row.crashes) > 0 ? "alone" : "", Number(row.seq));
    if (row.lock != null) settleLock(sql, String(row.lock), String(row.queue));
  }
  return rows.length;
}

function abandoned(sql: Statements, { untouchedSince, only }: Abandoned): Row[] {
  const rows = sql("abandoned").all(Math.min(untouchedSince, Number.MAX_SAFE_INTEGER));
  return only === undefined ? rows : rows.filter((row) => Number(row.seq) === only);
}
