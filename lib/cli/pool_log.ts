/**
 * The log that all processes of a pool share, at the level that the settings
 * ask for.
 * @module
 */
import { loadSettings } from "../config/load_settings.ts";
import type { SettingValues } from "../config/settings.ts";
import { type FileLogger, fileLogger } from "../log/file_logger.ts";
import { type LogRole, poolLogName } from "../log/log_entry.ts";
import type { Store } from "../store/mod.ts";
import type { Context } from "./context.ts";

/** The log that all processes of a pool share. */
export function openPoolLog(context: Context, store: Store, { pool, role }: { pool: string; role: LogRole }): {
  log: FileLogger;
  /** As last read. */
  settings: () => Readonly<SettingValues>;
  /** Reads the settings anew, log_level among them. */
  reloadSettings: () => Promise<Awaited<ReturnType<Context["settings"]>>>;
} {
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
  const reloadSettings = async () => {
    const settings = loadSettings({ env: context.env, stored: await store.settings.all() });
    values = settings.values;
    return settings;
  };
  return { log, settings: () => values, reloadSettings };
}
