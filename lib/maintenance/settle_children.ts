/**
 * Tells the children of jobs that ended what the transaction of that end could
 * not: there were too many, or the one who went on with it died; and those of
 * dead jobs that get no other life after all.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

export async function runOnce({ store, settings }: MaintenanceContext): Promise<TaskCounts> {
  return { parents: await store.jobs.settle(settings().dead_retry_after > 0) };
}
