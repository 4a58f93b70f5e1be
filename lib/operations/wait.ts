/**
 * Waits until jobs have ended.
 *
 * It looks at the store again and again, after pauses that grow with the time
 * waited: a job that takes 50 ms is noticed within a few, one that takes an
 * hour costs ten small reads a second. Results do not announce themselves:
 * that would cost every job something, waited for or not; and the wake file
 * tells of each job that becomes ready, which on a busy queue would wake a
 * waiter a thousand times for nothing.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { Job } from "../core/job.ts";
import { jobExitCode } from "../core/job_end.ts";
import { FINAL_STATES, isFinal, STATES } from "../core/job_state.ts";
import type { JobFilter, Store } from "../store/mod.ts";

/** The pause is this share of the time waited so far ... */
const PAUSE_SHARE = 0.1;
/** ... but never shorter, for the sake of the store ... */
const MIN_PAUSE_MS = 5;
/** ... nor longer, for the sake of whoever waits. */
const MAX_PAUSE_MS = 100;

const UNFINISHED = STATES.filter((state) => !isFinal(state));

export interface WaitOptions {
  readonly clock: Clock;
  /** Default: for ever. */
  readonly timeoutMs?: number | undefined;
  /** The end of one of them is enough. */
  readonly any?: boolean;
  /** Called before each pause, with a job that has not ended. */
  readonly onWaiting?: (job: Job, waitedMs: number) => void | Promise<void>;
}

export type Waited =
  /** All have ended, or with `any` the first one: `jobs` holds those that were waited for by name, or that first one. */
  | { readonly kind: "ended"; readonly jobs: readonly Job[]; readonly areAllCompleted: boolean }
  /** The time is over. */
  | { readonly kind: "timed_out"; readonly job: Job }
  /** Nothing matches, so there is nothing to wait for. */
  | { readonly kind: "nothing" };

/** Waits for jobs by id. @throws {NotFoundError} for an unknown id, also of one that is removed meanwhile. */
export async function waitForJobs(store: Store, ids: readonly string[], options: WaitOptions): Promise<Waited> {
  const jobs = await Promise.all(ids.map((id) => store.jobs.find(id)));
  const look = async (): Promise<Waited | Job> => {
    let waitsFor: Job | undefined;
    for (const [i, job] of jobs.entries()) {
      const now = isFinal(job.state) ? job : await store.jobs.find(job.id);
      jobs[i] = now;
      if (isFinal(now.state) && options.any) return ended([now]);
      if (isFinal(now.state)) continue;
      waitsFor ??= now;
      // All must end, and this one has not: the others can be looked at later.
      if (!options.any) break;
    }
    return waitsFor ?? ended(jobs);
  };
  return await until(look, options);
}

/** Waits until every job that the filter takes has ended, those that are added meanwhile too. */
export async function waitForMatching(store: Store, filter: JobFilter, options: WaitOptions): Promise<Waited> {
  const first = async (states: JobFilter["states"] & object) =>
    (await store.jobs.list({ ...filter, states, limit: 1 }))[0];
  const look = async (): Promise<Waited | Job> => {
    const unfinished = await first(UNFINISHED);
    if (options.any) {
      const final = await first(FINAL_STATES);
      if (final !== undefined) return ended([final]);
    }
    if (unfinished !== undefined) return unfinished;
    const bad = await first(["dead", "cancelled"]);
    if (bad !== undefined) return { kind: "ended", jobs: [], areAllCompleted: false };
    return await first(["completed"]) === undefined
      ? { kind: "nothing" }
      : { kind: "ended", jobs: [], areAllCompleted: true };
  };
  return await until(look, options);
}

/** The number that stands for the end of one job. */
export async function exitCodeOfJob(store: Store, job: Job): Promise<number> {
  // By number: a retry may have begun another run since the job was read.
  const last = (await store.jobs.runs(job.seq)).find((run) => run.run === job.run_count);
  return jobExitCode(job, last);
}

function ended(jobs: readonly Job[]): Waited {
  return { kind: "ended", jobs, areAllCompleted: jobs.every((job) => job.state === "completed") };
}

/** Looks until there is an answer or the time is over; a job as answer means: not yet, because of this one. */
async function until(look: () => Promise<Waited | Job>, options: WaitOptions): Promise<Waited> {
  const { clock, timeoutMs = Infinity } = options;
  const startedAt = clock.monotonic();
  while (true) {
    const seen = await look();
    if ("kind" in seen) return seen;
    const waitedMs = clock.monotonic() - startedAt;
    if (waitedMs >= timeoutMs) return { kind: "timed_out", job: seen };
    await options.onWaiting?.(seen, waitedMs);
    await pause(Math.min(pauseMs(waitedMs), timeoutMs - waitedMs));
  }
}

/** How long to wait for the next look after this much waiting. */
export function pauseMs(waitedMs: number): number {
  return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE));
}

function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
