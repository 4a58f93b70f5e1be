/**
 * A task that notes in the store what it did, so that `status` can tell. Runs
 * with nothing to do leave no note: most are.
 * @module
 */
import type { MaintenanceContext, MaintenanceTask, TaskCounts } from "./task.ts";

export function recorded(name: string, task: MaintenanceTask): MaintenanceTask {
  // Who did it before us may have failed.
  let mayHaveFailed = true;
  return {
    async runOnce(context) {
      const record = (deed: { counts: TaskCounts; error: string | null }) =>
        note(context, name, () => context.store.maintenance.record(name, deed));
      let counts: TaskCounts;
      try {
        counts = await task.runOnce(context);
      } catch (error) {
        mayHaveFailed = true;
        await record({ counts: {}, error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
      if (Object.values(counts).some((count) => count > 0)) await record({ counts, error: null });
      else if (mayHaveFailed) await note(context, name, () => context.store.maintenance.recovered(name));
      mayHaveFailed = false;
      return counts;
    },
  };
}

/** The deed is done, whether it can be noted or not. */
async function note({ log }: MaintenanceContext, task: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.warn("maintenance not noted", { task, error: error instanceof Error ? error.message : String(error) });
  }
}
