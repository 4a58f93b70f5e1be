/** Settings in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import type { SettingStore } from "../store.ts";
import type { Record } from "./audit.ts";
import type { Connection } from "./connection.ts";
import settingsSql from "./sql/settings.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteSettings(
  connection: Connection,
  { clock, record }: { clock: Clock; record: Record },
): SettingStore {
  const sql = statements(connection.driver, settingsSql);
  return {
    all: () =>
      connection.read(
        "read settings",
        () => new Map(sql("all").all().map((row): [string, string] => [String(row.key), String(row.value)])),
      ),
    set: async (key, value) => {
      await connection.write("change a setting", () => {
        sql("set").run(key, value, clock.now());
        record("config set", key);
      });
    },
    unset: (key) =>
      connection.write("remove a setting", () => {
        const wasSet = sql("unset").run(key).changes > 0;
        if (wasSet) record("config unset", key);
        return wasSet;
      }),
  };
}
