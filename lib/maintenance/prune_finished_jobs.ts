/**
 * Removes finished jobs that were kept long enough: `keep_completed`,
 * `keep_cancelled`, `keep_dead`. 0 keeps them for ever.
 * @module
 */
import type { SettingKey } from "../config/settings.ts";
import { FINAL_STATES } from "../core/job_state.ts";
import { removeFinishedJobs } from "../operations/remove_finished_jobs.ts";
import type { MaintenanceContext, TaskCounts } from "./task.ts";

/** Jobs of one state in one go: some seconds, after which other duties have their turn. */
const MOST = 50_000;

const KEEP = {
  completed: "keep_completed",
  cancelled: "keep_cancelled",
  dead: "keep_dead",
} as const satisfies Readonly<Record<typeof FINAL_STATES[number], SettingKey>>;

export async function runOnce({ store, clock, log, settings, signal }: MaintenanceContext): Promise<TaskCounts> {
  const counts: Record<string, number> = {};
  for (const state of FINAL_STATES) {
    const keepMs = settings()[KEEP[state]];
    if (keepMs === 0) continue;
    const filter = { states: [state], finishedBefore: clock.now() - keepMs };
    const removed = await removeFinishedJobs(store, filter, { limit: MOST, signal });
    if (removed === 0) continue;
    counts[state] = removed;
    log.info("finished jobs removed", { state, count: removed });
  }
  return counts;
}
