/**
 * Keeps the workers of one pool at the number that was asked for: looks, plans
 * (`planPool`), starts and drains, waits; until the pool is to stop and its
 * last worker is gone.
 *
 * Nothing depends on it. What was asked for is in the store, and the workers
 * are processes of their own: when it is killed they go on, and the next
 * supervisor takes over those that it finds alive.
 *
 * Whoever holds the supervisor's lock is the only one who signals workers.
 * Otherwise two might tell the same worker to drain, which it would take for
 * the second signal and give its jobs back.
 * @module
 */
import type { Settings } from "../config/load_settings.ts";
import type { Clock } from "../core/clock.ts";
import { planPool, type PoolWorker, RestartBackoff } from "../core/pool.ts";
import { type HostIdentity, hostIdentity, processStart } from "../host/process_identity.ts";
import type { Logger } from "../log/logger.ts";
import type { PoolKey, PoolRecord, Store, WorkerRecord } from "../store/mod.ts";
import { Bell } from "./bell.ts";
import { ChildWorkers } from "./child_workers.ts";
import { type PoolWatch, watchPools } from "./pool_files.ts";
import type { StopSignals } from "./signals.ts";
import { isStopFileThere } from "./stop_file.ts";
import { lifeOf } from "../operations/worker_life.ts";
import { type SignalPlace, signalWorker } from "./signal_worker.ts";

export interface SupervisorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly key: PoolKey;
  readonly signals: StopSignals;
  readonly loadSettings: () => Promise<Settings>;
  /** Somebody waits for its end: it never lets another take its place. */
  readonly isForeground: boolean;
  /** Starts a worker of the pool; its process is named by the result. */
  readonly startWorker: (pool: PoolRecord) => { readonly pid: number; ended(): Promise<Deno.CommandStatus> };
  /** Starts the supervisor that takes over after a restart. False: it would not run; this one stays. */
  readonly startSuccessor: () => Promise<boolean>;
  /** Why a worker that ended before it was registered did so, as far as it said. */
  readonly reasonOf: (pid: number) => string | undefined;
  /** What went wrong lately that no job fails for; null: nothing. */
  readonly trouble: () => string | null;
  /** Hears of each turn, for the service manager that waits for this process. */
  readonly listener?: TurnListener | undefined;
}

export interface TurnListener {
  /** The longest time between the ends of two turns that have nothing to wait for. */
  readonly everyMs: number;
  turned(turn: Turn): void;
}

/** What a supervisor saw in one turn of its loop. */
export type Turn =
  | {
    readonly kind: "looked";
    /** How many workers were asked for. */
    readonly count: number;
    /** How many of them are registered and take jobs. */
    readonly working: number;
    /** All workers, those that only finish their jobs included. */
    readonly workers: number;
    /** Jobs that run. */
    readonly jobs: number;
    readonly isStopping: boolean;
  }
  | { readonly kind: "failed"; readonly reason: string };

/** `stopped`: nothing of the pool is left. `replaced`: another supervisor goes on with its workers. */
export type SupervisorEnd = "stopped" | "replaced";

/** How often it looks where nothing wakes it: this late it sees the death of a worker that an earlier one started. */
const LOOK_MS = 1_000;
/** The same where the end of each worker and each request is heard. */
const SAFE_LOOK_MS = 5_000;
/** While workers start or end: registrations ring no bell. */
const BUSY_LOOK_MS = 50;
/** After the store could not be read. */
const TROUBLE_PAUSE_MS = 1_000;

export async function runSupervisor(options: SupervisorOptions): Promise<SupervisorEnd> {
  const supervisor = new Supervisor(options);
  try {
    return await supervisor.run();
  } finally {
    await supervisor.close();
  }
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #here: HostIdentity = hostIdentity();
  readonly #bell = new Bell();
  readonly #backoff = new RestartBackoff();
  readonly #children: ChildWorkers;
  readonly #watcher: PoolWatch;
  /** Live workers that it has seen and did not start, by id. */
  #adopted = new Map<string, WorkerRecord>();
  /** What it told workers, by id. */
  readonly #told = new Map<string, "drain" | "release">();
  /** Of the pool when it began, or when it last decided to go on itself. */
  #generation: number | undefined;
  #isToldToStop = false;
  #isToldToRelease = false;
  #nextBeat = -Infinity;
  /** When the pool was last asked for something, as far as it knows. */
  #askedAt: number | undefined;
  #heartbeatMs = 5_000;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#children = new ChildWorkers({
      clock: options.clock,
      log: options.log,
      reasonOf: options.reasonOf,
      onEnd: (wasExpected) => {
        if (!wasExpected) this.#backoff.died(options.clock.monotonic());
        this.#bell.ring();
      },
    });
    this.#watcher = watchPools(options.store.folder, () => this.#bell.ring());
    void options.signals.first.then((signal) => {
      options.log.info("stopping the pool", { signal });
      this.#isToldToStop = true;
      this.#bell.ring();
    });
    void options.signals.second.then(() => {
      this.#isToldToRelease = true;
      this.#bell.ring();
    });
  }

  async run(): Promise<SupervisorEnd> {
    while (true) {
      try {
        const end = await this.#turn();
        if (end !== undefined) return end;
      } catch (error) {
        // Locked or full: the workers go on meanwhile, and the next turn may do better.
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.log.warn("pool not looked after", { error: reason });
        this.#options.listener?.turned({ kind: "failed", reason });
        await this.#bell.wait(TROUBLE_PAUSE_MS);
      }
    }
  }

  async close(): Promise<void> {
    this.#bell.close();
    await this.#watcher.close();
  }

  /** Look, decide, act; then wait until something happens. */
  async #turn(): Promise<SupervisorEnd | undefined> {
    const { store, key } = this.#options;
    if (!store.isSame()) return await this.#leaveStore();
    const pool = await store.pools.find(key);
    if (pool !== undefined && await this.#isToHandOver(pool)) return "replaced";
    const workers = await this.#liveWorkers();
    const isStopping = pool?.state !== "running" || this.#isToldToStop || isStopFileThere(store.folder);
    this.#tellOfTurn(pool, workers, isStopping);
    if (isStopping && workers.length === 0 && this.#children.size === 0) {
      await this.#forget();
      return "stopped";
    }
    this.#act(pool, workers, isStopping);
    // Only now: on a full disk nothing can be written, and yet workers have to be told.
    if (isStopping && pool?.state === "running") await store.pools.stop(key, null);
    if (pool !== undefined) {
      // Those who asked for something wait for a sign that it was heard.
      if (pool.updated_at !== this.#askedAt) this.#nextBeat = -Infinity;
      this.#askedAt = pool.updated_at;
      await this.#beat();
    }
    await this.#bell.wait(this.#waitMs(pool, workers));
    return undefined;
  }

  #tellOfTurn(pool: PoolRecord | undefined, workers: readonly WorkerRecord[], isStopping: boolean): void {
    this.#options.listener?.turned({
      kind: "looked",
      count: pool?.count ?? 0,
      working: workers.filter(({ state, generation }) => state === "running" && generation === pool?.generation).length,
      workers: workers.length,
      jobs: workers.reduce((sum, { jobs }) => sum + jobs.length, 0),
      isStopping,
    });
  }

  /** Who waits for the end of this process, such as an init system, gets it even where it cannot be written down. */
  async #forget(): Promise<void> {
    const { store, key, log } = this.#options;
    try {
      await store.pools.remove(key);
    } catch (error) {
      if (!this.#isToldToStop) throw error;
      log.warn("pool not forgotten", { error: error instanceof Error ? error.message : String(error) });
    }
  }

  #act(pool: PoolRecord | undefined, workers: readonly WorkerRecord[], isStopping: boolean): void {
    const plan = planPool({
      count: pool?.count ?? 0,
      generation: pool?.generation ?? 0,
      isStopping,
      workers: workers.map((worker) => this.#viewOf(worker)),
      starting: this.#children.starting(),
    });
    for (const worker of workers) {
      if (isStopping && this.#isReleaseDue(pool)) this.#release(worker);
      else if (plan.drain.includes(worker.id)) this.#drain(worker);
    }
    if (pool === undefined || this.#backoff.leftMs(this.#options.clock.monotonic()) > 0) return;
    for (let i = 0; i < plan.start; i++) this.#start(pool);
  }

  #viewOf({ id, generation, state, jobs }: WorkerRecord): PoolWorker {
    return { id, generation, isDraining: state === "draining" || this.#told.has(id), busy: jobs.length };
  }

  #start(pool: PoolRecord): void {
    try {
      this.#children.add(this.#options.startWorker(pool));
    } catch (error) {
      this.#backoff.died(this.#options.clock.monotonic());
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.log.error("worker did not start", { reason });
    }
  }

  #drain(worker: WorkerRecord): void {
    this.#tell(worker, "drain");
    this.#options.log.info("worker drains", { worker: worker.id, pid: worker.pid, jobs: worker.jobs.length });
    signalWorker(worker, "SIGTERM", this.#place());
  }

  /** Two signals that cannot become one: whatever it had been told before, this makes at least two. */
  #release(worker: WorkerRecord): void {
    if (this.#told.get(worker.id) === "release") return;
    this.#tell(worker, "release");
    this.#options.log.info("worker gives its jobs back", {
      worker: worker.id,
      pid: worker.pid,
      jobs: worker.jobs.length,
    });
    signalWorker(worker, "SIGTERM", this.#place());
    signalWorker(worker, "SIGINT", this.#place());
  }

  #place(): SignalPlace {
    return { here: this.#here, store: this.#options.store };
  }

  #tell(worker: WorkerRecord, what: "drain" | "release"): void {
    this.#told.set(worker.id, what);
    this.#children.expectEnd(worker.id);
  }

  #isReleaseDue(pool: PoolRecord | undefined): boolean {
    if (this.#isToldToRelease) return true;
    return pool?.release_at != null && this.#options.clock.now() >= pool.release_at;
  }

  /** Workers of this pool that live, on this host; those that died since the last look are noted. */
  async #liveWorkers(): Promise<readonly WorkerRecord[]> {
    const { store, key, log } = this.#options;
    const runFolder = `${store.folder}/run`;
    const live = (await store.workers.list()).filter((worker) =>
      worker.pool === key.name && worker.host === key.host &&
      lifeOf(worker, { here: this.#here, runFolder }) === "alive"
    );
    const adopted = new Map<string, WorkerRecord>();
    for (const worker of live) {
      if (this.#children.registered(worker)) continue;
      if (!this.#adopted.has(worker.id)) log.info("worker adopted", { worker: worker.id, pid: worker.pid });
      adopted.set(worker.id, worker);
    }
    for (const [id, worker] of this.#adopted) {
      if (adopted.has(id) || worker.state === "draining" || this.#told.has(id)) continue;
      log.warn("worker died", { worker: id, pid: worker.pid });
      this.#backoff.died(this.#options.clock.monotonic());
    }
    this.#adopted = adopted;
    for (const id of this.#told.keys()) if (!live.some((worker) => worker.id === id)) this.#told.delete(id);
    return live;
  }

  async #beat(): Promise<void> {
    const { store, clock, key, version, isForeground, loadSettings, trouble } = this.#options;
    if (clock.monotonic() < this.#nextBeat) return;
    this.#heartbeatMs = (await loadSettings()).values.heartbeat_interval;
    await store.pools.beat(key, {
      pid: Deno.pid,
      process_start: processStart(Deno.pid),
      is_foreground: isForeground,
      version,
      trouble: trouble(),
    });
    this.#nextBeat = clock.monotonic() + this.#heartbeatMs;
  }

  /** A restart is for the supervisor, too: the program on disk may be a newer one. */
  async #isToHandOver(pool: PoolRecord): Promise<boolean> {
    const { isForeground, startSuccessor, log } = this.#options;
    const isRestart = this.#generation !== undefined && pool.generation !== this.#generation;
    this.#generation = pool.generation;
    if (!isRestart || isForeground || pool.state !== "running" || this.#isToldToStop) return false;
    if (!await startSuccessor()) return false;
    log.info("another supervisor takes over", { generation: pool.generation });
    return true;
  }

  /** The database was replaced, or upgraded by a newer program: workers drain by themselves. */
  async #leaveStore(): Promise<SupervisorEnd> {
    const { store, isForeground, startSuccessor, log } = this.#options;
    log.warn("the database was replaced or upgraded", { db: store.location });
    const isThere = await Deno.stat(store.location).then(() => true, () => false);
    if (isThere && !isForeground) await startSuccessor();
    return "replaced";
  }

  #waitMs(pool: PoolRecord | undefined, workers: readonly WorkerRecord[]): number {
    const { clock, listener } = this.#options;
    const hearsAll = this.#watcher.isWatching && this.#adopted.size === 0;
    const limits = [hearsAll ? SAFE_LOOK_MS : LOOK_MS, listener?.everyMs ?? Infinity];
    const isBusy = this.#children.starting() > 0 || workers.some((worker) => this.#adoptedEnds(worker));
    if (isBusy) limits.push(BUSY_LOOK_MS);
    const backoffMs = this.#backoff.leftMs(clock.monotonic());
    if (backoffMs > 0) limits.push(backoffMs);
    if (pool?.release_at != null) limits.push(Math.max(BUSY_LOOK_MS, pool.release_at - clock.now()));
    return Math.min(...limits);
  }

  /** The end of one's own children is heard. */
  #adoptedEnds(worker: WorkerRecord): boolean {
    return this.#told.has(worker.id) && this.#adopted.has(worker.id);
  }
}
