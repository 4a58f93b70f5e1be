/**
 * Ends a supervisor that hangs: that very process, or none.
 *
 * Killing one by mistake harms little, because its workers go on and the next
 * supervisor adopts them. Killing another process would: a row may be old, or
 * come from a copy of the database.
 * @module
 */
import { hasOpen } from "../host/own_process.ts";
import { killProcess } from "../host/process_group.ts";
import type { PoolKey, PoolRecord } from "../store/mod.ts";
import { isSupervised, supervisorLockPath } from "./pool_files.ts";

/** KILLs it when it runs as our user and has the lock of this pool open. False when it was left alone. */
export function endSupervisor(folder: string, key: PoolKey, supervisor: PoolRecord["supervisor"]): boolean {
  if (supervisor === null || supervisor.pid === Deno.pid || !isSupervised(folder, key)) return false;
  return hasOpen(supervisor, supervisorLockPath(folder, key)) && killProcess(supervisor.pid);
}
