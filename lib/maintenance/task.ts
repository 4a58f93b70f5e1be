/**
 * What a maintenance task is. All are alike: `runOnce(context)` does what is
 * due in short transactions and says how much it did; when and by whom it is
 * called is the business of the one who holds the duty.
 * @module
 */
import type { SettingValues } from "../config/settings.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Store } from "../store/mod.ts";

export interface MaintenanceContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** As they hold at this moment. */
  readonly settings: () => Readonly<SettingValues>;
  /** A long task stops between two transactions when this is aborted. Default: it is not. */
  readonly signal?: AbortSignal | undefined;
}

/** What was done, by name; empty or all 0 when nothing was due. */
export type TaskCounts = Readonly<Record<string, number>>;

export interface MaintenanceTask {
  /** Safe to be run by two at once: every change is guarded by the state that it expects. */
  runOnce(context: MaintenanceContext): Promise<TaskCounts>;
}
