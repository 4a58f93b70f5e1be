/**
 * A worker in the list of workers: from its begin, when it holds its lock, to
 * its end.
 * @module
 */
import { StoreBusyError } from "../core/errors.ts";
import { ownIdentity } from "../host/process_identity.ts";
import { LeftGroups } from "../host/left_groups.ts";
import { removeStaleLocks } from "../host/worker_lock.ts";
import type { Upkeep, WorkerOptions } from "./worker_options.ts";

/** Beyond the lease, for the one who hangs to be ended. */
const AFTER_LEASE_MS = 10_000;
/** Longest lease that is waited for: a person who starts a worker wants to know. */
const MAX_WAIT_MS = 60_000;

/** Gives what it does beside its work, if anything. */
export async function register(id: string, slots: number, options: WorkerOptions): Promise<Upkeep | undefined> {
  const { store, pool, queues, version, generation, log, startUpkeep } = options;
  const identity = ownIdentity();
  const self = { id, ...identity, host: options.host ?? identity.host };
  // Before it is registered: another worker that hangs in the middle of a write would keep it from that for ever.
  const upkeep = startUpkeep?.(self);
  try {
    const record = { ...self, pool, queues: queues ?? null, slots, version, generation: generation ?? null };
    await patiently(options, () => store.workers.register(record));
    const registered = new Set((await store.workers.list()).map((worker) => worker.id));
    removeStaleLocks(`${store.folder}/run`, registered);
    new LeftGroups(store).sweep();
    log.info("worker started", { id, pid: Deno.pid, db: store.location });
    return upkeep;
  } catch (error) {
    await upkeep?.stop();
    throw error;
  }
}

/** Tries again while the store is locked, until a worker that hangs would have been ended. */
async function patiently(
  { clock, log, loadSettings, startUpkeep }: WorkerOptions,
  write: () => Promise<void>,
): Promise<void> {
  const begin = clock.monotonic();
  while (true) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreBusyError) || startUpkeep === undefined) throw error;
      const { lease } = (await loadSettings()).values;
      if (clock.monotonic() - begin > Math.min(lease, MAX_WAIT_MS) + AFTER_LEASE_MS) throw error;
      log.warn("waits for the store", { error: error.message });
    }
  }
}

export async function unregister(id: string, { store, log }: WorkerOptions): Promise<void> {
  try {
    await store.workers.unregister(id);
  } catch (error) {
    // The lock is free in a moment, and that tells the others, too.
    log.warn("not unregistered", { error: error instanceof Error ? error.message : String(error) });
  }
}
