/**
 * Sees to it that a job has a worker: starts one for it alone, detached, with
 * this process's environment; and another one when that dies before its work
 * is done.
 *
 * The worker outlives this process. Killing the one who shows a job does not
 * touch the job.
 * @module
 */
import { QueuectlError } from "../../core/errors.ts";
import { generateJobId } from "../../core/job_id.ts";
import type { Job } from "../../core/job.ts";
import { isFinal } from "../../core/job_state.ts";
import type { Store } from "../../store/store.ts";
import { refuseWhileStopped } from "../../worker/stop_file.ts";
import { sameStore, type SpawnedSelf, spawnSelf } from "../../worker/spawn_self.ts";

/** Workers that end in a row without having begun a run of the job: something is wrong with this machine. */
const MAX_IN_VAIN = 3;

/** How often it is asked whether the job has what it needs. */
const TEND_MS = 500;

export interface KeeperOptions {
  readonly store: Store;
  /** As the worker is to be told it. */
  readonly dbPath: string;
  readonly jobId: string;
  /** Whether the worker of this id is there; a registration alone proves nothing. */
  readonly isAlive: (workerId: string) => Promise<boolean>;
}

export class WorkerKeeper {
  readonly #options: KeeperOptions;
  #worker: { readonly id: string; hasEnded: boolean } | undefined;
  #runsBefore = 0;
  #inVain = 0;
  #timer: number | undefined;
  #tending: Promise<void> = Promise.resolve();
  #isStopped = false;
  readonly #failure = Promise.withResolvers<never>();

  constructor(options: KeeperOptions) {
    this.#options = options;
    // Nobody may be listening when nothing fails.
    this.#failure.promise.catch(() => {});
  }

  /** Rejects when no worker can be had for the job. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /** Starts the worker for which the job is reserved. @throws {QueuectlError} when that is impossible now. */
  start(workerId: string): void {
    refuseWhileStopped(this.#options.store.folder);
    const { args, env } = sameStore(this.#options.dbPath);
    const spawned = spawnSelf([...args, "__run", this.#options.jobId, workerId], { env });
    const worker = { id: workerId, hasEnded: false };
    this.#worker = worker;
    void this.#follow(spawned, worker);
  }

  /** Looks after the job from now on. */
  tend(): void {
    this.#timer = setTimeout(() => this.#tending = this.#look(), TEND_MS);
  }

  /** Leaves job and worker to themselves. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#tending;
  }

  async #follow(spawned: SpawnedSelf, worker: { hasEnded: boolean }): Promise<void> {
    await spawned.ended();
    worker.hasEnded = true;
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    await this.#tending;
    if (!this.#isStopped) this.#tending = this.#look();
  }

  async #look(): Promise<void> {
    try {
      const job = await this.#options.store.jobs.find(this.#options.jobId);
      if (this.#isStopped || isFinal(job.state)) return;
      if (await this.#needsWorker(job)) this.#startAnother(job);
    } catch (error) {
      this.#failure.reject(error);
      return;
    }
    if (!this.#isStopped) this.tend();
  }

  async #needsWorker(job: Job): Promise<boolean> {
    if (this.#worker?.hasEnded === false) return false;
    const owner = job.state === "processing" ? job.worker_id : job.reserved_for;
    return owner === null || !await this.#options.isAlive(owner);
  }

  #startAnother(job: Job): void {
    this.#inVain = job.run_count > this.#runsBefore ? 0 : this.#inVain + 1;
    this.#runsBefore = job.run_count;
    if (this.#inVain > MAX_IN_VAIN) {
      throw new QueuectlError(
        "failed",
        `Cannot run job "${job.id}": its worker ended ${MAX_IN_VAIN} times before it began`,
        {
          hint: `queuectl worker run --drain, which says why; job ${job.id} stays in the queue`,
        },
      );
    }
    this.start(generateJobId());
  }
}
