/**
 * Gives the jobs of `queuectl run` to everyone whose own worker is gone, or
 * never came.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** A worker that has not registered after this long is not coming: it takes a tenth of a second. */
const GRACE_MS = 10_000;

export async function runOnce({ store, clock, log }: MaintenanceContext): Promise<TaskCounts> {
  const jobs = await store.jobs.freeReserved({ untouchedSince: clock.now() - GRACE_MS });
  if (jobs > 0) log.info("reserved jobs freed", { count: jobs });
  return { jobs };
}
