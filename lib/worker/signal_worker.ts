/**
 * A signal to a registered worker: to that very process, or to none.
 * @module
 */
import { type HostIdentity, isRunning, isSameHost } from "../host/process_identity.ts";
import type { WorkerRecord } from "../store/mod.ts";

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
