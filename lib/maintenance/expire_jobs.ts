/**
 * Cancels jobs that waited past their time. Idle workers do it at the moment;
 * this is for when all are busy.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** Jobs per transaction: about 10 ms. */
const BATCH = 500;
/** Jobs in one go, after which other duties have their turn. */
const MOST = 10_000;

export async function runOnce({ store, log, signal }: MaintenanceContext): Promise<TaskCounts> {
  let expired = 0;
  while (expired < MOST && signal?.aborted !== true) {
    const jobs = await store.jobs.expire(BATCH);
    expired += jobs.length;
    if (jobs.length < BATCH) break;
  }
  if (expired > 0) log.info("jobs expired", { count: expired });
  return { expired };
}
