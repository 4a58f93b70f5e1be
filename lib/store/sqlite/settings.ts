/** Settings in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import type { SettingStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import settingsSql from "./sql/settings.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteSettings(connection: Connection, clock: Clock): SettingStore {
  const sql = statements(connection.driver, settingsSql);
  return {
    all: () =>
      connection.read(
        "read settings",
        () => new Map(sql("all").all().map((row): [string, string] => [String(row.key), String(row.value)])),
      ),
    set: async (key, value) => {
      await connection.write("change a setting", () => sql("set").run(key, value, clock.now()));
    },
    unset: (key) => connection.write("remove a setting", () => sql("unset").run(key).changes > 0),
  };
}
