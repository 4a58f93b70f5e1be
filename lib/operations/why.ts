/**
 * Gathers what decides whether a job can run now, and explains it.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { GateVerdict } from "../core/gate.ts";
import type { Job } from "../core/job.ts";
import { servesQueue, USUAL_POOL } from "../core/pool.ts";
import { type Why, why, type WorkerFact } from "../core/why.ts";
import type { Store } from "../store/mod.ts";

/** A worker that lives. */
export interface LiveWorker {
  readonly id: string;
  readonly pool: string;
  /** null: all. */
  readonly queues: readonly string[] | null;
  readonly slots: number;
  readonly jobs: readonly string[];
}

export interface WhyParts {
  /** Those that live: a registration alone proves nothing. */
  readonly workers: readonly LiveWorker[];
  readonly clock: Clock;
  /** Whether a gate is open on this host. Default: what was seen before is told. */
  readonly judgeGate?: ((gate: string) => GateVerdict) | undefined;
}

/** The one reason why a job is where it is. */
export async function explainJob(store: Store, job: Job, { workers, clock, judgeGate }: WhyParts): Promise<Why> {
  const queue = (await store.queues.list()).find(({ name }) => name === job.queue);
  const limit = queue?.concurrency ?? null;
  const running = limit === null ? [] : await store.jobs.list({ states: ["processing"], queues: [job.queue], limit });
  return why({
    job,
    now: clock.now(),
    queue: { paused: queue?.paused ?? false, concurrency: limit },
    running: running.map(({ id }) => id),
    rateFreeAt: queue?.rate == null ? undefined : await store.queues.rateFreeAt(job.queue),
    lockHolder: job.lock === null ? undefined : await store.jobs.lockHolder(job.lock),
    gateHere: job.when === null ? undefined : judgeGate?.(job.when),
    parents: job.state === "blocked" ? await store.jobs.parents(job.seq) : [],
    workers: workers.filter((worker) => servesQueue(worker, job.queue)).map(toFact),
    isUsualPoolElsewhere: workers.some((worker) => worker.pool === USUAL_POOL && !servesQueue(worker, job.queue)),
  });
}

function toFact({ id, slots, jobs }: LiveWorker): WorkerFact {
  return { id, slots, busy: jobs.length };
}
