/**
 * Proofs that a process is ours to signal. Its number comes from a file or from
 * a row of a database, and both can be copied, restored or written by somebody
 * who means another process.
 * @module
 */
import { infoOf } from "./ownership.ts";
import { isGroupNumber } from "./process_group.ts";
import { isRunning } from "./process_identity.ts";
import { isWorkerLockHeld, workerLockPath } from "./worker_lock.ts";

/** A process as it was noted. */
export interface NotedProcess {
  readonly pid: number;
  readonly process_start: string;
}

/** A worker, or the holder of a lease. */
export interface NotedWorker extends NotedProcess {
  readonly id: string;
}

/** Whether it is that very process, runs as our user, and holds the worker lock of its id in this very folder. */
export function holdsItsLock(noted: NotedWorker, runFolder: string): boolean {
  return isOurs(noted) && isWorkerLockHeld(runFolder, noted.id) &&
    isLockedBy(workerLockPath(runFolder, noted.id), noted.pid);
}

/** Whether it is that very process, runs as our user, and has this very file open. */
export function hasOpen(noted: NotedProcess, path: string): boolean {
  const wanted = infoOf(path);
  if (wanted === undefined || !isOurs(noted)) return false;
  try {
    return [...Deno.readDirSync(`/proc/${noted.pid}/fd`)].some(({ name }) =>
      isFile(`/proc/${noted.pid}/fd/${name}`, wanted)
    );
  } catch {
    return false; // gone meanwhile, or no /proc
  }
}

function isOurs({ pid, process_start }: NotedProcess): boolean {
  return isGroupNumber(pid) && isRunning(pid, process_start) && userOfProcess(pid) === Deno.uid();
}

/** The effective user of a process: `Uid:	REAL	EFFECTIVE	SAVED	FILESYSTEM`. */
function userOfProcess(pid: number): number | undefined {
  try {
    const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return uid === undefined ? undefined : Number(uid);
  } catch {
    return undefined; // gone meanwhile, or no /proc
  }
}

function isFile(link: string, { dev, ino }: Deno.FileInfo): boolean {
  try {
    const info = Deno.statSync(link);
    return info.dev === dev && info.ino === ino;
  } catch {
    return false; // closed meanwhile
  }
}

/**
 * Whether the flock on a file that is locked is this process's, by lines such as
 * `7: FLOCK  ADVISORY  WRITE 1234 08:01:131073 0 EOF`. Some file systems (overlays) show another number there than
 * `stat` does: where nobody is said to hold the lock of this file, it may be anybody's.
 */
function isLockedBy(path: string, pid: number): boolean {
  const inode = String(infoOf(path)?.ino);
  let locks: string;
  try {
    locks = Deno.readTextFileSync("/proc/locks");
  } catch {
    return true; // the system does not tell
  }
  const holders = locks.split("\n").map((line) => line.trim().split(/\s+/)).filter(([, kind, , , , place]) =>
    kind === "FLOCK" && place?.split(":")[2] === inode
  );
  return holders.length === 0 || holders.some(([, , , , holder]) => holder === String(pid));
}
