/**
 * Has the store checked once after each start of the host: power cuts and
 * dying disks damage files while nobody looks. What was found is kept beside
 * the store (`operations/boot_check.ts`), logged, and shown by `status`.
 *
 * The check itself reads the whole file and is done by another process: in
 * this one nothing else could happen meanwhile.
 * @module
 */
import { readBootCheck, writeBootCheck } from "../operations/boot_check.ts";
import type { MaintenanceContext, MaintenanceTask, TaskCounts } from "./task.ts";

export interface BootCheckOptions {
  /** Of the start of this host; empty where the system does not tell, and then nothing is checked. */
  readonly bootId: string;
  /** What is wrong with the store; undefined when nothing is. */
  readonly check: (signal: AbortSignal | undefined) => Promise<string | undefined>;
  /** Default: 30 s, so that a worker that is started for a few jobs has nothing to do with it. */
  readonly afterMs?: number;
}

const NOTHING_DONE: TaskCounts = {};

export function checkAfterBoot({ bootId, check, afterMs = 30_000 }: BootCheckOptions): MaintenanceTask {
  let firstSeen: number | undefined;
  return {
    async runOnce({ store, clock, log, signal }: MaintenanceContext): Promise<TaskCounts> {
      firstSeen ??= clock.monotonic();
      if (bootId === "" || clock.monotonic() - firstSeen < afterMs) return NOTHING_DONE;
      const last = readBootCheck(store.folder);
      if (last?.boot_id === bootId && last.checked_at !== null) return NOTHING_DONE;
      const damage = await check(signal);
      if (signal?.aborted) return NOTHING_DONE;
      writeBootCheck(store.folder, { boot_id: bootId, checked_at: clock.now(), damage: damage ?? null });
      if (damage === undefined) log.info("database checked", { damage: "none" });
      else log.error("database damaged", { damage, hint: "queuectl doctor" });
      return { checked: 1 };
    },
  };
}
