/**
 * What a worker that was started for one job needs to know about it: whether
 * there is anything left to do, and when to look again.
 *
 * It sees to the retries of its job, too. It leaves when the job is final, is
 * gone, or is in the hands of another worker.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { NotFoundError } from "../core/errors.ts";
import type { Job } from "../core/job.ts";
import { isFinal } from "../core/job_state.ts";
import type { Store } from "../store/mod.ts";

/** A job that is held back (a full queue, a held lock) is tried this often: whoever frees it does not know of us. */
const HELD_BACK_MS = 100;

export class OneJob {
  readonly id: string;
  readonly seq: number;
  readonly #store: Store;
  readonly #clock: Clock;
  #job: Job;

  constructor(job: Job, { store, clock }: { store: Store; clock: Clock }) {
    this.id = job.id;
    this.seq = job.seq;
    this.#job = job;
    this.#store = store;
    this.#clock = clock;
  }

  /** Asked when nothing runs and nothing could be claimed. */
  async isOver(workerId: string): Promise<boolean> {
    const job = await this.#find();
    if (job === undefined || isFinal(job.state)) return true;
    this.#job = job;
    if (job.state === "processing") return job.worker_id !== workerId && await this.#isElsewhere(job.worker_id);
    if (job.reserved_for === null || job.reserved_for === workerId) return false;
    // Reserved for a worker that is registered, it is that one's business; else nobody's, and so ours.
    if (await this.#isElsewhere(job.reserved_for)) return true;
    await this.#store.jobs.freeReserved({ untouchedSince: Infinity, only: this.seq });
    return false;
  }

  /** Whether another worker has it, which may be gone. */
  async isHeldBy(another: { than: string }): Promise<boolean> {
    const job = await this.#find();
    if (job === undefined || isFinal(job.state)) return false;
    const owner = job.state === "processing" ? job.worker_id : job.reserved_for;
    return owner !== null && owner !== another.than;
  }

  /** Until it may be ours to run. */
  sleepMs(): number {
    const { state, run_at: runAt } = this.#job;
    if (state === "pending" || runAt === null) return HELD_BACK_MS;
    return Math.max(0, runAt - this.#clock.now());
  }

  async #isElsewhere(workerId: string | null): Promise<boolean> {
    return (await this.#store.workers.list()).some((worker) => worker.id === workerId);
  }

  async #find(): Promise<Job | undefined> {
    try {
      const job = await this.#store.jobs.find(this.id);
      return job.seq === this.seq ? job : undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
