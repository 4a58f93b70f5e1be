/**
 * A worker in the list of workers: from its begin, when it holds its lock, to
 * its end.
 * @module
 */
import { ownIdentity } from "../host/process_identity.ts";
import { removeStaleLocks } from "../host/worker_lock.ts";
import type { Upkeep, WorkerOptions } from "./worker_options.ts";

/** Gives what it does beside its work, if anything. */
export async function register(id: string, slots: number, options: WorkerOptions): Promise<Upkeep | undefined> {
  const { store, pool, queues, version, generation, log, startUpkeep } = options;
  const self = { id, ...ownIdentity() };
  await store.workers.register({
    ...self,
    pool,
    queues: queues ?? null,
    slots,
    version,
    generation: generation ?? null,
  });
  const registered = new Set((await store.workers.list()).map((worker) => worker.id));
  removeStaleLocks(`${store.folder}/run`, registered);
  log.info("worker started", { id, pid: Deno.pid, db: store.location });
  return startUpkeep?.(self);
}

export async function unregister(id: string, { store, log }: WorkerOptions): Promise<void> {
  try {
    await store.workers.unregister(id);
  } catch (error) {
    // The lock is free in a moment, and that tells the others, too.
    log.warn("not unregistered", { error: error instanceof Error ? error.message : String(error) });
  }
}
