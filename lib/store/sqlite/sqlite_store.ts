/**
 * Opens a SQLite file as a Store.
 *
 * What must stay true: a file that is not ours, is damaged, or was written by a
 * newer version is never changed; reading makes no file and no schema; new
 * files are for their owner only.
 * @module
 */
import { dirname } from "@std/path/posix/dirname";
import { quotedPath, StoreUnavailableError } from "../../core/errors.ts";
import { namesObjection, type Objection, ownershipOf } from "../../host/ownership.ts";
import type { OpenStoreOptions } from "../open_store.ts";
import type { JobStore, Store } from "../store.ts";
import { auditRecorder, sqliteAudit } from "./audit.ts";
import { sqliteBatches } from "./batches.ts";
import { changesOf } from "./change.ts";
import { BLOCKING_WAIT_MS, Connection } from "./connection.ts";
import { type Driver, openDriver } from "./driver.ts";
import { asStoreError, isBusy } from "./errors.ts";
import { identityOf, notedIdentity } from "./identity.ts";
import { jobStatements } from "./job_statements.ts";
import { sqliteEnqueue } from "./enqueue.ts";
import { lazyPart, lazyRest } from "./lazy_part.ts";
import { migrate, pragma, SCHEMA_VERSION, schemaState } from "./migrate.ts";
import { refuseForeignSchema } from "./schema.ts";
import { sqliteSettings } from "./settings.ts";
import { sqliteWake } from "./wake.ts";
import { writeLockHolder } from "./write_lock.ts";

/** Longer than a slow transaction of somebody else, shorter than a person's patience. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Every change of a job runs a trigger, and for such a statement SQLite keeps a journal so that it could be taken
 * back alone. In a file that is 11 writes for each new job, half of its time; in memory it is none.
 */
const WRITE_PRAGMAS = "pragma temp_store = memory; pragma synchronous = full";

/**
 * Workers write the same few pages again and again: copying them back into the
 * file every 16 MB of log instead of every 4 saves a tenth of a claim and its result.
 */
const WORK_PRAGMAS = "pragma temp_store = memory; pragma synchronous = normal; pragma wal_autocheckpoint = 4000";

/** @throws {StoreUnavailableError} */
export async function openSqliteStore(path: string, options: OpenStoreOptions): Promise<Store> {
  const { mode, clock } = options;
  const found = fileAt(path);
  judgeOwnership(path, options);
  // Nothing there yet: a reader sees an empty queue, and the disk stays as it was.
  if (found === undefined && mode === "read") return await emptyStore(path, options);
  if (found === undefined) {
    createFile(path);
    // Somebody else may have been quicker.
    judgeOwnership(path, options);
  }
  // SQLite takes a single byte for an empty database and would write over it.
  if (found?.size === 1) throw unusable(path, "it is not a queuectl database");
  const connection = open(path, options);
  try {
    // Waits for the lock: another process may be entering WAL mode, or closing as the last one.
    const state = await connection.read("look at the schema", () => schemaState(connection.driver, path));
    if (mode === "read") {
      if (state === "new") {
        connection.close();
        return await emptyStore(path, options);
      }
      if (state === "older") throw olderSchema(path);
      connection.driver.exec("pragma query_only = 1");
    } else {
      if (state === "new") await enterWalMode(connection);
      else {
        await refuseForeignSchema(connection.driver, path, pragma(connection.driver, "user_version"));
        leaveSafekeeping(connection);
      }
      if (state !== "current") await migrate(connection);
      connection.driver.exec(mode === "work" ? WORK_PRAGMAS : WRITE_PRAGMAS);
    }
    const identity = fileAt(path);
    const noted = notedIdentity(connection.driver, path);
    const id = mode === "read" || noted.kind === "own" ? noted.id : await identityOf(connection, path);
    return await composed(connection, path, {
      mode,
      clock,
      actor: options.actor,
      identity: mode === "read" && noted.kind === "copy" ? "" : id,
      isCopy: mode === "read" && noted.kind === "copy",
      isSame: () => {
        try {
          const now = fileAt(path);
          return now !== undefined && now.ino === identity?.ino && now.dev === identity.dev &&
            pragma(connection.driver, "user_version") === SCHEMA_VERSION;
        } catch (error) {
          // Locked is no sign of change; what can no longer be read is not what was opened.
          return isBusy(error);
        }
      },
    });
  } catch (error) {
    connection.close();
    throw asStoreError(error, path);
  }
}

/** Reading what is not ours alone is allowed, with a warning. */
function judgeOwnership(path: string, { mode, alias, onWarning }: OpenStoreOptions): void {
  const ownership = ownershipOf(path, alias);
  const objection = ownership.objection ?? namesObjection(path);
  if (mode === "read") {
    if (objection !== undefined) {
      onWarning?.(`do not rely on what database ${quotedPath(path)} says: ${objection.reason}`);
    }
    return;
  }
  if (objection !== undefined) throw refused(path, objection);
  ownership.takeModesBack();
}

/** The error for a database that others have a hand in. */
export function refused(path: string, { reason, hint }: Objection): StoreUnavailableError {
  return new StoreUnavailableError(`Cannot use database ${quotedPath(path)}: ${reason}`, { hint });
}

interface Composition extends Pick<OpenStoreOptions, "mode" | "clock" | "actor"> {
  readonly identity: string;
  /** Its rows are those of another file, and it is not ours to change. */
  readonly isCopy: boolean;
  readonly isSame: () => boolean;
}

async function composed(
  connection: Connection,
  path: string,
  { mode, clock, actor, identity, isCopy, isSame }: Composition,
): Promise<Store> {
  const folder = `${path}.d`;
  const wake = sqliteWake(folder);
  const sql = jobStatements(connection.driver);
  const record = auditRecorder(connection, { clock, actor });
  const changes = changesOf(connection, { sql, clock, wake });
  const enqueue = sqliteEnqueue({ sql, record, changes });
  const loadJobs = async () =>
    (await import("./jobs.ts")).sqliteJobs(connection, { sql, clock, wake, record, changes, enqueue });
  return {
    location: path,
    identity,
    folder,
    wake,
    // A worker claims thousands in a second: nothing may stand between.
    jobs: mode === "work" ? await loadJobs() : jobsOfCommand(enqueue, loadJobs),
    queues: lazyPart(async () => (await import("./queues.ts")).sqliteQueues(connection, { sql, clock, wake, record })),
    batches: sqliteBatches(connection, { sql, clock, wake, record }),
    templates: lazyPart(async () => (await import("./templates.ts")).sqliteTemplates(connection, { clock, record })),
    settings: sqliteSettings(connection, { clock, record }),
    audit: sqliteAudit(connection),
    history: lazyPart(async () => (await import("./history.ts")).sqliteHistory(connection)),
    workers: lazyPart(async () => (await import("./workers.ts")).sqliteWorkers(connection, { clock, isCopy })),
    pools: lazyPart(async () => (await import("./pools.ts")).sqlitePools(connection, { clock, record })),
    maintenance: lazyPart(async () => (await import("./maintenance.ts")).sqliteMaintenance(connection, clock)),
    leases: lazyPart(async () => (await import("./leases.ts")).sqliteLeases(connection, clock)),
    blocker: () => writeLockHolder(path),
    isSame,
    close: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

/** Adds jobs as it is, and loads the rest when it is asked for. */
function jobsOfCommand(enqueue: JobStore["enqueue"], load: () => Promise<JobStore>): JobStore {
  const pages: JobStore["pages"] = async function* (listing) {
    yield* (await load()).pages(listing);
  };
  return lazyRest<JobStore, "enqueue" | "pages">({ enqueue, pages }, load);
}

/** Memory behaves like a queue that nobody has used yet. */
async function emptyStore(path: string, { clock }: OpenStoreOptions): Promise<Store> {
  const connection = new Connection(openDriver(":memory:", { busyTimeoutMs: 0 }), { path, busyTimeoutMs: 0 });
  await migrate(connection);
  // What is written here would be lost without a word.
  connection.driver.exec("pragma query_only = 1");
  return await composed(connection, path, {
    mode: "read",
    clock,
    identity: "",
    isCopy: false,
    isSame: () => isNothing(path),
  });
}

function open(path: string, options: OpenStoreOptions): Connection {
  let driver: Driver;
  try {
    driver = openDriver(path, { busyTimeoutMs: BLOCKING_WAIT_MS });
  } catch (error) {
    throw asStoreError(error, path);
  }
  return new Connection(driver, { path, busyTimeoutMs: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS });
}

/**
 * A backup that somebody copied here is in a mode in which readers lock out writers. When others use it already it
 * stays so until nobody does: `doctor` tells.
 */
function leaveSafekeeping({ driver }: Connection): void {
  if (driver.prepare("pragma journal_mode").get()?.journal_mode === "wal") return;
  try {
    driver.prepare("pragma journal_mode = wal").get();
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Stays in the file. Only where nobody else can be writing yet, or it would have to wait for them. */
async function enterWalMode(connection: Connection): Promise<void> {
  await connection.exclusive("enter WAL mode", () => connection.driver.prepare("pragma journal_mode = wal").get());
}

function fileAt(path: string): Deno.FileInfo | undefined {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unusable(path, reasonOf(error), error);
  }
  if (info.isDirectory) throw unusable(path, "it is a directory");
  // A pipe or a device: some give bytes without end, or wait for ever.
  if (!info.isFile) throw unusable(path, "it is no regular file");
  return info;
}

/** No file, or one without a byte, which is the same to us. */
function isNothing(path: string): boolean {
  try {
    return (fileAt(path)?.size ?? 0) === 0;
  } catch {
    // Something else is in its place now.
    return false;
  }
}

/** Made by us, so that its mode is ours; SQLite gives the same mode to the files beside it. */
function createFile(path: string): void {
  const folder = dirname(path);
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return;
    throw unusable(path, reasonOf(error), error);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotADirectory) return "a part of its path is not a directory";
  const message = error instanceof Error ? error.message : String(error);
  if (/ENOSPC|No space left/.test(message)) return "the disk is full";
  if (/EROFS|Read-only file system/.test(message)) return "the file system is read-only";
  return message;
}

function unusable(path: string, reason: string, cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`Cannot use database ${quotedPath(path)}: ${reason}`, {
    hint: "give another path with --db",
    cause,
  });
}

function olderSchema(path: string): StoreUnavailableError {
  return new StoreUnavailableError(`Cannot read database ${quotedPath(path)}: it was written by an older queuectl`, {
    hint: "queuectl worker run --drain, or any other command that writes, brings it up to date",
  });
}
