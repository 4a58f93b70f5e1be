/**
 * Ends a supervisor that hangs: that very process, or none.
 *
 * Killing one by mistake harms little, because its workers go on and the next
 * supervisor adopts them. Killing another process would: a row may be old, or
 * come from a copy of the database.
 * @module
 */
import { killProcess } from "../host/process_group.ts";
import { isRunning } from "../host/process_identity.ts";
import type { PoolKey, PoolRecord } from "../store/mod.ts";
import { isSupervised, supervisorLockPath } from "./pool_files.ts";

/** KILLs it when it runs as our user and has the lock of this pool open. False when it was left alone. */
export function endSupervisor(folder: string, key: PoolKey, supervisor: PoolRecord["supervisor"]): boolean {
  if (supervisor === null || supervisor.pid <= 1 || supervisor.pid === Deno.pid) return false;
  const { pid, process_start: start } = supervisor;
  if (!isRunning(pid, start) || !isSupervised(folder, key) || !isOurs(pid)) return false;
  return hasOpen(pid, supervisorLockPath(folder, key)) && killProcess(pid);
}

function isOurs(pid: number): boolean {
  try {
    return Deno.statSync(`/proc/${pid}`).uid === Deno.uid();
  } catch {
    return false; // gone meanwhile
  }
}

/** Whether a process has this very file open. */
function hasOpen(pid: number, path: string): boolean {
  try {
    const wanted = Deno.statSync(path);
    for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
      const file = statOf(`/proc/${pid}/fd/${name}`);
      if (file !== undefined && file.ino === wanted.ino && file.dev === wanted.dev) return true;
    }
    return false;
  } catch {
    return false; // gone meanwhile, or not ours to look at
  }
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined; // a socket, or closed meanwhile
  }
}
