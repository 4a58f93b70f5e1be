/**
 * Gives each dead job another life, once, when it has been dead for
 * `dead_retry_after`. 0 leaves the dead alone.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** Jobs per transaction: about 10 ms. */
const BATCH = 500;
/** Jobs in one go, after which other duties have their turn. */
const MOST = 10_000;

export async function runOnce({ store, clock, log, settings, signal }: MaintenanceContext): Promise<TaskCounts> {
  const waitMs = settings().dead_retry_after;
  if (waitMs === 0) return {};
  let revived = 0;
  while (revived < MOST && signal?.aborted !== true) {
    const jobs = await store.jobs.revive(clock.now() - waitMs, BATCH);
    revived += jobs.length;
    if (jobs.length < BATCH) break;
  }
  if (revived > 0) log.info("dead jobs retried", { count: revived });
  return { revived };
}
