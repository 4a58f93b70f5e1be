/** Whether tables, indexes and triggers are those of this program. @module */
import type { Check } from "../../care.ts";
import { type Driver, openDriver } from "../driver.ts";

/** Everything that a schema is made of: name -> the statement that makes it. */
export type SchemaObjects = ReadonlyMap<string, { readonly type: string; readonly sql: string }>;

export function schemaObjects(driver: Driver): SchemaObjects {
  const rows = driver.prepare("select name, type, sql from sqlite_schema where sql is not null").all();
  return new Map(
    rows.filter((row) => !String(row.name).startsWith("sqlite_"))
      .map((row) => [String(row.name), { type: String(row.type), sql: String(row.sql) }]),
  );
}

/** The schema as the migrations make it, in memory. */
export async function referenceSchema(migrateTo: (driver: Driver) => Promise<void>): Promise<SchemaObjects> {
  const driver = openDriver(":memory:", { busyTimeoutMs: 0 });
  try {
    await migrateTo(driver);
    return schemaObjects(driver);
  } finally {
    driver.close();
  }
}

/** Indexes and triggers can be made again from what is there; a table that is gone or different cannot. */
export function checkSchema(
  driver: Driver,
  wanted: SchemaObjects,
  make: ((sql: readonly string[]) => void) | undefined,
): Check {
  const name = "schema";
  const found = schemaObjects(driver);
  const wrong = [...wanted].filter(([object, { sql }]) => found.get(object)?.sql !== sql);
  if (wrong.length === 0) return { name, status: "ok", message: "Tables, indexes and triggers are as they should be" };
  const names = wrong.map(([object, { type }]) => `${type} ${object}`).join(", ");
  const missing = wrong.filter(([object, { type }]) => type !== "table" && !found.has(object));
  if (missing.length < wrong.length) {
    return {
      name,
      status: "error",
      message: `Not as this program made them: ${names}`,
      fix: "another program changed the database: queuectl doctor --salvage NEWFILE makes a right one of its rows",
      isFatal: true,
    };
  }
  const message = `Missing: ${names}`;
  if (make === undefined) return { name, status: "error", message, fix: "queuectl doctor --fix makes them anew" };
  make(missing.map(([, { sql }]) => sql));
  return { name, status: "ok", message: `${message}; made anew`, isFixed: true };
}
