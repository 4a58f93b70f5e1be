/**
 * What SQLite's error codes mean to a person.
 * @module
 */
import { QueuectlError, quotedPath, StoreBusyError, StoreUnavailableError } from "../../core/errors.ts";

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** The file that connections share cannot grow (SQLITE_IOERR_SHMSIZE): what SQLite meets first on a full disk. */
const SHARED_MEMORY_SIZE = 4874;

/** Primary result code: the low byte of the extended one. */
function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (code === SHARED_MEMORY_SIZE) return FULL;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Whether another connection is in the way, so that trying again can help. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  // Errors of open() and exec() have no code, only words.
  return code === BUSY || code === LOCKED ||
    (code === undefined && error instanceof Error && /database (table )?is locked/.test(error.message));
}

/** Whether a file could not grow: SQLite says FULL, the system ENOSPC or EDQUOT. */
export function isDiskFull(error: unknown): boolean {
  if (primaryCode(error) === FULL) return true;
  return error instanceof Error && /disk is full|No space left|ENOSPC|quota exceeded/i.test(error.message);
}

/** Whether the file itself is damaged, or no database at all. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error) ?? codeFromWords(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** Whether a UNIQUE or PRIMARY KEY constraint said no. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return code === 2067 || code === 1555;
}

/** Whether a row holds a number that JavaScript has no exact number for. */
export function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_OUT_OF_RANGE";
}

/** Too big, a constraint, a wrong type: SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH. */
const ROW_CODES: ReadonlySet<number> = new Set([18, 19, 20]);

/** Whether the row itself is to blame, and not the file, the disk or another process: it will fail each time. */
export function isFaultOfRow(error: unknown): boolean {
  const code = primaryCode(error);
  return isTooLarge(error) || error instanceof SyntaxError || (code !== undefined && ROW_CODES.has(code));
}

const MEANINGS: Readonly<Record<number, readonly [string, string?]>> = {
  7: ["out of memory"],
  8: ["it is read-only"],
  10: ["input/output error", "look at the log of the system (dmesg), and at the disk quota"],
  11: ["it is corrupt", "queuectl doctor; nothing was changed, and docs/recovery.md tells how to get the jobs back"],
  13: ["the disk is full", "free some space, then run the command again"],
  14: ["it cannot be opened", "check the permissions of the file and its folder"],
  23: ["permission denied"],
  26: ["it is not a queuectl database", "give another path with --db, or move the file away"],
};

/** Mostly a full disk; SQLite has the same code for a quota that is used up, and for a disk that fails. */
const CANNOT_GROW = ["the disk is full, its quota is used up, or it fails", MEANINGS[13]?.[1]] as const;

/** A SQLite error as one of ours; what is already ours, or a mistake in the program, stays as it is. */
export function asStoreError(error: unknown, path: string): unknown {
  if (error instanceof QueuectlError) return error;
  if (isBusy(error)) return busyError(path, error);
  const isUnclear = (error as { errcode?: unknown } | null)?.errcode === SHARED_MEMORY_SIZE;
  const meaning = isUnclear ? CANNOT_GROW : MEANINGS[primaryCode(error) ?? codeFromWords(error)];
  if (meaning === undefined) return error;
  const [what, hint] = meaning;
  return new StoreUnavailableError(`Cannot use database ${quotedPath(path)}: ${what}`, { hint, cause: error });
}

export function busyError(path: string, cause: unknown): StoreBusyError {
  return new StoreBusyError(`Cannot use database ${quotedPath(path)}: another process keeps it locked`, {
    hint: "wait for the other process to finish, then run the command again",
    cause,
  });
}

function codeFromWords(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if (/unable to open database/.test(error.message)) return 14;
  if (/not a database/.test(error.message)) return 26;
  if (/malformed/.test(error.message)) return 11;
  if (/disk is full/.test(error.message)) return 13;
  if (/disk I\/O error/.test(error.message)) return 10;
  if (/readonly database/.test(error.message)) return 8;
  return 0;
}
