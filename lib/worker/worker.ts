/**
 * One worker: claim, execute, report, wait; until it is told to stop or has
 * nothing left to do. `EXECUTION` in the README tells the steps and what
 * survives a kill between any two of them.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { generateJobId } from "../core/job_id.ts";
import type { Job } from "../core/job.ts";
import type { Settings } from "../config/load_settings.ts";
import type { Logger } from "../log/logger.ts";
import type { Store } from "../store/mod.ts";
import { openSpawner, type Spawner } from "./child_process.ts";
import { Bell } from "./bell.ts";
import { execute, type Execution, type ExecutorParts } from "./executor.ts";
import { failpoint } from "./failpoints.ts";
import { type Guardian, startGuardian } from "./guardian.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { hostIdentity, processStart } from "./process_identity.ts";
import type { OneJob } from "./one_job.ts";
import { ResultReporter } from "./report_results.ts";
import type { StopSignals } from "./signals.ts";
import { takeWorkerLock, type WorkerLock } from "./worker_lock.ts";

export interface WorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Read anew at every heartbeat, so that changes are followed. */
  readonly loadSettings: () => Promise<Settings>;
  /** Default: the setting. */
  readonly concurrency?: number | undefined;
  /** Strict order; default: all queues, fairly. */
  readonly queues?: readonly string[] | undefined;
  readonly pool: string;
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Runs this job and no other, until it is final. */
  readonly only?: OneJob | undefined;
  /** Of its pool; absent: nobody keeps the pool at a number. */
  readonly generation?: number | undefined;
  /** What went wrong lately that no job fails for; null: nothing. */
  readonly trouble?: (() => string | null) | undefined;
  readonly signals: StopSignals;
  /** Stops when nothing is left to run. */
  readonly drain: boolean;
  /** With `drain`: also waits for the retries of failed jobs. */
  readonly waitForRetries: boolean;
  readonly maxJobs?: number | undefined;
  readonly idleExitMs?: number | undefined;
}

export interface WorkerSummary {
  readonly completed: number;
  readonly failed: number;
  readonly dead: number;
  /** Why it stopped. */
  readonly reason: string;
}

/** Longest sleep without a look around, whatever poll_interval says. */
const MAX_SLEEP_MS = 60_000;
/** After the store refused a claim. */
const TROUBLE_PAUSE_MS = 500;

/** Runs until it stops. Everything it started is put away when this returns. */
export async function runWorker(options: WorkerOptions): Promise<WorkerSummary> {
  const settings = await options.loadSettings();
  const { folder } = options.store;
  Deno.mkdirSync(`${folder}/logs`, { recursive: true, mode: 0o700 });
  Deno.mkdirSync(`${folder}/run`, { recursive: true, mode: 0o700 });
  const id = options.id ?? generateJobId();
  const lock = takeWorkerLock(`${folder}/run`, id);
  const guardian = startGuardian();
  const spawner = openSpawner();
  const worker = new Worker(id, options, { settings, lock, guardian, spawner });
  try {
    return await worker.run();
  } finally {
    spawner.close();
    await guardian.close();
    lock.release();
  }
}

class Worker {
  readonly #id: string;
  readonly #options: WorkerOptions;
  readonly #store: Store;
  readonly #reporter: ResultReporter;
  readonly #executor: ExecutorParts;
  readonly #running = new Map<number, Execution>();
  /** Rung when a slot is free, a job is ready, or it is time to stop. */
  readonly #bell = new Bell();
  #settings: Settings;
  #started = 0;
  #lastBusy: number;
  #counts = { completed: 0, failed: 0, dead: 0 };
  /** Set once: why no more jobs are claimed. */
  #stopReason: string | undefined;
  #isLost = false;
  #heartbeat: Heartbeat | undefined;

  constructor(
    id: string,
    options: WorkerOptions,
    parts: { settings: Settings; lock: WorkerLock; guardian: Guardian; spawner: Spawner },
  ) {
    this.#id = id;
    this.#options = options;
    this.#store = options.store;
    this.#settings = parts.settings;
    this.#lastBusy = options.clock.monotonic();
    this.#reporter = new ResultReporter(options.store, options.log);
    this.#executor = {
      clock: options.clock,
      spawner: parts.spawner,
      guardian: parts.guardian,
      lock: parts.lock,
      storeFolder: options.store.folder,
      launch: () => ({ shell: this.#settings.values.shell, db: options.store.location }),
      outputLimitBytes: () => this.#settings.values.output_limit,
    };
  }

  async run(): Promise<WorkerSummary> {
    await this.#register();
    const watcher = this.#store.wake.watch(() => this.#bell.ring());
    const heartbeat = this.#heartbeat = startHeartbeat({
      store: this.#store,
      workerId: this.#id,
      log: this.#options.log,
      intervalMs: () => this.#settings.values.heartbeat_interval,
      describe: () => ({
        state: this.#stopReason === undefined ? "running" : "draining",
        done: this.#counts.completed,
        failed: this.#counts.failed + this.#counts.dead,
        rss_bytes: Deno.memoryUsage().rss,
        trouble: this.#options.trouble?.() ?? null,
      }),
      onBeat: () => this.#followSettings(),
      onLost: () => this.#onLost(),
    });
    this.#followSignals();
    try {
      await this.#work();
    } finally {
      await watcher.close();
      await heartbeat.stop();
      if (!this.#isLost) await this.#store.workers.unregister(this.#id);
      this.#bell.close();
    }
    return { ...this.#counts, reason: this.#stopReason ?? "done" };
  }

  /** The loop: claim what there are slots for; when there is nothing, wait for something to happen. */
  async #work(): Promise<void> {
    while (true) {
      if (this.#stopReason === undefined && await this.#claimAndStart() > 0) continue;
      if (this.#running.size === 0 && (this.#stopReason !== undefined || await this.#isDone())) return;
      await this.#bell.wait(await this.#sleepMs());
    }
  }

  /** Starts as many jobs as there are slots and jobs. Returns how many. */
  async #claimAndStart(): Promise<number> {
    const slots = this.#freeSlots();
    if (slots <= 0) return 0;
    let jobs: readonly Job[];
    try {
      if (!this.#store.isSame()) {
        this.#stop("the database was replaced or upgraded");
        return 0;
      }
      const isIdle = this.#running.size === 0;
      const only = this.#options.only?.seq;
      jobs = await this.#store.jobs.claim({ workerId: this.#id, slots, isIdle, queues: this.#options.queues, only });
    } catch (error) {
      this.#options.log.error("claim failed", { error: error instanceof Error ? error.message : String(error) });
      await new Promise((wake) => setTimeout(wake, TROUBLE_PAUSE_MS));
      return 0;
    }
    if (jobs.length > 0) failpoint("after-claim");
    for (const job of jobs) this.#start(job);
    return jobs.length;
  }

  #freeSlots(): number {
    const slots = this.#options.concurrency ?? this.#settings.values.worker_concurrency;
    // A job that crashed its worker before runs alone.
    for (const { job } of this.#running.values()) if (job.crashes > 0) return 0;
    const left = this.#options.maxJobs === undefined ? Infinity : this.#options.maxJobs - this.#started;
    return Math.min(slots - this.#running.size, left);
  }

  #start(job: Job): void {
    this.#started++;
    this.#options.log.debug("job started", { id: job.id, run: job.run_count, attempt: job.attempts });
    const execution = execute(job, this.#executor);
    this.#running.set(job.seq, execution);
    void this.#see(execution);
  }

  /** Follows one job to its stored result, then frees the slot. */
  async #see(execution: Execution): Promise<void> {
    const { job } = execution;
    const ended = await execution.ended;
    const finished = await this.#reporter.report({
      seq: job.seq,
      claim: job.claim,
      result: ended.result,
      finishedAt: ended.finishedAt,
      durationMs: ended.durationMs,
      maxCrashes: this.#settings.values.max_crashes,
      random: Math.random(),
      output: ended.output,
    });
    ended.letGo();
    if (finished.state === "completed") this.#counts.completed++;
    else if (finished.state === "dead") this.#counts.dead++;
    else if (finished.state === "failed") this.#counts.failed++;
    this.#options.log.info("job finished", {
      id: job.id,
      state: finished.state ?? finished.outcome,
      attempt: job.attempts,
      ms: ended.durationMs,
      reason: finished.state === "completed" ? undefined : finished.reason,
    });
    this.#running.delete(job.seq);
    this.#lastBusy = this.#options.clock.monotonic();
    this.#bell.ring();
  }

  /** Nothing runs and nothing was there to claim: is that all, for this worker? */
  async #isDone(): Promise<boolean> {
    const { maxJobs, idleExitMs, drain, clock, only } = this.#options;
    if (only !== undefined && await only.isOver(this.#id)) return this.#over(`job ${only.id} needs it no more`);
    if (maxJobs !== undefined && this.#started >= maxJobs) return this.#over(`ran ${maxJobs} jobs`);
    if (idleExitMs !== undefined && clock.monotonic() - this.#lastBusy >= idleExitMs) return this.#over("idle");
    if (drain && await this.#isDrained()) return this.#over("drained");
    return false;
  }

  async #isDrained(): Promise<boolean> {
    const waitsFor = this.#options.waitForRetries ? ["pending", "failed"] : ["pending"];
    const paused = new Set((await this.#store.queues.list()).filter((queue) => queue.paused).map(({ name }) => name));
    const counts = await this.#store.jobs.counts();
    return !counts.some(({ queue, state }) =>
      waitsFor.includes(state) && !paused.has(queue) && (this.#options.queues?.includes(queue) ?? true)
    );
  }

  #over(reason: string): true {
    this.#stopReason ??= reason;
    return true;
  }

  /** Until the next due time, the end of patience, or the safety net. */
  async #sleepMs(): Promise<number> {
    const { clock, idleExitMs, only } = this.#options;
    const limits = [this.#settings.values.poll_interval, MAX_SLEEP_MS];
    if (this.#stopReason === undefined && this.#freeSlots() > 0) {
      const due = only === undefined ? await this.#store.jobs.nextDue() : clock.now() + only.sleepMs();
      if (due !== undefined) limits.push(due - clock.now());
    }
    if (idleExitMs !== undefined && this.#running.size === 0) {
      limits.push(idleExitMs - (clock.monotonic() - this.#lastBusy));
    }
    return Math.max(0, Math.min(...limits));
  }

  async #register(): Promise<void> {
    const { pool, queues, version, generation } = this.#options;
    await this.#store.workers.register({
      id: this.#id,
      pool,
      ...hostIdentity(),
      pid: Deno.pid,
      process_start: processStart(Deno.pid),
      queues: queues ?? null,
      slots: this.#options.concurrency ?? this.#settings.values.worker_concurrency,
      version,
      generation: generation ?? null,
    });
    this.#options.log.info("worker started", { id: this.#id, pid: Deno.pid, db: this.#store.location });
  }

  async #followSettings(): Promise<void> {
    this.#settings = await this.#options.loadSettings();
  }

  #followSignals(): void {
    const { signals, log } = this.#options;
    void signals.first.then((signal) => {
      const { shutdown_timeout: limitMs } = this.#settings.values;
      log.info("stopping after running jobs", { signal, running: this.#running.size });
      this.#stop(`stopped by ${signal}`);
      if (limitMs > 0) setTimeout(() => this.#endAll("shutdown_timeout is over"), limitMs);
    });
    void signals.second.then((signal) => this.#endAll(`second ${signal}`));
  }

  #stop(reason: string): void {
    if (this.#stopReason === undefined) {
      this.#stopReason = reason;
      this.#options.log.debug("claiming no more", { reason });
      // Others are to see at once that it drains: nobody else then tells it so, which would be the second time.
      this.#heartbeat?.beatNow();
    }
    this.#bell.ring();
  }

  #endAll(why: string): void {
    if (this.#running.size > 0) this.#options.log.info("releasing running jobs", { why, running: this.#running.size });
    for (const execution of this.#running.values()) execution.end("interrupted");
  }

  #onLost(): void {
    this.#isLost = true;
    this.#options.log.error("registration lost: somebody took this worker for dead", { id: this.#id });
    this.#stop("its registration was lost");
    this.#endAll("registration lost");
  }
}
