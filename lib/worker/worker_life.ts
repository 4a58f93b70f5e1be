/**
 * Whether a registered worker lives, as far as this host can tell.
 * @module
 */
import { type HostIdentity, isRunning, isSameHost } from "../host/process_identity.ts";
import type { WorkerRecord } from "../store/mod.ts";

/** `unknown`: on another machine, or hidden from us by a container; only its heartbeats tell. */
export type WorkerLife = "alive" | "dead" | "unknown";

export interface LifeSigns {
  /** The host that looks. */
  readonly here: HostIdentity;
  /** Where the locks of workers are. */
  readonly runFolder: string;
}

export function lifeOf(worker: WorkerRecord, { here, runFolder }: LifeSigns): WorkerLife {
  if (isSameHost(worker, here) && worker.process_start !== "") {
    return isRunning(worker.pid, worker.process_start) ? "alive" : "dead";
  }
  // Of this host by name, but the numbers of its processes mean nothing to us: its lock does, if it is within reach.
  return worker.host === here.host ? lifeByLock(`${runFolder}/worker-${worker.id}.lock`) : "unknown";
}

function lifeByLock(path: string): WorkerLife {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true });
  } catch {
    return "unknown";
  }
  // Shared, so that two who look do not take each other for the worker.
  const isFree = file.tryLockSync(false);
  file.close();
  return isFree ? "dead" : "alive";
}

/** A signal to this very worker; false when it is gone, or not of this host. */
export function signalWorker(worker: WorkerRecord, signal: Deno.Signal, here: HostIdentity): boolean {
  if (!isSameHost(worker, here) || !isRunning(worker.pid, worker.process_start)) return false;
  try {
    Deno.kill(worker.pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
