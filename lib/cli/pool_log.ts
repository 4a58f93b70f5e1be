/**
 * What the processes of a pool have in common: the log that all of them write.
 * @module
 */
import { loadSettings, type Settings } from "../config/load_settings.ts";
import type { SettingValues } from "../config/settings.ts";
import { type FileLogger, fileLogger } from "../log/file_logger.ts";
import { type LogRole, poolLogName } from "../log/log_entry.ts";
import type { Store } from "../store/mod.ts";
import type { Context } from "./context.ts";

export interface PoolLog {
  readonly log: FileLogger;
  /** As last read. */
  settings(): Readonly<SettingValues>;
  /** Reads the settings anew, log_level among them. */
  reloadSettings(): Promise<Settings>;
}

export function openPoolLog(context: Context, store: Store, { pool, role }: { pool: string; role: LogRole }): PoolLog {
  // The defaults alone at first: a setting that is refused must find a log that can tell.
  let values = loadSettings({ env: () => undefined, stored: new Map() }).values;
  const log = fileLogger({
    path: `${store.folder}/logs/${poolLogName(pool)}`,
    pool,
    role,
    pid: Deno.pid,
    level: () => values.log_level,
    now: () => context.clock.now(),
  });
  return {
    log,
    settings: () => values,
    async reloadSettings() {
      const settings = loadSettings({ env: context.env, stored: await store.settings.all() });
      values = settings.values;
      return settings;
    },
  };
}
