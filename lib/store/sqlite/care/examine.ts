/**
 * Looks at a SQLite database and all that belongs to it, from the file to the
 * rows. What is damaged is only looked at; each further check stands alone, so
 * that one that fails does not hide the others.
 * @module
 */
import type { Check } from "../../care.ts";
import { QueuectlError } from "../../../core/errors.ts";
import { exists } from "../copy.ts";
import { type Driver, openDriver } from "../driver.ts";
import { asStoreError } from "../errors.ts";
import { schemaState } from "../migrate.ts";
import { checkCounters } from "./check_counters.ts";
import {
  checkJournal,
  checkLeftOver,
  checkLog,
  checkOwner,
  checkPermissions,
  checkStopFile,
  type Place,
  refuseToMend,
} from "./check_files.ts";
import { checkIntegrity } from "./check_integrity.ts";
import { checkOutput } from "./check_output.ts";
import type { SchemaObjects } from "../schema.ts";
import { checkSchema } from "./check_schema.ts";

/** A worker's transaction lasts milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

export interface ExamineOptions {
  readonly fix: boolean;
  readonly now: number;
  /** The schema that is wanted. */
  readonly reference: () => Promise<SchemaObjects>;
}

export async function examine(path: string, options: ExamineOptions): Promise<Check[]> {
  const place: Place = { path, folder: `${path}.d`, fix: options.fix, now: options.now };
  let missing: Check | undefined;
  try {
    missing = checkPresence(place);
  } catch {
    missing = {
      name: "database",
      status: "error",
      message: `The database ${path} is out of reach: permission denied`,
      fix: "look at it as its owner, or as root",
      isFatal: true,
    };
  }
  if (missing !== undefined) return [missing];
  if (options.fix) refuseToMend(path);
  const checks: Check[] = [];
  const look = (name: string, check: () => Check | Check[]) => {
    try {
      checks.push(...[check()].flat());
    } catch (error) {
      checks.push(couldNot(name, error));
    }
  };
  look("owner", () => checkOwner(place));
  look("permissions", () => checkPermissions(place));
  look("left over", () => checkLeftOver(place));
  look("stop file", () => checkStopFile(place));
  const opened = openForLooking(path);
  if ("name" in opened) return [...checks, opened];
  const { driver, state } = opened;
  try {
    look("integrity", () => checkIntegrity(driver));
    // Nothing in a damaged file is to be believed, and nothing is to be written to it.
    if (checks.some(({ isFatal }) => isFatal)) return checks;
    look("log size", () => checkLog(place, () => checkpoint(path)));
    look("journal", () => checkJournal(driver, place, () => enterWal(path)));
    if (state === "older") return [...checks, OLDER];
    const wanted = await options.reference();
    const write = options.fix ? (work: (target: Driver) => void) => inTransaction(path, work) : undefined;
    look(
      "schema",
      () =>
        checkSchema(driver, wanted, write && ((sql) => write((target) => sql.forEach((text) => target.exec(text))))),
    );
    look("counters", () => checkCounters(driver, write));
    look("output files", () => checkOutput(driver, place.folder, place));
    return checks;
  } finally {
    driver.close();
  }
}

const OLDER: Check = {
  name: "schema",
  status: "warning",
  message: "The database was written by an older queuectl",
  fix: "any command that writes brings it up to date, after a backup",
};

function checkPresence({ path, folder }: Place): Check | undefined {
  const name = "database";
  if (exists(path)) return undefined;
  if (!exists(folder)) {
    return { name, status: "ok", message: `There is no database ${path} yet: the first job makes it` };
  }
  return {
    name,
    status: "error",
    message: `The database ${path} is gone, and its folder ${folder} is still there`,
    fix: "move the file back, or restore a backup: queuectl restore FILE",
    isFatal: true,
  };
}

/** Opens a database that has a schema. Read-only: even closing it as the last one changes nothing. */
function openForLooking(path: string): { readonly driver: Driver; readonly state: "current" | "older" } | Check {
  let driver: Driver | undefined;
  try {
    if (Deno.statSync(path).size === 0) return emptyFile(path);
    driver = openDriver(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: true });
    const state = schemaState(driver, path);
    if (state !== "new") return { driver, state };
    // Another process is about to create the schema, or died before it did.
    driver.close();
    return emptyFile(path);
  } catch (error) {
    driver?.close();
    const known = asStoreError(error, path);
    const hint = known instanceof QueuectlError ? known.hint : undefined;
    return { ...couldNot("database", known), isFatal: true, ...(hint === undefined ? {} : { fix: hint }) };
  }
}

function emptyFile(path: string): Check {
  return { name: "database", status: "ok", message: `${path} is empty: the first job makes a database of it` };
}

function couldNot(name: string, error: unknown): Check {
  return { name, status: "error", message: error instanceof Error ? error.message : String(error) };
}

function inTransaction(path: string, work: (driver: Driver) => void): void {
  const driver = openDriver(path, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    driver.prepare("begin immediate").run();
    work(driver);
    driver.prepare("commit").run();
  } finally {
    driver.close();
  }
}

function checkpoint(path: string): boolean {
  const driver = openDriver(path, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    return driver.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } finally {
    driver.close();
  }
}

function enterWal(path: string): boolean {
  const driver = openDriver(path, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    return driver.prepare("pragma journal_mode = wal").get()?.journal_mode === "wal";
  } finally {
    driver.close();
  }
}
