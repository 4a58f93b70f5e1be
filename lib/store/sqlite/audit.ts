/**
 * Who did what, in SQLite. An entry is written in the transaction of the change
 * that it tells of, so that neither is there without the other.
 * @module
 */
import type { Clock } from "../../core/clock.ts";
import type { Actor, AuditStore } from "../store.ts";
import type { Connection } from "./connection.ts";
import auditSql from "./sql/audit.sql" with { type: "text" };
import { statements } from "./statements.ts";

/** Writes an entry; called inside the transaction of the change. */
export type Record = (action: string, target?: string | null, detail?: string | null) => void;

export function auditRecorder(
  connection: Connection,
  { clock, actor }: { clock: Clock; actor: Actor | undefined },
): Record {
  if (actor === undefined) return () => {};
  const sql = statements(connection.driver, auditSql);
  return (action, target = null, detail = null) => {
    sql("insert").run(clock.now(), actor.user, actor.host, actor.pid, action, target, detail);
  };
}

/** Many names in one entry are cut: the entry tells what was done, the jobs tell the rest. */
const MAX_NAMES = 20;

/** Several ids as one text. */
export function namesOf(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_NAMES).join(" ");
  return ids.length > MAX_NAMES ? `${shown} and ${ids.length - MAX_NAMES} more` : shown;
}

export function sqliteAudit(connection: Connection): AuditStore {
  const sql = statements(connection.driver, auditSql);
  return {
    list: ({ since = 0, limit = Number.MAX_SAFE_INTEGER }) =>
      connection.read("list the audit", () =>
        sql("list").all(since, limit).map((row) => ({
          at: Number(row.at),
          user: String(row.user),
          host: String(row.host),
          pid: Number(row.pid),
          action: String(row.action),
          target: row.target === null || row.target === undefined ? null : String(row.target),
          detail: row.detail === null || row.detail === undefined ? null : String(row.detail),
        }))),
    prune: (before, limit) => connection.write("prune the audit", () => sql("prune").run(before, limit).changes),
  };
}
