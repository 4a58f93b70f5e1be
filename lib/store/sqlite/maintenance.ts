/** What maintenance last did, in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import type { MaintenanceStore } from "../maintenance_store.ts";
import type { Connection } from "./connection.ts";
import maintenanceSql from "./sql/maintenance.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteMaintenance(connection: Connection, clock: Clock): MaintenanceStore {
  const sql = statements(connection.driver, maintenanceSql);
  return {
    record: async (task, { counts, error }) => {
      await connection.write("note what maintenance did", () => {
        sql("record").run(task, clock.now(), JSON.stringify(counts), error);
      });
    },
    recovered: async (task) => {
      await connection.write("note that maintenance goes well", () => sql("recovered").run(task));
    },
    list: () =>
      connection.read("list what maintenance did", () =>
        sql("list").all().map((row) => ({
          task: String(row.task),
          at: Number(row.at),
          counts: JSON.parse(String(row.counts)) as Record<string, number>,
          error: row.error == null ? null : String(row.error),
        }))),
  };
}
