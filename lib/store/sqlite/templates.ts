/** Templates in SQLite. @module */
import type { Clock } from "../../core/clock.ts";
import { ConflictError, NotFoundError, quoted } from "../../core/errors.ts";
import type { Template, WrittenFields } from "../../core/template.ts";
import type { TemplateStore } from "../store.ts";
import type { Record } from "./audit.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import templatesSql from "./sql/templates.sql" with { type: "text" };
import { statements } from "./statements.ts";

export function sqliteTemplates(
  connection: Connection,
  { clock, record }: { clock: Clock; record: Record },
): TemplateStore {
  const sql = statements(connection.driver, templatesSql);
  const missing = (name: string) =>
    new NotFoundError(`No template ${quoted(name)}`, { hint: "queuectl template list" });
  const find = (name: string) => {
    const row = sql("find").get(name);
    if (row === undefined) throw missing(name);
    return templateFromRow(row);
  };
  return {
    list: () => connection.read("list templates", () => sql("list").all().map(templateFromRow)),
    find: (name) => connection.read("find a template", () => find(name)),
    put: (name, job, { replace }) =>
      connection.write("write a template", () => {
        if (!replace && sql("find").get(name) !== undefined) {
          throw new ConflictError(`Cannot create template ${quoted(name)}: the name is in use`, {
            hint: "--replace replaces it",
          });
        }
        sql("put").run(name, JSON.stringify(job), clock.now());
        record("template create", name);
        return find(name);
      }),
    remove: async (name) => {
      await connection.write("remove a template", () => {
        if (sql("remove").run(name).changes === 0) throw missing(name);
        record("template remove", name);
      });
    },
  };
}

function templateFromRow(row: Row): Template {
  return {
    name: String(row.name),
    job: JSON.parse(String(row.job)) as WrittenFields,
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  };
}
