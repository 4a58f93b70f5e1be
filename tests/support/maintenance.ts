/**
 * What a maintenance task gets in a test: a store, its clock, settings as the
 * test says, and a log that is kept.
 * @module
 */
import { loadSettings } from "../../lib/config/load_settings.ts";
import type { SettingKey, SettingValues } from "../../lib/config/settings.ts";
import { textLogger } from "../../lib/log/logger.ts";
import type { MaintenanceContext } from "../../lib/maintenance/task.ts";
import type { TempStore } from "./temp_store.ts";

export interface TestMaintenance extends MaintenanceContext {
  /** Lines that were logged. */
  readonly lines: readonly string[];
}

/** `settings` as texts: `{ keep_dead: "1d" }`. */
export function maintenanceOf(
  { store, clock }: Pick<TempStore, "store" | "clock">,
  settings: Readonly<Partial<Record<SettingKey, string>>> = {},
): TestMaintenance {
  const lines: string[] = [];
  const values: Readonly<SettingValues> =
    loadSettings({ env: () => undefined, stored: new Map(Object.entries(settings)) }).values;
  return {
    store,
    clock,
    log: textLogger({ write: (line) => lines.push(line), level: () => "debug", now: () => clock.now() }),
    settings: () => values,
    lines,
  };
}
