/**
 * A registered worker as people and scripts see it, with what this host knows
 * about its life.
 * @module
 */
import { formatTime } from "../core/point_in_time.ts";
import type { Store, WorkerRecord } from "../store/store.ts";
import { hostIdentity, isSameHost } from "../host/process_identity.ts";
import { lifeOf } from "../operations/worker_life.ts";
import type { Context } from "./context.ts";

/** `dead`: its process is gone. `silent`: out of our sight, and without a beat for longer than a lease. */
export type WorkerState = WorkerRecord["state"] | "dead" | "silent";

export interface WorkerView extends Omit<WorkerRecord, "state"> {
  readonly state: WorkerState;
  readonly uptimeMs: number;
  readonly memoryBytes: number | null;
}

export async function viewWorkers(context: Context, store: Store): Promise<readonly WorkerView[]> {
  const now = context.clock.now();
  const here = hostIdentity();
  const runFolder = `${store.folder}/run`;
  const { lease } = (await context.settings()).values;
  return (await store.workers.list()).map((worker) => {
    const life = lifeOf(worker, { here, runFolder });
    const isSilent = life === "unknown" && now - worker.beat_at > lease;
    return {
      ...worker,
      state: life === "dead" ? "dead" : isSilent ? "silent" : worker.state,
      uptimeMs: Math.max(0, now - worker.started_at),
      memoryBytes: (isSameHost(worker, here) && life === "alive" ? memoryOf(worker.pid) : undefined) ??
        worker.rss_bytes,
    };
  });
}

/** Whether it can be counted on to run jobs. */
export function isThere(worker: WorkerView): boolean {
  return worker.state === "running" || worker.state === "draining";
}

/** Whether the worker of this id lives. */
export async function isWorkerThere(context: Context, store: Store, id: string): Promise<boolean> {
  return (await viewWorkers(context, store)).some((worker) => worker.id === id && isThere(worker));
}

/** Those that take jobs: neither dead, nor silent, nor on their way out. */
export async function liveWorkers(context: Context, store: Store): Promise<readonly WorkerView[]> {
  return (await viewWorkers(context, store)).filter((worker) => worker.state === "running");
}

export function workerJson(worker: WorkerView): Record<string, unknown> {
  return {
    id: worker.id,
    pid: worker.pid,
    host: worker.host,
    pool: worker.pool,
    state: worker.state,
    queues: worker.queues,
    slots: worker.slots,
    busy: worker.jobs.length,
    jobs: worker.jobs,
    done: worker.done,
    failed: worker.failed,
    memory_bytes: worker.memoryBytes,
    version: worker.version,
    uptime: Math.round(worker.uptimeMs / 1_000),
    started_at: formatTime(worker.started_at),
    beat_at: formatTime(worker.beat_at),
    trouble: worker.trouble,
  };
}

/** Now, from the system; undefined where it does not tell. */
function memoryOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
