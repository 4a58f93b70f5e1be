/**
 * Brings a database to the schema of this program: numbered steps, once, under
 * the write lock. A file of another program or of a newer queuectl is refused
 * and left as it is.
 * @module
 */
import { quotedPath, StoreUnavailableError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import type { Driver } from "./driver.ts";

/** "qctl": marks a SQLite file as ours. */
export const APPLICATION_ID = 0x7163746c;

/** The statements of one step. */
export type Migration = () => Promise<{ readonly default: string }>;

/** Loaded only when needed: most commands find the schema in place. */
export const MIGRATIONS: readonly Migration[] = [
  () => import("./migrations/001_initial.sql", { with: { type: "text" } }),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Whether the file is new, ours and current, or ours and older. */
export type SchemaState = "new" | "current" | "older";

/**
 * Reads the state in one transaction. Another process may create the schema at any moment, and marks read partly
 * before and partly after that commit look like those of another program.
 * @throws {StoreUnavailableError} for a file that is not ours, or newer than we are.
 */
export function schemaState(driver: Driver, path: string, known: number = SCHEMA_VERSION): SchemaState {
  const { version, application, isEmpty } = inTransaction(driver, () => ({
    version: pragma(driver, "user_version"),
    application: pragma(driver, "application_id"),
    isEmpty: driver.prepare("select 1 from sqlite_schema limit 1").get() === undefined,
  }));
  if (application === APPLICATION_ID) return stateOfVersion(version, path, known);
  if (application === 0 && version === 0 && isEmpty) return "new";
  throw new StoreUnavailableError(`Cannot use database ${quotedPath(path)}: it belongs to another program`, {
    hint: "give another path with --db",
  });
}

function stateOfVersion(version: number, path: string, known: number): SchemaState {
  if (version === known) return "current";
  if (version < known) return "older";
  throw new StoreUnavailableError(
    `Cannot use database ${
      quotedPath(path)
    }: it was written by a newer queuectl (schema ${version}, this one knows ${known})`,
    { hint: "update queuectl on this machine" },
  );
}

/** Runs reads that see one state of the file, in the caller's transaction when there is one. */
function inTransaction<T>(driver: Driver, work: () => T): T {
  if (driver.isTransaction) return work();
  driver.prepare("begin").run();
  try {
    return work();
  } finally {
    // Nothing was changed. SQLite may have ended the transaction by itself after an error.
    if (driver.isTransaction) driver.prepare("rollback").run();
  }
}

/** The value of a numeric pragma, read from the file each time. */
export function pragma(driver: Driver, name: "user_version" | "application_id" | "data_version"): number {
  return Number(Object.values(driver.prepare(`pragma ${name}`).get() ?? {})[0]);
}

/**
 * Applies what is missing, after a copy of what is there. Safe when several processes try at once: the second finds
 * it done. `migrations` are those of this program, unless a test has others.
 */
export async function migrate(connection: Connection, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const steps = await Promise.all(migrations.map((load) => load()));
  const { driver, path } = connection;
  const found = await connection.read("look at the schema", () => schemaState(driver, path, steps.length));
  const keep = found === "older" ? await import("./migration_backup.ts") : undefined;
  await connection.write("migrate the schema", () => {
    const state = schemaState(driver, path, steps.length);
    if (state === "current") return;
    const done = state === "new" ? 0 : pragma(driver, "user_version");
    if (state === "older") keep?.backupBeforeMigration(path, done);
    for (const step of steps.slice(done)) driver.exec(step.default);
    driver.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${steps.length}`);
  });
}
