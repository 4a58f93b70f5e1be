/** Queues in SQLite. @module */
import { ConflictError, NotFoundError, quoted } from "../../core/errors.ts";
import type { QueueStore, WakeUp } from "../store.ts";
import type { Record } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { queueFromRow } from "./rows.ts";
import queuesSql from "./sql/queues.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteQueues(connection: Connection, { wake, record }: { wake: WakeUp; record: Record }): QueueStore {
  const sql = statements(connection.driver, queuesSql);
  const missing = (name: string) => new NotFoundError(`No queue ${quoted(name)}`, { hint: "queuectl queue list" });
  return {
    list: () => connection.read("list queues", () => sql("list").all().map(queueFromRow)),
    setPaused: async (name, isPaused) => {
      await connection.write("pause or resume a queue", () => {
        if (sql("set_paused").run(isPaused ? 1 : 0, name).changes === 0) throw missing(name);
        record(isPaused ? "queue pause" : "queue resume", name);
      });
      if (!isPaused) wake.poke();
    },
    remove: async (name) => {
      await connection.write("remove a queue", () => {
        const unfinished = Number(sql("unfinished").get(name)?.n ?? 0);
        if (unfinished > 0) {
          throw new ConflictError(`Cannot remove queue ${quoted(name)}: it holds ${unfinished} unfinished jobs`, {
            hint: `queuectl queue clear ${name}`,
          });
        }
        if (sql("remove").run(name).changes === 0) throw missing(name);
        record("queue remove", name);
      });
    },
  };
}
