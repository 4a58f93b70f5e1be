/** Queues in SQLite. @module */
import type { QueueStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import { queueFromRow } from "./rows.ts";
import queuesSql from "./sql/queues.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteQueues(connection: Connection): QueueStore {
  const sql = statements(connection.driver, queuesSql);
  return {
    list: () => connection.read("list queues", () => sql("list").all().map(queueFromRow)),
  };
}
