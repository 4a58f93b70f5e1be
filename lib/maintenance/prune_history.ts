/**
 * Forgets the minutes of the history that are older than a week; their sums
 * stay. A queue has at most one row for each minute and priority, and the task
 * comes often, so that one transaction is enough.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** What `stats --since` can look back on by the minute. */
export const KEEP_MINUTES_MS = 7 * 24 * 60 * 60 * 1_000;

export async function runOnce({ store, clock, log }: MaintenanceContext): Promise<TaskCounts> {
  const minutes = await store.history.prune(clock.now() - KEEP_MINUTES_MS);
  if (minutes > 0) log.info("history pruned", { minutes });
  return { minutes };
}
