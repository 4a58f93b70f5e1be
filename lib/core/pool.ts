/**
 * A pool: workers with the same options on one host, kept at a number by a
 * supervisor. Here are the rules by which it decides what to do next; it looks,
 * asks `planPool`, does that, and looks again.
 * @module
 */

/** Workers started by `worker run`, and nobody keeps their number. */
export const FOREGROUND_POOL = "foreground";

/** Workers that `queuectl run` started, each for one job. */
export const RUN_POOL = "run";

/** Names that nobody may give to a pool. */
export const UNSUPERVISED_POOLS: readonly string[] = [FOREGROUND_POOL, RUN_POOL];

/** Whether a worker takes jobs of a queue as they come. */
export function servesQueue(
  worker: { readonly pool: string; readonly queues: readonly string[] | null },
  queue: string,
): boolean {
  return worker.pool !== RUN_POOL && (worker.queues?.includes(queue) ?? true);
}

/** The pool that is meant when nobody names one. */
export const USUAL_POOL = "default";

/** More processes than this on one host only wait for each other. */
export const MAX_WORKERS = 256;

/** What somebody asked for. */
export interface PoolOptions {
  /** How many workers there are to be. */
  readonly count: number;
  /** Slots of each; null: the setting worker_concurrency. */
  readonly concurrency: number | null;
  /** Queues in strict order; null: all, fairly. */
  readonly queues: readonly string[] | null;
}

/** What a supervisor sees of one live worker of its pool. */
export interface PoolWorker {
  readonly id: string;
  /** Of the pool when it was started; raised by each restart. */
  readonly generation: number | null;
  /** Takes no more jobs, or was told so. */
  readonly isDraining: boolean;
  /** How many jobs it runs. */
  readonly busy: number;
}

export interface PoolView {
  readonly count: number;
  readonly generation: number;
  /** The pool is to end. */
  readonly isStopping: boolean;
  /** In the order in which they started. */
  readonly workers: readonly PoolWorker[];
  /** Started and not registered yet. */
  readonly starting: number;
}

export interface PoolPlan {
  /** So many workers are to be started. */
  readonly start: number;
  /** These finish what they run and end. */
  readonly drain: readonly string[];
}

/**
 * What brings the pool nearer to what was asked for. While it is being
 * restarted, one new worker is started at a time, and an old one is let go when
 * the new one is there: the number never falls below what was asked for.
 */
export function planPool({ count, generation, isStopping, workers, starting }: PoolView): PoolPlan {
  const working = workers.filter((worker) => !worker.isDraining);
  if (isStopping) return { start: 0, drain: working.map(({ id }) => id) };
  const old = working.filter((worker) => worker.generation !== generation);
  const present = working.filter((worker) => worker.generation === generation);
  const missing = count - present.length - starting;
  const vacant = count - working.length - starting;
  const step = old.length > 0 && starting === 0 ? 1 : 0;
  const surplus = working.length - count;
  // The old ones first; of the others those that are done soonest: least jobs, and of equals the youngest.
  const dispensable = [...old, ...present.toReversed().sort((a, b) => a.busy - b.busy)];
  return {
    start: Math.max(0, Math.min(missing, Math.max(vacant, step))),
    drain: dispensable.slice(0, Math.max(0, surplus)).map(({ id }) => id),
  };
}

/** From the first death to the next start. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** A pool without a death for so long is taken for sound. */
const SOUND_AFTER_MS = 60_000;

/**
 * When workers that died may be replaced: 1 s after the first death, then twice
 * as long each time, up to 30 s. Those that die together count as one. Times
 * are monotonic.
 */
export class RestartBackoff {
  #deaths = 0;
  #lastDeath = -Infinity;
  #until = -Infinity;

  /** A worker ended that nobody had told to. */
  died(now: number): void {
    if (now < this.#until) return;
    if (now - this.#lastDeath > SOUND_AFTER_MS) this.#deaths = 0;
    this.#until = now + Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#deaths++);
    this.#lastDeath = now;
  }

  /** How long to wait before the next start; 0: not at all. */
  leftMs(now: number): number {
    return Math.max(0, this.#until - now);
  }
}

/** The options that differ, by name; those that were not given count as equal. */
export function differences(running: PoolOptions, asked: Partial<PoolOptions>): readonly string[] {
  const found: string[] = [];
  if (asked.count !== undefined && asked.count !== running.count) found.push(`--count is ${running.count}`);
  if (asked.concurrency !== undefined && asked.concurrency !== running.concurrency) {
    found.push(`--concurrency is ${running.concurrency ?? "the setting"}`);
  }
  if (asked.queues !== undefined && asked.queues?.join() !== running.queues?.join()) {
    found.push(`--queue is ${running.queues?.join(",") ?? "all"}`);
  }
  return found;
}
