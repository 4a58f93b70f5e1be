/** Whether tables, indexes and triggers are those of this program, and no others. @module */
import type { Check } from "../../care.ts";
import type { Driver } from "../driver.ts";
import { foreignObjects, type SchemaObjects, schemaObjects } from "../schema.ts";

/** Indexes and triggers can be made again from what is there; a table that is gone or different cannot. */
export function checkSchema(
  driver: Driver,
  wanted: SchemaObjects,
  make: ((sql: readonly string[]) => void) | undefined,
): Check {
  const name = "schema";
  const found = schemaObjects(driver);
  const foreign = foreignObjects(found, wanted);
  if (foreign.length > 0) {
    return {
      name,
      status: "error",
      message: `Not as this program made them: ${foreign.join(", ")}`,
      fix: "another program changed the database: queuectl doctor --salvage NEWFILE makes a right one of its rows",
      isFatal: true,
    };
  }
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
