/**
 * What became of runs within a time, or ever: how many, how they ended, how
 * long they took and waited, and how busy the workers were.
 *
 * All of it comes from tallies, so that it takes as long for ten jobs as for
 * ten million. Percentiles are read from buckets and within 9 % of the truth;
 * averages, the shortest and the longest are exact.
 * @module
 */
import { type Histogram, percentile } from "../core/histogram.ts";
import type { JobState } from "../core/job_state.ts";
import { STATES } from "../core/job_state.ts";
import { failedRunsOf, NO_RUNS, plus, runsOf, type Tally } from "../core/tally.ts";
import type { QueueTally, SlowRun, Store } from "../store/mod.ts";

/** The minutes of the history are kept this long; what is older is known as a sum only. */
export const HISTORY_MS = 7 * 24 * 60 * 60_000;

const MINUTE_MS = 60_000;

export interface StatsRequest {
  readonly now: number;
  /** Runs that ended since; undefined: ever. Rounded down to its minute. */
  readonly since?: number | undefined;
  readonly queue?: string | undefined;
  /** How many of the slowest. Default: 5. */
  readonly slowest?: number;
}

/** How a quantity is spread, in milliseconds; null where nothing was measured. */
export interface Spread {
  readonly count: number;
  readonly avg: number | null;
  readonly median: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** What became of the runs of some jobs. */
export interface RunStats {
  readonly runs: number;
  readonly succeeded: number;
  /** Ended and did not succeed, however: exit code, signal, timeout, not started. */
  readonly failed: number;
  readonly timedOut: number;
  readonly killed: number;
  readonly notStarted: number;
  readonly snoozed: number;
  readonly cancelled: number;
  readonly interrupted: number;
  readonly lost: number;
  readonly retries: number;
  /** Jobs that ended dead. */
  readonly dead: number;
  /** Succeeded runs among those that succeeded or failed; null when there was none. */
  readonly successRate: number | null;
  readonly duration: Spread;
  readonly wait: Spread;
}

export interface Stats {
  readonly from: number | null;
  readonly until: number;
  readonly queue: string | null;
  /** Jobs that exist now, by state. */
  readonly jobs: Readonly<Record<JobState, number>>;
  /** Jobs ever added, those removed since included. Of all queues. */
  readonly enqueued: number;
  readonly total: RunStats;
  /** Runs that ended, by the minute. */
  readonly perMinute: number | null;
  readonly byQueue: readonly (RunStats & { readonly queue: string })[];
  readonly byPriority: readonly (RunStats & { readonly priority: number })[];
  readonly slowest: readonly SlowRun[];
  readonly workers: WorkerStats;
}

export interface WorkerStats {
  readonly registered: number;
  readonly slots: number;
  readonly busySlots: number;
  /** Slots times the milliseconds for which they were there. */
  readonly slotMs: number;
  /** For how long of that they ran a job of those asked for. */
  readonly busyMs: number;
  /** 0 to 1; null when no worker was there. */
  readonly utilization: number | null;
  /** Transactions of workers that had to wait for another process. */
  readonly busyRetries: number;
}

export async function readStats(store: Store, request: StatsRequest): Promise<Stats> {
  const { now, since, queue, slowest = 5 } = request;
  const filter = { ...(since === undefined ? {} : { since }), ...(queue === undefined ? {} : { queue }) };
  const tallies = await store.history.tallies(filter);
  const jobs = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<JobState, number>;
  for (const count of await store.jobs.counts()) {
    if (queue === undefined || count.queue === queue) jobs[count.state] += count.n;
  }
  const total = sumOf(tallies);
  return {
    from: since === undefined ? null : startOfMinute(since),
    until: now,
    queue: queue ?? null,
    jobs,
    enqueued: await store.history.enqueued(),
    total: statsOf(total),
    perMinute: await perMinute(store, request, tallies),
    byQueue: grouped(tallies, (tally) => tally.queue).map(([name, group]) => ({ queue: name, ...group }))
      .sort((a, b) => b.runs - a.runs || (a.queue < b.queue ? -1 : 1)),
    byPriority: grouped(tallies, (tally) => tally.priority).map(([priority, group]) => ({ priority, ...group }))
      .sort((a, b) => b.priority - a.priority),
    slowest: await store.history.slowest(filter, slowest),
    workers: await workerStats(store, since, total.tally.busyMs),
  };
}

function startOfMinute(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** Runs for each minute since then; without a beginning, of the time whose minutes are kept. */
async function perMinute(
  store: Store,
  { now, since, queue }: StatsRequest,
  tallies: readonly QueueTally[],
): Promise<number | null> {
  const firsts = tallies.map(({ firstMinuteAt }) => firstMinuteAt).filter((at) => at !== null);
  if (firsts.length === 0) return null;
  const first = Math.min(...firsts);
  const from = startOfMinute(since ?? Math.max(first, now - HISTORY_MS));
  const recent = since === undefined && first < from
    ? await store.history.tallies({ since: from, ...(queue === undefined ? {} : { queue }) })
    : tallies;
  // A minute that has just begun is not yet a minute; half a second of it would make a rate of thousands.
  const minutes = Math.max(1, (now - from) / MINUTE_MS);
  return runsOf(sumOf(recent).tally) / minutes;
}

async function workerStats(store: Store, since: number | undefined, busyMs: number): Promise<WorkerStats> {
  const workers = await store.workers.list();
  const { slotMs, busyRetries } = await store.history.workerTime(since);
  return {
    registered: workers.length,
    slots: workers.reduce((sum, worker) => sum + worker.slots, 0),
    busySlots: workers.reduce((sum, worker) => sum + worker.jobs.length, 0),
    slotMs,
    busyMs,
    // A run counts when it ends, with the time from before the beginning: it may come to more than there was.
    utilization: slotMs === 0 ? null : Math.min(1, busyMs / slotMs),
    busyRetries,
  };
}

type Summed = Pick<QueueTally, "tally" | "extremes">;

const NOTHING: Summed = {
  tally: NO_RUNS,
  extremes: { shortestMs: null, longestMs: null, leastWaitMs: null, mostWaitMs: null },
};

function sumOf(tallies: readonly Summed[]): Summed {
  return tallies.reduce((a, b) => ({
    tally: plus(a.tally, b.tally),
    extremes: {
      shortestMs: chosen(Math.min, a.extremes.shortestMs, b.extremes.shortestMs),
      longestMs: chosen(Math.max, a.extremes.longestMs, b.extremes.longestMs),
      leastWaitMs: chosen(Math.min, a.extremes.leastWaitMs, b.extremes.leastWaitMs),
      mostWaitMs: chosen(Math.max, a.extremes.mostWaitMs, b.extremes.mostWaitMs),
    },
  }), NOTHING);
}

function chosen(choose: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : choose(a, b);
}

/** Groups in which nothing ended are left out. */
function grouped<K>(tallies: readonly QueueTally[], keyOf: (tally: QueueTally) => K): [K, RunStats][] {
  return [...Map.groupBy(tallies, keyOf)].map(([key, group]): [K, RunStats] => [key, statsOf(sumOf(group))])
    .filter(([, stats]) => stats.runs > 0);
}

function statsOf({ tally, extremes }: Summed): RunStats {
  const { outcomes } = tally;
  const failed = failedRunsOf(tally);
  const judged = outcomes.succeeded + failed;
  return {
    runs: runsOf(tally),
    succeeded: outcomes.succeeded,
    failed,
    timedOut: outcomes.timed_out,
    killed: outcomes.killed,
    notStarted: outcomes.not_started,
    snoozed: outcomes.snoozed,
    cancelled: outcomes.cancelled,
    interrupted: outcomes.interrupted,
    lost: outcomes.lost,
    retries: tally.retries,
    dead: tally.dead,
    successRate: judged === 0 ? null : outcomes.succeeded / judged,
    duration: spreadOf(tally.durations, tally.durationMs, { min: extremes.shortestMs, max: extremes.longestMs }),
    wait: spreadOf(tally.waits, tally.waitMs, { min: extremes.leastWaitMs, max: extremes.mostWaitMs }),
  };
}

function spreadOf(
  histogram: Histogram,
  sumMs: Tally["durationMs"],
  bounds: { min: number | null; max: number | null },
): Spread {
  const count = histogram.reduce((sum, n) => sum + n, 0);
  return {
    count,
    avg: count === 0 ? null : Math.round(sumMs / count),
    median: percentile(histogram, 0.5, bounds),
    p95: percentile(histogram, 0.95, bounds),
    p99: percentile(histogram, 0.99, bounds),
    min: count === 0 ? null : bounds.min,
    max: count === 0 ? null : bounds.max,
  };
}
