/** Duties that one process at a time holds, in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import type { LeaseHolder, LeaseStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import leasesSql from "./sql/leases.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteLeases(connection: Connection, clock: Clock): LeaseStore {
  const sql = statements(connection.driver, leasesSql);
  return {
    get: (name) =>
      connection.read("look at a lease", () => {
        const row = sql("get").get(name);
        if (row === undefined) return undefined;
        const holder = JSON.parse(String(row.data)) as Omit<LeaseHolder, "id">;
        return { holder: { ...holder, id: String(row.holder) }, beat: Number(row.beat) };
      }),
    take: (name, { id, ...holder }, seen) =>
      connection.write("take a lease", () => {
        const data = JSON.stringify(holder);
        const { changes } = seen === undefined
          ? sql("take_free").run(name, id, data, clock.now())
          : sql("take_over").run(id, data, clock.now(), name, seen.holder.id, seen.beat);
        return changes > 0;
      }),
    beat: (name, holderId) =>
      connection.write("keep a lease", () => sql("beat").run(clock.now(), name, holderId).changes > 0),
    release: async (name, holderId) => {
      await connection.write("release a lease", () => sql("release").run(name, holderId));
    },
  };
}
