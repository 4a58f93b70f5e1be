/**
 * A signal to a registered worker: to that very process, or to none.
 * @module
 */
import { hasOpen, holdsItsLock } from "../host/own_process.ts";
import { signalProcess } from "../host/process_group.ts";
import { type HostIdentity, isSameHost } from "../host/process_identity.ts";
import type { Store, WorkerRecord } from "../store/mod.ts";

/** Who signals: its host, and the store that the worker is registered in. */
export interface SignalPlace {
  readonly here: HostIdentity;
  readonly store: Pick<Store, "folder" | "location">;
}

/**
 * A signal to this very worker. False when it is gone, of another host or user, or does not work on this store: the
 * row may be a copy, and the process that it names at work on the original.
 */
export function signalWorker(worker: WorkerRecord, signal: Deno.Signal, { here, store }: SignalPlace): boolean {
  if (!isSameHost(worker, here)) return false;
  // Where somebody removed its lock, the open database tells.
  if (!holdsItsLock(worker, `${store.folder}/run`) && !hasOpen(worker, store.location)) return false;
  return signalProcess(worker.pid, signal);
}
