/**
 * One worker: claim, execute, report, wait; until it is told to stop or has
 * nothing left to do. "How a job is run" in the README tells the steps and who
 * mends what a kill between two of them leaves.
 * @module
 */
import { forbiddenBy } from "../core/allowed_commands.ts";
import { generateJobId } from "../core/job_id.ts";
import type { Job } from "../core/job.ts";
import type { RunResult } from "../core/run_result.ts";
import type { Settings } from "../config/load_settings.ts";
import { LeftGroups } from "../host/left_groups.ts";
import { heldReason } from "../host/leftovers.ts";
import { keepFilesFromChildren } from "../host/open_files.ts";
import { ownFolders } from "../host/own_folder.ts";
import { takeWorkerLock, type WorkerLock } from "../host/worker_lock.ts";
import type { Store } from "../store/mod.ts";
import { openSpawner, type Spawner } from "./child_process.ts";
import { Bell } from "./bell.ts";
import { execute, type Execution, type ExecutorParts, neverStarted } from "./executor.ts";
import { Exhaustion } from "./exhaustion.ts";
import { failpoint } from "./failpoints.ts";
import { FairTurn } from "./fair_turn.ts";
import { GateWatch } from "./gate_watch.ts";
import { startGuardian } from "./guardian.ts";
import { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
import { isDrained } from "./drained.ts";
import { QuietLook } from "./quiet_look.ts";
import { endPatternProcess } from "./pattern_process.ts";
import { register, unregister } from "./registration.ts";
import { ResultReporter } from "./report_results.ts";
import { openSpareFiles, type SpareFiles } from "../host/spare_files.ts";
import { SpareMemory } from "./spare_memory.ts";
import { learnSecrets } from "./secrets.ts";
import { isStopFileThere } from "./stop_file.ts";
import { TurnAlone } from "./turn_alone.ts";
import type { Upkeep, WorkerOptions, WorkerSummary } from "./worker_options.ts";

export type { Upkeep, WorkerOptions, WorkerSummary };

/** Longest sleep without a look around, whatever poll_interval says. */
const MAX_SLEEP_MS = 60_000;
/** After the store refused something. */
const TROUBLE_PAUSE_MS = 500;
/** How soon a request to cancel is noticed when its wake-up got lost. */
const CANCEL_POLL_MS = 1_000;
/** Between two looks for the stop file by a busy worker: a tenth of what a short job costs, if it were before each. */
const STOP_LOOK_MS = 200;
/**
 * Between two looks for workers that are gone, by one that has nothing to do. A safety net: the holder of maintenance
 * looks every two seconds, and when it dies another takes over. Each look asks for the lock of every worker.
 */
const RESCUE_PAUSE_MS = 10_000;

/** Runs until it stops. Everything it started is put away when this returns. */
export async function runWorker(options: WorkerOptions): Promise<WorkerSummary> {
  // Of whoever started this worker. Jobs could read them, and would hold their locks.
  keepFilesFromChildren();
  const settings = await options.loadSettings();
  const { folder } = options.store;
  ownFolders(folder, "logs");
  ownFolders(folder, "run");
  const id = options.id ?? generateJobId();
  const lock = takeWorkerLock(`${folder}/run`, id);
  const guardian = startGuardian(lock.groupsPath);
  const spawner = openSpawner();
  const spares = openSpareFiles(lock.sparesBase);
  const worker = new Worker(id, options, { settings, lock, spawner, spares });
  try {
    return await worker.run();
  } finally {
    endPatternProcess();
    spawner.close();
    spares.close();
    await guardian.close();
    if (worker.leavesRuns) lock.abandon();
    else lock.release();
  }
}

class Worker {
  readonly #id: string;
  readonly #options: WorkerOptions;
  readonly #store: Store;
  readonly #reporter: ResultReporter;
  readonly #executor: ExecutorParts;
  readonly #gates: GateWatch;
  readonly #quiet: QuietLook;
  readonly #running = new Map<number, Execution>();
  readonly #turnAlone: TurnAlone;
  /** Rung when a slot is free, a job is ready, or it is time to stop. */
  readonly #bell = new Bell();
  readonly #exhaustion = new Exhaustion();
  readonly #turn = new FairTurn();
  readonly #spareMemory = new SpareMemory();
  #settings: Settings;
  #started = 0;
  #lastBusy: number;
  #counts = { completed: 0, failed: 0, dead: 0 };
  /** How many of those were there when the registration was last to say so soon. */
  #told = 0;
  /** Set once: why no more jobs are claimed. */
  #stopReason: string | undefined;
  /** Told to stop: by a signal, or by the stop file. */
  #isStopping = false;
  /** Running jobs are being ended: what is claimed at this moment does not start any more. */
  #isEnding = false;
  #isLost = false;
  /** A process of a run could not be ended: rescue is to find what this worker noted of it. */
  leavesRuns = false;
  #heartbeat: Heartbeat | undefined;
  #shutdownTimer: number | undefined;
  /** Monotonic times. */
  #lastCancelLook = -Infinity;
  #lastRescue = -Infinity;
  #lastStopLook = -Infinity;

  constructor(
    id: string,
    options: WorkerOptions,
    parts: { settings: Settings; lock: WorkerLock; spawner: Spawner; spares: SpareFiles },
  ) {
    this.#id = id;
    this.#options = options;
    this.#store = options.store;
    this.#gates = new GateWatch(options);
    this.#quiet = new QuietLook(options);
    this.#settings = parts.settings;
    this.#lastBusy = options.clock.monotonic();
    this.#turnAlone = new TurnAlone({ ...options, openGates: () => this.#gates.open() });
    this.#reporter = new ResultReporter(options.store, options.log);
    this.#executor = {
      clock: options.clock,
      spawner: parts.spawner,
      lock: parts.lock,
      left: new LeftGroups(options.store),
      spares: parts.spares,
      store: options.store,
      storeFolder: options.store.folder,
      launch: () => ({
        shell: this.#settings.values.shell,
        db: options.store.location,
        store: options.store.identity,
        forbids: forbiddenBy(this.#settings.values.allow_commands),
      }),
      outputLimitBytes: () => this.#settings.values.output_limit,
      earlierClaims: async ({ seq, claim }) =>
        (await this.#store.jobs.runs(seq)).map((run) => run.claim).filter((earlier) => earlier !== claim),
      redact: () => this.#settings.values.redact,
      onHeld: (job, pids) => void this.#sayHeld(job, pids),
      isStopping: () => this.#stopReason !== undefined,
    };
  }

  async run(): Promise<WorkerSummary> {
    const slots = this.#options.concurrency ?? this.#settings.values.worker_concurrency;
    await this.#learnSecrets();
    const upkeep = await register(this.#id, slots, this.#options);
    const watcher = this.#store.wake.watch(() => {
      // It may have been the wake-up of a request to cancel.
      this.#lastCancelLook = -Infinity;
      this.#bell.ring();
    });
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
        trouble: this.#exhaustion.trouble ?? this.#options.trouble?.() ?? null,
      }),
      onBeat: () => this.#followSettings(),
      onLost: () => this.#onLost(),
    });
    this.#followSignals();
    try {
      await this.#work(upkeep);
    } finally {
      clearTimeout(this.#shutdownTimer);
      await watcher.close();
      await upkeep?.stop();
      await heartbeat.stop();
      if (!this.#isLost && !this.leavesRuns) await unregister(this.#id, this.#options);
      this.#bell.close();
      this.#turn.close();
    }
    return { ...this.#counts, reason: this.#stopReason ?? "done" };
  }

  /** The loop: claim what there are slots for; when there is nothing, wait for something to happen. */
  async #work(upkeep: Upkeep | undefined): Promise<void> {
    while (true) {
      try {
        await this.#turn.due();
        this.#lookForStopFile();
        if (this.#running.size > 0) await this.#endCancelled();
        const holdBackMs = Math.max(
          this.#running.size > 0 ? await this.#turnAlone.holdBackMs() : 0,
          this.#exhaustion.holdBackMs(this.#options.clock.monotonic()),
        );
        const slots = this.#stopReason === undefined && holdBackMs === 0 ? this.#freeSlots() : 0;
        const isQuiet = slots > 0 && this.#options.only === undefined && await this.#quiet.isQuiet();
        if (slots > 0 && !isQuiet && await this.#claimAndStart(slots)) continue;
        if (slots > 0 && await this.#rescue(upkeep)) continue;
        if (this.#running.size === 0 && (this.#stopReason !== undefined || await this.#isDone())) return;
        this.#tellWhatIsDone();
        if (this.#running.size === 0) this.#spareMemory.giveBack(this.#options.clock.monotonic() - this.#lastBusy);
        await this.#bell.wait(Math.min(await this.#sleepMs({ canClaim: slots > 0, isQuiet }), holdBackMs || Infinity));
      } catch (error) {
        // Locked, full, out of reach: jobs that run go on, and so does the worker when the store is back.
        this.#options.log.error("the store is in trouble", { error: messageOf(error) });
        if (this.#running.size === 0 && this.#stopReason !== undefined) return;
        await new Promise((wake) => setTimeout(wake, TROUBLE_PAUSE_MS));
      }
    }
  }

  /** A worker with nothing to do tells how many jobs it has done; a busy one waits for its next beat. */
  #tellWhatIsDone(): void {
    const { completed, failed, dead } = this.#counts;
    if (this.#running.size > 0 || completed + failed + dead === this.#told) return;
    this.#told = completed + failed + dead;
    this.#heartbeat?.beatSoon();
  }

  #lookForStopFile(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#lastStopLook < STOP_LOOK_MS) return;
    this.#lastStopLook = now;
    if (isStopFileThere(this.#store.folder)) this.#stopGently("the file .stop_workers");
  }

  /** Starts as many jobs as there are slots and jobs. False when there were none. */
  async #claimAndStart(slots: number): Promise<boolean> {
    if (!this.#store.isSame()) {
      this.#stop("the database was replaced or upgraded");
      return false;
    }
    const isIdle = this.#running.size === 0;
    const { queues, only } = this.#options;
    if (only === undefined) await this.#gates.look();
    const jobs = await this.#store.jobs.claim({
      workerId: this.#id,
      slots,
      isIdle,
      // Jobs that run have to be looked after, also while others go first.
      isWanted: () => this.#stopReason === undefined && this.#running.size === 0,
      queues,
      only: only?.seq,
      judgeGate: this.#gates.judge,
      openGates: this.#gates.open(),
    });
    this.#gates.took(jobs);
    this.#quiet.claimed(jobs.length);
    if (jobs.length > 0) failpoint("after-claim");
    // Before any of them starts: the environment of one must not have the secrets of another.
    for (const job of jobs) learnSecrets(job.secret_env);
    for (const job of jobs) {
      if (this.#isEnding) this.#giveBack(job);
      else this.#start(job);
    }
    return jobs.length > 0;
  }

  /** Looks for jobs whose workers are gone. True when some can be claimed now. */
  async #rescue(upkeep: Upkeep | undefined): Promise<boolean> {
    const now = this.#options.clock.monotonic();
    // One that drains asks each time: what it misses is left undone.
    if (upkeep === undefined) return false;
    const isSoon = upkeep.isMaintaining() || now - this.#lastRescue < RESCUE_PAUSE_MS;
    if (isSoon && !this.#options.drain) return false;
    // One that is here for one job asks only when another worker has it.
    if (await this.#options.only?.isHeldBy({ than: this.#id }) === false) return false;
    this.#lastRescue = now;
    return await upkeep.rescue() > 0;
  }

  /** Ends those of the running jobs that somebody asked to cancel. */
  async #endCancelled(): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (now - this.#lastCancelLook < CANCEL_POLL_MS) return;
    this.#lastCancelLook = now;
    for (const seq of await this.#store.jobs.cancelRequests(this.#id)) this.#running.get(seq)?.end("cancelled");
  }

  #freeSlots(): number {
    const slots = this.#exhaustion.slots(this.#options.concurrency ?? this.#settings.values.worker_concurrency);
    // A job that crashed its worker before runs alone.
    for (const { job } of this.#running.values()) if (job.crashes > 0) return 0;
    const left = this.#options.maxJobs === undefined ? Infinity : this.#options.maxJobs - this.#started;
    return Math.min(slots - this.#running.size, left);
  }

  #start(job: Job): void {
    this.#started++;
    this.#spareMemory.isNeeded();
    this.#options.log.debug("job started", { id: job.id, run: job.run_count, attempt: job.attempts });
    const execution = execute(job, this.#executor);
    this.#running.set(job.seq, execution);
    void this.#see(execution);
  }

  /** Claimed while it was told to end everything: it does not start any more. */
  #giveBack(job: Job): void {
    const execution = { job, end() {}, ended: Promise.resolve(neverStarted(this.#options.clock.now())) };
    this.#running.set(job.seq, execution);
    void this.#see(execution);
  }

  /** Follows one job to its stored result, then frees the slot. */
  async #see(execution: Execution): Promise<void> {
    const { job } = execution;
    const ended = await execution.ended;
    if (ended === undefined) return this.#leave(job);
    this.#noteStart(job, ended.result);
    const finished = await this.#reporter.report({
      seq: job.seq,
      claim: job.claim,
      result: ended.result,
      finishedAt: ended.finishedAt,
      durationMs: ended.durationMs,
      maxCrashes: this.#settings.values.max_crashes,
      deadAreRetried: this.#settings.values.dead_retry_after > 0,
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

  /** Whether it could be started at all tells how the host is. */
  #noteStart({ id }: Job, result: RunResult): void {
    if (result.kind !== "interrupted") return this.#exhaustion.started();
    if (result.reason === undefined) return;
    // Nothing of it ran, so it does not count for --max-jobs.
    this.#started--;
    const now = this.#options.clock.monotonic();
    this.#exhaustion.failed(result.reason, { now, running: this.#running.size - 1 });
    const pauseMs = Math.round(this.#exhaustion.holdBackMs(now));
    this.#options.log.warn("job given back", { id, reason: result.reason, pause_ms: pauseMs });
  }

  /** It stays processing: its lock, its key and its place in the queue are those of a job that runs. */
  #leave(job: Job): void {
    this.leavesRuns = true;
    this.#options.log.error("running job left to rescue", { id: job.id, reason: "a process of it does not end" });
    this.#running.delete(job.seq);
    this.#bell.ring();
  }

  async #sayHeld(job: Job, pids: readonly number[]): Promise<void> {
    const reason = heldReason(pids);
    this.#options.log.warn("job waits for its processes", { id: job.id, reason });
    try {
      await this.#store.jobs.explain([{ seq: job.seq, claim: job.claim }], reason);
    } catch (error) {
      // The log has it.
      this.#options.log.warn("reason not stored", { id: job.id, error: messageOf(error) });
    }
  }

  /** Nothing runs and nothing was there to claim: is that all, for this worker? */
  async #isDone(): Promise<boolean> {
    const { maxJobs, idleExitMs, drain, clock, only } = this.#options;
    if (only !== undefined && await only.isOver(this.#id)) return this.#over(`job ${only.id} needs it no more`);
    if (maxJobs !== undefined && this.#started >= maxJobs) return this.#over(`ran ${maxJobs} jobs`);
    if (idleExitMs !== undefined && clock.monotonic() - this.#lastBusy >= idleExitMs) return this.#over("idle");
    const deadAreRetried = this.#settings.values.dead_retry_after > 0;
    if (drain && await isDrained(this.#options, { deadAreRetried })) return this.#over("drained");
    return false;
  }

  #over(reason: string): true {
    this.#stopReason ??= reason;
    return true;
  }

  /** Until the next due time, the end of patience, or the safety net. */
  async #sleepMs({ canClaim, isQuiet }: { canClaim: boolean; isQuiet: boolean }): Promise<number> {
    const { clock, idleExitMs, only } = this.#options;
    const limits = [this.#settings.values.poll_interval, MAX_SLEEP_MS];
    if (this.#running.size > 0) limits.push(this.#lastCancelLook + CANCEL_POLL_MS - clock.monotonic());
    if (canClaim) {
      const due = isQuiet
        ? this.#quiet.nextAt
        : only === undefined
        ? await this.#store.jobs.nextDue()
        : clock.now() + only.sleepMs();
      if (due !== undefined) limits.push(due - clock.now());
    }
    if (idleExitMs !== undefined && this.#running.size === 0) {
      limits.push(idleExitMs - (clock.monotonic() - this.#lastBusy));
    }
    const mostMs = Math.max(0, Math.min(...limits));
    return canClaim && !isQuiet && only === undefined ? await this.#gates.sleepMs(mostMs) : mostMs;
  }

  async #followSettings(): Promise<void> {
    this.#settings = await this.#options.loadSettings();
    await this.#learnSecrets();
  }

  async #learnSecrets(): Promise<void> {
    learnSecrets(this.#settings.values.secret_env);
    for (const { job } of await this.#store.templates.list()) learnSecrets(job.secret_env);
  }

  #followSignals(): void {
    const { signals } = this.#options;
    void signals.first.then((signal) => this.#stopGently(signal));
    void signals.second.then((signal) => this.#endAll(`second ${signal}`));
  }

  /** Lets running jobs finish, for as long as shutdown_timeout allows. */
  #stopGently(why: string): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { shutdown_timeout: limitMs } = this.#settings.values;
    this.#options.log.info("stopping after running jobs", { why, running: this.#running.size });
    this.#stop(`stopped by ${why}`);
    if (limitMs > 0) this.#shutdownTimer = setTimeout(() => this.#endAll("shutdown_timeout is over"), limitMs);
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
    this.#isEnding = true;
    for (const execution of this.#running.values()) execution.end("interrupted");
  }

  #onLost(): void {
    this.#isLost = true;
    this.#options.log.error("registration lost: somebody took this worker for dead", { id: this.#id });
    this.#stop("its registration was lost");
    this.#endAll("registration lost");
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
