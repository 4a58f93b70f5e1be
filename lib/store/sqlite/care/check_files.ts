/** The file and what lies beside it: who may read it, how long its log is, what was left over. @module */
import { dirname } from "@std/path/posix/dirname";
import { infoOf, namesObjection, ownershipOf, restoreMode } from "../../../host/ownership.ts";
import type { Check } from "../../care.ts";
import { exists } from "../copy.ts";
import type { Driver } from "../driver.ts";
import { refused } from "../sqlite_store.ts";

/** Workers bring the log into the file every 16 MB; four times that means that somebody keeps them from it. */
const LONG_LOG_BYTES = 64 * 1024 * 1024;

/** A copy under way is younger; what is older was left by a process that was killed. */
const LEFT_OVER_MS = 60 * 60_000;

const MEBIBYTE = 1024 * 1024;

export interface Place {
  readonly path: string;
  readonly folder: string;
  readonly fix: boolean;
  readonly now: number;
}

/** Job commands and their environment are nobody else's business. What is a link or not ours is `checkOwner`'s. */
export function checkPermissions({ path, folder, fix }: Place): Check {
  const name = "permissions";
  const open = [
    ...["", "-wal", "-shm"].map((ending) => ({ file: path + ending, wanted: 0o600 })),
    ...foldersIn(folder).map((file) => ({ file, wanted: 0o700 })),
  ].filter(({ file, wanted }) => isOpen(file, wanted));
  if (open.length === 0) return { name, status: "ok", message: "Only the owner may read the database and its folder" };
  const first = open[0]!;
  const others = open.length === 1 ? "" : ` and ${open.length - 1} more`;
  const message = `Others may use ${first.file} (mode ${modeOf(first.file).toString(8)})${others}`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix takes that right away" };
  for (const { file, wanted } of open) restoreMode(file, wanted);
  if (!open.some(({ file, wanted }) => isOpen(file, wanted))) {
    return { name, status: "ok", message: `${message}; no longer`, isFixed: true };
  }
  return { name, status: "warning", message: `${message}, and that cannot be changed`, fix: "chmod as its owner" };
}

function isOpen(file: string, wanted: number): boolean {
  const info = infoOf(file);
  return info !== undefined && !info.isSymlink && ((info.mode ?? 0) & 0o777 & ~wanted) !== 0;
}

/** A database in which others have a hand is not worked on: what they write there is run as this user. */
export function checkOwner({ path }: Place): Check {
  const name = "owner";
  const objection = ownershipOf(path).objection ?? namesObjection(path);
  // That is told by the check of permissions, and mended by it.
  if (objection === undefined || objection.kind === "mode") {
    return { name, status: "ok", message: "The database is this user's" };
  }
  return { name, status: "warning", message: `Cannot use the database: ${objection.reason}`, fix: objection.hint };
}

/**
 * Mending changes modes and removes files: not on the word of what another user put there.
 * @throws {StoreUnavailableError} unless all that is wrong are modes, which mending takes back.
 */
export function refuseToMend(path: string): void {
  const objection = ownershipOf(path).objection ?? namesObjection(path);
  if (objection !== undefined && objection.kind !== "mode") throw refused(path, objection);
}

export function checkLog({ path, fix }: Place, checkpoint: () => boolean): Check {
  const name = "log size";
  const bytes = sizeOf(`${path}-wal`);
  const size = `The write-ahead log has ${(bytes / MEBIBYTE).toFixed(1)} MiB`;
  if (bytes < LONG_LOG_BYTES) return { name, status: "ok", message: size };
  const message = `${size}: some process has been reading for long, or all were killed`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix brings it into the database" };
  if (!checkpoint()) {
    return { name, status: "warning", message: `${message}, and still is`, fix: "stop the workers, then run it again" };
  }
  return { name, status: "ok", message: `${message}; it is in the database now`, isFixed: true };
}

/** A copy of a backup that was put here by hand is not: readers and writers would wait for each other. */
export function checkJournal(driver: Driver, { fix }: Place, enterWal: () => boolean): Check {
  const name = "journal";
  const mode = String(driver.prepare("pragma journal_mode").get()?.journal_mode);
  if (mode === "wal") return { name, status: "ok", message: "The database is in WAL mode" };
  const message = `The database is in journal mode ${mode}, in which reading and writing wait for each other`;
  if (fix && enterWal()) return { name, status: "ok", message: `${message}; it is in WAL mode now`, isFixed: true };
  return { name, status: "warning", message, fix: "stop the workers, then: queuectl doctor --fix" };
}

/** Halves of copies whose maker was killed, and the mark that tells workers to stop. */
export function checkLeftOver({ path, folder, fix, now }: Place): Check {
  const name = "left over";
  const isPart = (file: string) => /\.\d+\.(?:partial|staging)(?:-wal|-shm|-journal)?$/.test(file);
  const parts = [...filesBeside(path), ...filesIn(`${folder}/backups`)].filter((file) =>
    isPart(file) && isOld(file, now)
  );
  if (parts.length === 0) return { name, status: "ok", message: "Nothing was left by copies that did not end" };
  const message = `${parts.length} files were left by copies that did not end (${parts[0]})`;
  if (!fix) return { name, status: "warning", message, fix: "queuectl doctor --fix removes them" };
  for (const part of parts) Deno.removeSync(part);
  return { name, status: "ok", message: `${message}; they were removed`, isFixed: true };
}

export function checkStopFile({ folder }: Place): Check {
  const name = "stop file";
  const file = `${folder}/.stop_workers`;
  if (!exists(file)) return { name, status: "ok", message: "Workers may start" };
  return {
    name,
    status: "warning",
    message: `${file} tells all workers to stop, and none will start`,
    fix: `rm ${file}`,
  };
}

function foldersIn(folder: string): string[] {
  if (!exists(folder)) return [];
  const below = [...Deno.readDirSync(folder)].filter((entry) => entry.isDirectory).map(({ name }) =>
    `${folder}/${name}`
  );
  return [folder, ...below];
}

function filesIn(folder: string): string[] {
  if (!exists(folder)) return [];
  return [...Deno.readDirSync(folder)].filter((entry) => entry.isFile).map(({ name }) => `${folder}/${name}`);
}

function filesBeside(path: string): string[] {
  const folder = dirname(path);
  return filesIn(folder).filter((file) => file.startsWith(`${path}.`));
}

function isOld(file: string, now: number): boolean {
  const changed = infoOf(file)?.mtime?.getTime() ?? now;
  return now - changed > LEFT_OVER_MS;
}

/** 0, open to nobody, for a file that is gone: the last process that closes a database removes its log. */
function modeOf(file: string): number {
  try {
    return (infoOf(file)?.mode ?? 0) & 0o7777;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

function sizeOf(file: string): number {
  try {
    return Deno.statSync(file).size;
  } catch {
    return 0;
  }
}
