/**
 * Which pools are those of this host.
 *
 * A pool is known by the name that its host had when it was started. A host may
 * be given another one meanwhile (by DHCP, cloud-init, hostnamectl): its pools
 * keep the old one for as long as something of them runs, and are then told by
 * their processes.
 * @module
 */
import { hasOurHostName, type HostIdentity, hostIdentity, isRunning, isSameHost } from "../host/process_identity.ts";
import type { PoolKey, PoolRecord, Store, WorkerRecord } from "../store/mod.ts";

/** The pool of this name on this host, whether it is there or not. */
export async function poolKey(store: Store, name: string): Promise<PoolKey> {
  const pools = (await poolsHere(store)).filter((pool) => pool.name === name);
  // After a renaming: rather the one that runs under the old name than what an earlier boot left under the new one.
  const found = pools.find((pool) => pool.host !== Deno.hostname()) ?? pools[0];
  return { name, host: found?.host ?? Deno.hostname() };
}

export async function poolsHere(store: Store): Promise<readonly PoolRecord[]> {
  const here = hostIdentity();
  const pools = await store.pools.list();
  const isRenamed = pools.some(({ host }) => host !== here.host);
  const workers = isRenamed ? await store.workers.list() : [];
  return pools.filter((pool) => pool.host === here.host || isOfRenamed(pool, workers, here));
}

/** Something of it runs beside us: in this container, if that is what a host is. */
function isOfRenamed(pool: PoolRecord, workers: readonly WorkerRecord[], here: HostIdentity): boolean {
  const own = workers.filter((worker) =>
    worker.pool === pool.name && worker.host === pool.host && isSameHost(worker, here)
  );
  const processes = pool.supervisor === null ? own : [pool.supervisor, ...own];
  return processes.some(({ pid, process_start }) => isRunning(pid, process_start) && hasOurHostName(pid));
}
