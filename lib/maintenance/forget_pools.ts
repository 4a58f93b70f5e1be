/**
 * Forgets pools of hosts that are gone: a container that was killed says no
 * good-bye, and the next one has another name.
 * @module
 */
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** Longer than a machine is usually off; what runs beats every few seconds. */
const FORGET_AFTER_MS = 7 * 24 * 60 * 60_000;

export async function runOnce({ store, clock, log }: MaintenanceContext): Promise<TaskCounts> {
  const pools = await store.pools.prune(clock.now() - FORGET_AFTER_MS);
  if (pools > 0) log.info("old pools forgotten", { pools });
  return { pools };
}
