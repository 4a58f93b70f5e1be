/**
 * How things are: jobs, workers, pools, and what somebody should look at.
 * @module
 */
import { servesQueue, USUAL_POOL } from "../core/pool.ts";
import type { JobCount, LeaseHolder, MaintenanceRecord, PoolRecord, Queue, Store } from "../store/mod.ts";
import { hostIdentity } from "../host/process_identity.ts";
import { readBootCheck } from "../operations/boot_check.ts";
import { MAINTENANCE_LEASE } from "../maintenance/maintainer.ts";
import { isSupervised } from "../worker/pool_files.ts";
import { isStopFileThere, stopFile } from "../worker/stop_file.ts";
import { VERSION } from "../version.ts";
import type { Context } from "./context.ts";
import { isThere, viewWorkers, type WorkerView } from "./worker_view.ts";

export interface PoolView extends PoolRecord {
  /** Of its workers those that live, and take jobs. */
  readonly working: number;
  /** Whether a supervisor looks after it; on another host, as far as its beats tell. */
  readonly isSupervised: boolean;
}

export interface Overview {
  readonly counts: readonly JobCount[];
  readonly queues: readonly Queue[];
  readonly workers: readonly WorkerView[];
  readonly pools: readonly PoolView[];
  /** What maintenance last did. */
  readonly maintenance: readonly MaintenanceRecord[];
  /** Who has the duty of it; undefined: nobody. */
  readonly maintainer: LeaseHolder | undefined;
  /** Sentences without a period. */
  readonly warnings: readonly string[];
}

export async function readOverview(context: Context, store: Store): Promise<Overview> {
  const counts = await store.jobs.counts();
  const queues = await store.queues.list();
  const workers = await viewWorkers(context, store);
  const { host } = hostIdentity();
  const { lease } = (await context.settings()).values;
  const pools = (await store.pools.list()).map((pool) => ({
    ...pool,
    working:
      workers.filter((worker) => worker.pool === pool.name && worker.host === pool.host && worker.state === "running")
        .length,
    isSupervised: pool.host === host
      ? isSupervised(store.folder, pool)
      : pool.supervisor !== null && context.clock.now() - pool.supervisor.beat_at <= lease,
  }));
  const maintenance = await store.maintenance.list();
  const maintainer = (await store.leases.get(MAINTENANCE_LEASE))?.holder;
  const seen = { counts, queues, workers, pools, maintenance, maintainer };
  const silent = silentSupervisors(
    pools.filter((pool) => pool.host === host),
    context.clock.now() - SILENT_LEASES * lease,
  );
  return { ...seen, warnings: [...stopWarnings(store), ...damageWarnings(store), ...warnings(seen), ...silent] };
}

export function countOf(counts: readonly JobCount[], state: string, queue?: string): number {
  return counts.filter((count) => count.state === state && (queue === undefined || count.queue === queue))
    .reduce((sum, count) => sum + count.n, 0);
}

function stopWarnings({ folder }: Store): string[] {
  return isStopFileThere(folder) ? [`no job is started as long as ${stopFile(folder)} exists`] : [];
}

/** What the check after the start of the host found. */
function damageWarnings({ folder }: Store): string[] {
  const damage = readBootCheck(folder)?.damage;
  return damage == null ? [] : [`the database was found damaged (${damage}): run queuectl doctor`];
}

function warnings(seen: Omit<Overview, "warnings">): string[] {
  return [...unserved(seen), ...lost(seen), ...poolWarnings(seen), ...otherVersions(seen), ...troubles(seen)];
}

/** Jobs that wait for a worker that is not there. */
function unserved({ counts, queues, workers }: Omit<Overview, "warnings">): string[] {
  const waiting = queues.filter((queue) =>
    !queue.paused && countOf(counts, "pending", queue.name) > 0 &&
    !workers.some((worker) => worker.state === "running" && servesQueue(worker, queue.name))
  );
  if (waiting.length === 0) return [];
  return [`jobs are waiting and no worker serves ${waiting.map((queue) => queue.name).join(", ")}`];
}

function lost({ workers }: Omit<Overview, "warnings">): string[] {
  return workers.filter((worker) => !isThere(worker) && worker.jobs.length > 0).map((worker) =>
    `worker ${worker.id} is ${worker.state} and its jobs are not given back yet: ${worker.jobs.join(" ")}`
  );
}

function poolWarnings({ pools }: Omit<Overview, "warnings">): string[] {
  return pools.filter((pool) => pool.state === "running").flatMap((pool) => {
    const name = `pool ${pool.name} on ${pool.host}`;
    const numbers = pool.working < pool.count ? [`${name} has ${pool.working} of ${pool.count} workers`] : [];
    const start = `queuectl worker start${pool.name === USUAL_POOL ? "" : ` --pool ${pool.name}`}`;
    return pool.isSupervised ? numbers : [`${name} has no supervisor; ${start} brings one`, ...numbers];
  });
}

/** Pools of this host that still run the program of before an upgrade. */
function otherVersions({ workers, pools }: Omit<Overview, "warnings">): string[] {
  const { host } = hostIdentity();
  return pools.filter((pool) => pool.state === "running" && pool.host === host).flatMap((pool) => {
    const old = workers.filter((worker) =>
      worker.pool === pool.name && worker.host === host && worker.state === "running" && worker.version !== VERSION
    );
    const versions = [...new Set(old.map(({ version }) => version))].join(", ");
    const restart = `queuectl worker restart${pool.name === USUAL_POOL ? "" : ` --pool ${pool.name}`}`;
    if (old.length > 0) {
      return [`pool ${pool.name} runs queuectl ${versions}, this is ${VERSION}: ${restart}`];
    }
    const { supervisor } = pool;
    if (!pool.isSupervised || supervisor === null || supervisor.version === VERSION) return [];
    const step = supervisor.is_foreground ? "restart its service" : restart;
    return [`the supervisor of pool ${pool.name} is queuectl ${supervisor.version}, this is ${VERSION}: ${step}`];
  });
}

/** A lease is what it may take to notice that one hangs, and to replace it. */
const SILENT_LEASES = 2;

function silentSupervisors(pools: readonly PoolView[], since: number): string[] {
  return pools.filter(({ isSupervised, supervisor }) => isSupervised && (supervisor?.beat_at ?? Infinity) < since)
    .map(({ name, supervisor }) =>
      `the supervisor of pool ${name} (pid ${supervisor?.pid}) gives no sign of life; queuectl worker stop ends it`
    );
}

/** What could not be done and fails no job. */
function troubles({ workers, pools, maintenance }: Omit<Overview, "warnings">): string[] {
  return [
    ...maintenance.filter(({ error }) => error !== null).map(({ task, error }) =>
      `maintenance could not ${task}: ${error}`
    ),
    ...workers.filter(({ trouble }) => trouble !== null).map(({ id, trouble }) => `worker ${id}: ${trouble}`),
    ...pools.filter(({ supervisor }) => supervisor?.trouble != null).map(({ name, supervisor }) =>
      `supervisor of pool ${name}: ${supervisor?.trouble}`
    ),
  ];
}
