/**
 * Forgets entries of the audit that are older than `keep_audit`. 0 keeps them
 * for ever.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** Entries per transaction: a few milliseconds. */
const BATCH = 2_000;
/** Entries in one go, after which other duties have their turn. */
const MOST = 200_000;

export async function runOnce({ store, clock, log, settings, signal }: MaintenanceContext): Promise<TaskCounts> {
  const keepMs = settings().keep_audit;
  if (keepMs === 0) return {};
  const before = clock.now() - keepMs;
  let entries = 0;
  while (entries < MOST && signal?.aborted !== true) {
    const pruned = await store.audit.prune(before, BATCH);
    entries += pruned;
    if (pruned < BATCH) break;
  }
  if (entries > 0) log.info("audit pruned", { count: entries });
  return { entries };
}
