/**
 * The lock that proves that a worker lives: held from registration to the end
 * of the process, freed by the kernel at once when it dies, however it dies.
 *
 * Whoever can take the lock of another knows that it is gone, and while holding
 * it is alone in cleaning up after it.
 * @module
 */
import { NotAFileError, openExisting, openOwnFile } from "./own_file.ts";
import { removeSpareFiles } from "./spare_files.ts";
import { GroupRecords, readGroups, type RecordedGroup } from "./group_records.ts";

export interface WorkerLock {
  /** The file in which groups are noted. */
  readonly groupsPath: string;
  /** What the names of the worker's spare files begin with. */
  readonly sparesBase: string;
  /** Notes a process group that was started, for those who clean up after us. */
  record(claim: number, pgid: number): void;
  /** The group has ended. */
  forget(pgid: number): void;
  release(): void;
  /** Lets go of the lock, and leaves the files to rescue: a group that was recorded still runs. */
  abandon(): void;
}

/** The lock of a worker that is gone, in the hands of the one who cleans up. */
export interface TakenLock {
  /** What it noted. */
  readonly groups: readonly RecordedGroup[];
  /** Removes the files: the worker has left nothing behind any more. */
  remove(): void;
  /** Leaves the files to whoever looks next. */
  release(): void;
}

const LOCK_NAME = /^worker-(.+)\.lock$/;

export function takeWorkerLock(runFolder: string, workerId: string): WorkerLock {
  const path = workerLockPath(runFolder, workerId);
  let lock: Deno.FsFile | undefined;
  // Between making the file and locking it, somebody who cleans up may have taken it for a left one and removed it.
  while (lock === undefined) lock = lockNew(path);
  const records = new GroupRecords(recordPath(runFolder, workerId));
  return {
    groupsPath: recordPath(runFolder, workerId),
    sparesBase: sparesBase(runFolder, workerId),
    record: (claim, pgid) => records.add(claim, pgid),
    forget: (pgid) => records.remove(pgid),
    release() {
      records.close();
      removeQuietly(recordPath(runFolder, workerId));
      removeQuietly(path);
      lock.close();
    },
    abandon() {
      records.close();
      lock.close();
    },
  };
}

/**
 * `held`: its owner lives. `missing`: there is no such file. `foreign`: it belongs to a user whose files we may not
 * open, and tells nothing. Else the lock is the caller's.
 */
export function tryWorkerLock(runFolder: string, workerId: string): TakenLock | "held" | "missing" | "foreign" {
  const path = workerLockPath(runFolder, workerId);
  let lock: Deno.FsFile;
  try {
    lock = openExisting(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "missing";
    if (error instanceof Deno.errors.PermissionDenied || error instanceof NotAFileError) return "foreign";
    throw error;
  }
  if (!lock.tryLockSync(true)) {
    lock.close();
    return "held";
  }
  return {
    groups: groupsOf(lock, recordPath(runFolder, workerId)),
    remove() {
      removeSpareFiles(sparesBase(runFolder, workerId));
      removeQuietly(recordPath(runFolder, workerId));
      removeQuietly(path);
      lock.close();
    },
    release: () => lock.close(),
  };
}

/** Lets go of the lock when they cannot be read: a lock that nobody knows of would be held until this process ends. */
function groupsOf(lock: Deno.FsFile, path: string): RecordedGroup[] {
  try {
    return readGroups(path);
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Whether somebody holds the lock of this worker at this moment. Takes nothing: others who look see no holder. */
export function isWorkerLockHeld(runFolder: string, workerId: string): boolean {
  return workerLockState(runFolder, workerId) === "held";
}

/** `foreign`: out of reach, which tells nothing either way. */
export function workerLockState(runFolder: string, workerId: string): "held" | "free" | "missing" | "foreign" {
  let file: Deno.FsFile;
  try {
    file = openExisting(workerLockPath(runFolder, workerId), { read: true });
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "missing" : "foreign";
  }
  // Not `using`: see refuseLostUsing() of tools/compile/pack.ts.
  try {
    // Shared, so that two who look do not take each other for the worker.
    return file.tryLockSync(false) ? "free" : "held";
  } finally {
    file.close();
  }
}

/** Removes the files of workers that are neither alive nor registered: there is nothing to clean up after them. */
export function removeStaleLocks(runFolder: string, registered: ReadonlySet<string>): number {
  let removed = 0;
  for (const { name } of Deno.readDirSync(runFolder)) {
    const id = LOCK_NAME.exec(name)?.[1];
    if (id === undefined || registered.has(id)) continue;
    const lock = tryWorkerLock(runFolder, id);
    if (typeof lock === "string") continue;
    lock.remove();
    removed++;
  }
  return removed;
}

function lockNew(path: string): Deno.FsFile | undefined {
  const file = openOwnFile(path, { read: true, write: true });
  if (file.tryLockSync(true) && isAt(path, file)) return file;
  file.close();
  return undefined;
}

/** Whether the open file is still the one with this name. */
function isAt(path: string, file: Deno.FsFile): boolean {
  try {
    const [named, opened] = [Deno.lstatSync(path), file.statSync()];
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch {
    return false;
  }
}

export function workerLockPath(runFolder: string, workerId: string): string {
  return `${runFolder}/worker-${workerId}.lock`;
}

function sparesBase(runFolder: string, workerId: string): string {
  return `${runFolder}/worker-${workerId}`;
}

function recordPath(runFolder: string, workerId: string): string {
  return `${runFolder}/worker-${workerId}.groups`;
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The folder went away under us, or there was nothing to record.
  }
}
