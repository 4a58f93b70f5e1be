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
const MIGRATIONS: readonly Migration[] = [
  () => import("./migrations/001_initial.sql", { with: { type: "text" } }),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Whether the file is new, ours and current, or ours and older. */
export type SchemaState = "new" | "current" | "older";

/** @throws {StoreUnavailableError} for a file that is not ours, or newer than we are. */
export function schemaState(driver: Driver, path: string, known: number = SCHEMA_VERSION): SchemaState {
  const version = pragma(driver, "user_version");
  const application = pragma(driver, "application_id");
  if (application === APPLICATION_ID) return stateOfVersion(version, path, known);
  if (application === 0 && version === 0 && isEmpty(driver)) return "new";
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

function isEmpty(driver: Driver): boolean {
  return driver.prepare("select 1 from sqlite_schema limit 1").get() === undefined;
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
  const isOlder = schemaState(driver, path, steps.length) === "older";
  const keep = isOlder ? await import("./migration_backup.ts") : undefined;
  await connection.write("migrate the schema", () => {
    const state = schemaState(driver, path, steps.length);
    if (state === "current") return;
    const done = state === "new" ? 0 : pragma(driver, "user_version");
    if (state === "older") keep?.backupBeforeMigration(path, done);
    for (const step of steps.slice(done)) driver.exec(step.default);
    driver.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${steps.length}`);
  });
}
