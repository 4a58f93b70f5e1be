/**
 * What people ask of a pool: start, scale, restart, stop. Each writes to the
 * store what is wanted, makes sure that a supervisor is there, and waits until
 * it has brought that about. The workers are the supervisor's business alone.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { ConflictError, NotFoundError, QueuectlError, quoted } from "../core/errors.ts";
import { differences, type PoolOptions, UNSUPERVISED_POOLS, USUAL_POOL } from "../core/pool.ts";
import { hostIdentity } from "../host/process_identity.ts";
import { lastEntries } from "../log/read_log.ts";
import type { PoolKey, PoolRecord, Store, WorkerRecord } from "../store/mod.ts";
import { decidingOn, isSupervised, wakeSupervisors } from "./pool_files.ts";
import { refuseWhileStopped } from "./stop_file.ts";
import { SupervisorPatience, USUAL_LEASE_MS } from "./supervisor_patience.ts";
import { lifeOf } from "../operations/worker_life.ts";

export interface PoolControl {
  readonly store: Store;
  readonly clock: Clock;
  readonly key: PoolKey;
  /** Starts a supervisor for the pool, in the background. */
  readonly startSupervisor: () => void;
  /** How long the silence of a supervisor is believed. Default: the usual lease. */
  readonly leaseMs?: number | undefined;
  /** Called at each look while it waits; `isAnswered`: the supervisor has heard what it was asked for. */
  readonly onLook?: ((seen: PoolSighting, isAnswered: boolean) => void) | undefined;
  /** Ends the waiting; what was asked for goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** A pool as it is. */
export interface PoolSighting {
  /** What was asked for; undefined: nothing, or it is over. */
  readonly pool: PoolRecord | undefined;
  readonly isSupervised: boolean;
  /** Those that live, on this host. */
  readonly workers: readonly WorkerRecord[];
}

/** On a busy machine each worker takes its time to start; a person gives up later than this. */
const START_PATIENCE_MS = 60_000;
const LOOK_MS = 50;
/** Jobs end, workers end, a supervisor that hangs is replaced: beyond all that, something is broken. */
const RELEASE_PATIENCE_MS = 30_000;

/** Numbers of this pool's workers that take jobs. */
export function workingIn({ pool, workers }: PoolSighting): readonly WorkerRecord[] {
  return workers.filter((worker) => worker.state === "running" && worker.generation === pool?.generation);
}

export async function lookAtPool({ store, key }: Pick<PoolControl, "store" | "key">): Promise<PoolSighting> {
  const here = hostIdentity();
  const runFolder = `${store.folder}/run`;
  const pool = await store.pools.find(key);
  const workers = (await store.workers.list()).filter((worker) =>
    worker.pool === key.name && worker.host === key.host && lifeOf(worker, { here, runFolder }) === "alive"
  );
  return { pool, isSupervised: isSupervised(store.folder, key), workers };
}

export interface StartedPool {
  /** `started`: nothing was there. `adopted`: its workers, or some, lived without a supervisor. `running`: it was as asked. */
  readonly how: "started" | "adopted" | "running";
  readonly seen: PoolSighting;
}

/**
 * Asks for a pool and waits until its workers are registered. Options that are not given are as they were, or usual.
 * @throws {ConflictError} when it runs with other options, or nothing may be started.
 */
export async function startPool(control: PoolControl, asked: Partial<PoolOptions>): Promise<StartedPool> {
  const since = control.clock.now();
  const how = await decidingOn(control.store.folder, control.key, () => askFor(control, asked));
  let seen: PoolSighting;
  try {
    seen = await untilComplete(control, since);
  } catch (error) {
    // What could not be started at all is not left trying for ever; what ran before is.
    if (how === "started") await giveUp(control);
    throw error;
  }
  // Until there is a supervisor, another start may have asked for something else: one of the two did not get its way.
  const others = seen.pool === undefined ? [] : differences(seen.pool, asked);
  if (others.length > 0) throw differs(control.key, others, asked);
  return { how, seen };
}

/** Writes down what is wanted; the same for a supervisor in the background and one in the foreground. */
export async function askFor(control: PoolControl, asked: Partial<PoolOptions>): Promise<StartedPool["how"]> {
  const { store, key } = control;
  refuseWhileStopped(store.folder);
  if (UNSUPERVISED_POOLS.includes(key.name)) {
    throw new ConflictError(`Cannot start pool ${quoted(key.name)}: the name stands for workers without a supervisor`);
  }
  const { pool, isSupervised, workers } = await lookAtPool(control);
  const isLive = isSupervised || workers.length > 0;
  if (pool !== undefined && isLive) {
    if (pool.state === "stopping") {
      throw new ConflictError(`Cannot start pool ${quoted(key.name)}: it is being stopped`, {
        hint: "queuectl worker status",
      });
    }
    const others = differences(pool, asked);
    if (others.length > 0) throw differs(key, others, asked);
    if (isSupervised) return "running";
    control.startSupervisor();
    return "adopted";
  }
  await store.pools.put(key, {
    count: asked.count ?? pool?.count ?? 1,
    concurrency: asked.concurrency ?? pool?.concurrency ?? null,
    queues: asked.queues ?? pool?.queues ?? null,
  });
  control.startSupervisor();
  return "started";
}

/** Asks for another number of workers, and waits until so many work. Those that are too many finish their jobs. */
export async function scalePool(control: PoolControl, count: number): Promise<PoolSighting> {
  refuseWhileStopped(control.store.folder);
  return await change(control, () => control.store.pools.scale(control.key, count));
}

/** Asks for new workers, with other options where given, and waits until they work. The old ones finish their jobs. */
export async function restartPool(control: PoolControl, asked: Partial<PoolOptions>): Promise<PoolSighting> {
  refuseWhileStopped(control.store.folder);
  const { store, key } = control;
  return await change(control, async (pool) => {
    if (differences(pool, asked).length > 0) await store.pools.put(key, { ...pool, ...asked });
    await store.pools.restart(key);
  });
}

async function change(control: PoolControl, write: (pool: PoolRecord) => Promise<unknown>): Promise<PoolSighting> {
  const { store, key } = control;
  const since = control.clock.now();
  await decidingOn(store.folder, key, async () => {
    const pool = await store.pools.find(key);
    if (pool === undefined) {
      throw new NotFoundError(`No pool ${quoted(key.name)}`, { hint: `queuectl worker start${poolFlag(key)}` });
    }
    if (pool.state === "stopping") {
      throw new ConflictError(`Cannot change pool ${quoted(pool.name)}: it is being stopped`, {
        hint: "queuectl worker status",
      });
    }
    await write(pool);
    ensureSupervisor(control);
  });
  return await untilComplete(control, since);
}

/**
 * Asks for the end of a pool and waits for it. Jobs that still run at `releaseAt` are given back; null: never.
 * A supervisor that does not answer is ended, and another one goes on.
 * @returns false when there was nothing to stop.
 * @throws {QueuectlError} when jobs were to be given back, and long afterwards something of the pool is still there.
 */
export async function stopPool(control: PoolControl, releaseAt: number | null): Promise<boolean> {
  const { store, key } = control;
  const before = await decidingOn(store.folder, key, async () => {
    const seen = await lookAtPool(control);
    if (seen.pool === undefined) return undefined;
    await store.pools.stop(key, releaseAt);
    ensureSupervisor(control);
    return seen;
  });
  if (before === undefined) return false;
  const patience = new SupervisorPatience(control, {
    beat: before.pool?.supervisor?.beat_at,
    isAsked: true,
    prove: () => store.pools.stop(key, releaseAt).then(() => {}, ignoreGone),
  });
  const deadline = releaseAt === null ? Infinity : await releaseDeadline(control, releaseAt);
  await until(control, async (seen) => {
    const { pool, workers, isSupervised } = seen;
    if (pool === undefined && workers.length === 0 && !isSupervised) return true;
    if (control.clock.monotonic() > deadline) throw cannotStop(key, seen);
    await patience.look(seen);
    control.onLook?.(seen, patience.isAnswered);
    return false;
  });
  return true;
}

/** It is gone: what was asked for has happened. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}

/** Monotonic. Workers that hang are ended after a lease, jobs after their grace. */
async function releaseDeadline(
  { store, clock, leaseMs = USUAL_LEASE_MS }: PoolControl,
  releaseAt: number,
): Promise<number> {
  const running = await store.jobs.list({ states: ["processing"] });
  const graceMs = Math.max(0, ...running.map((job) => job.kill_grace_ms));
  return clock.monotonic() + Math.max(0, releaseAt - clock.now()) + graceMs + leaseMs + RELEASE_PATIENCE_MS;
}

/** What of a pool is still there, for a person who waits for its end. */
export function whoIsLeft({ pool, isSupervised, workers }: PoolSighting): string {
  const named = workers.slice(0, MAX_NAMED).map(({ id, pid, jobs }) =>
    `worker ${id} (pid ${pid})${jobs.length === 0 ? "" : ` with ${jobs.slice(0, MAX_NAMED).join(" ")}`}`
  );
  if (workers.length > MAX_NAMED) named.push(`${workers.length - MAX_NAMED} more workers`);
  if (workers.length === 0 && isSupervised) named.push(`its supervisor (pid ${pool?.supervisor?.pid ?? "unknown"})`);
  return named.join(", ") || "its last process";
}

/** Of workers, and of jobs of each. */
const MAX_NAMED = 3;

function cannotStop({ name }: PoolKey, seen: PoolSighting): QueuectlError {
  return new QueuectlError("failed", `Cannot stop pool ${quoted(name)}: still there is ${whoIsLeft(seen)}`, {
    hint: `queuectl worker logs --pool ${name}`,
  });
}

function ensureSupervisor(control: PoolControl): void {
  if (isSupervised(control.store.folder, control.key)) wakeSupervisors(control.store.folder);
  else control.startSupervisor();
}

/** Waits until as many workers work as were asked for, all of the present generation. */
async function untilComplete(control: PoolControl, since: number): Promise<PoolSighting> {
  const deadline = control.clock.monotonic() + START_PATIENCE_MS;
  const { store, key } = control;
  // A pool without workers has nobody else who would replace its supervisor.
  const patience = new SupervisorPatience(control, {
    beat: undefined,
    isAsked: false,
    prove: () => store.leases.beat("", "").then(() => {}),
  });
  return await until(control, async (seen) => {
    if (seen.pool === undefined || seen.pool.state === "stopping") {
      throw new ConflictError(`Cannot start the workers of pool ${quoted(key.name)}: somebody stopped it`);
    }
    const isComplete = workingIn(seen).length === seen.pool.count && seen.isSupervised;
    if (isComplete) return true;
    const reason = failureSince(store, key, since);
    if (reason !== undefined) throw cannotStart(key, reason);
    if (control.clock.monotonic() > deadline) {
      const { length } = workingIn(seen);
      throw cannotStart(key, `after ${START_PATIENCE_MS / 1_000} s there are ${length} of ${seen.pool.count}`);
    }
    await patience.look(seen);
    control.onLook?.(seen, true);
    return false;
  });
}

async function until(
  control: PoolControl,
  isReached: (seen: PoolSighting) => boolean | Promise<boolean>,
): Promise<PoolSighting> {
  while (true) {
    const seen = await lookAtPool(control);
    if (await isReached(seen)) return seen;
    control.signal?.throwIfAborted();
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
}

/** Why a process of the pool did not start, by its own words. */
function failureSince({ folder }: Store, { name }: PoolKey, since: number): string | undefined {
  const failures = lastEntries(`${folder}/logs`, name).filter(({ time, level, event }) =>
    level === "error" && FAILED_STARTS.has(event) && Date.parse(time) >= since
  );
  const reason = failures[0]?.fields.reason;
  return failures.length === 0 ? undefined : String(reason);
}

/** Events that say so. */
const FAILED_STARTS: ReadonlySet<string> = new Set(["worker did not start", "supervisor did not start"]);

async function giveUp(control: PoolControl): Promise<void> {
  try {
    await control.store.pools.stop(control.key, null);
    wakeSupervisors(control.store.folder);
  } catch (error) {
    // Somebody else stopped it first.
    if (!(error instanceof NotFoundError)) throw error;
  }
}

function differs(key: PoolKey, others: readonly string[], asked: Partial<PoolOptions>): ConflictError {
  const isCountAlone = others.length === 1 && others[0]?.startsWith("--count") === true;
  const options = [
    asked.count === undefined ? "" : ` --count ${asked.count}`,
    asked.concurrency == null ? "" : ` --concurrency ${asked.concurrency}`,
    asked.queues == null ? "" : ` --queue ${asked.queues.join(",")}`,
  ].join("");
  return new ConflictError(`Cannot start pool ${quoted(key.name)}: it runs with other options (${others.join(", ")})`, {
    hint: isCountAlone
      ? `queuectl worker scale ${asked.count}${poolFlag(key)}`
      : `queuectl worker restart${options}${poolFlag(key)}`,
  });
}

function poolFlag({ name }: PoolKey): string {
  return name === USUAL_POOL ? "" : ` --pool ${name}`;
}

function cannotStart({ name }: PoolKey, reason: string): QueuectlError {
  return new QueuectlError("failed", `Cannot start the workers of pool ${quoted(name)}: ${reason}`, {
    hint: `queuectl worker logs --level error --pool ${name}`,
  });
}
