/**
 * Locks: at most one processing job per lock. The unique index jobs_lock_held
 * is the lock; nothing else is asked when a job begins.
 *
 * So that claims need not try, jobs that would meet a held lock are parked out
 * of the ready index. What must stay true while a lock is free: in each queue
 * with waiters, the best of them is armed, that is, not parked for the lock.
 * Queues are apart because one may be paused, full, or served by nobody. More
 * armed jobs than one do no harm: those that lose are parked when they meet
 * the index.
 * @module
 */
import type { Row } from "./driver.ts";
import type { Statements } from "./statements.ts";

/** A job with the lock left its state, or became pending: arms whoever is best now. Returns how many it armed. */
export function settleLock(sql: Statements, lock: string, onlyQueue?: string): number {
  if (sql("lock_holder").get(lock) !== undefined) return 0;
  if (onlyQueue !== undefined) return armBest(sql, lock, onlyQueue) ? 1 : 0;
  let armed = 0;
  let queue = "";
  while (true) {
    const next = sql("lock_queue").get(lock, queue)?.queue;
    if (next == null) return armed;
    queue = String(next);
    if (armBest(sql, lock, queue)) armed++;
  }
}

function armBest(sql: Statements, lock: string, queue: string): boolean {
  const best = (parked: string) => sql("lock_best").get(lock, queue, parked);
  const behind = best("lock");
  if (behind === undefined) return false;
  const ready = best("");
  const alone = best("alone");
  if ((ready !== undefined && isBetter(ready, behind)) || (alone !== undefined && isBetter(alone, behind))) {
    return false;
  }
  sql("arm").run(Number(behind.seq));
  // It was the best until now.
  if (ready !== undefined) sql("park_for_lock").run(Number(ready.seq));
  return true;
}

function isBetter(a: Row, b: Row): boolean {
  const difference = Number(a.priority) - Number(b.priority);
  return difference === 0 ? Number(a.seq) < Number(b.seq) : difference > 0;
}
