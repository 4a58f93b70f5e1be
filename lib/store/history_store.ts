/**
 * What a store remembers of runs beyond the jobs themselves: counts, sums and
 * how durations are spread, by the minute.
 * @module
 */
import type { Job } from "../core/job.ts";
import type { MinuteExtremes, Tally } from "../core/tally.ts";

/**
 * What became of runs, by the minute in which they ended. Written with each result, in its transaction. The
 * minutes themselves are kept for a week (`prune`), their sums for ever.
 */
export interface HistoryStore {
  /** What was counted, by queue and priority: since a time (rounded down to its minute), or ever. */
  tallies(filter: HistoryFilter): Promise<readonly QueueTally[]>;
  /** The same, minute by minute, oldest first. Minutes in which nothing ended are left out. */
  minutes(filter: HistoryFilter): Promise<readonly MinuteTally[]>;
  /** Jobs with the longest runs, longest first: of those that still exist. */
  slowest(filter: HistoryFilter, limit: number): Promise<readonly SlowRun[]>;
  /** What workers had to give since a time, or ever. */
  workerTime(since?: number): Promise<WorkerTime>;
  /** How many jobs were ever added, removed ones included. */
  enqueued(): Promise<number>;
  /** Since when the job of a queue waits that came first of those that are pending. */
  oldestPending(queue: string): Promise<number | undefined>;
  /** Forgets minutes from before; the sums stay. Returns how many. */
  prune(before: number): Promise<number>;
}

export interface HistoryFilter {
  readonly since?: number;
  readonly queue?: string;
}

export interface QueueTally {
  readonly queue: string;
  readonly priority: number;
  readonly tally: Tally;
  /** Beginning of the first minute in which something was counted; null when nothing was. */
  readonly firstMinuteAt: number | null;
  readonly extremes: Omit<MinuteExtremes, "longestSeq">;
}

export interface MinuteTally {
  /** Beginning of the minute. */
  readonly at: number;
  readonly queue: string;
  readonly priority: number;
  readonly tally: Tally;
}

export interface SlowRun {
  readonly job: Job;
  /** Of its longest run; the job may have had others since. */
  readonly durationMs: number;
}

export interface WorkerTime {
  /** Slots times the milliseconds for which they were there. */
  readonly slotMs: number;
  /** Transactions of workers that had to wait for another process. */
  readonly busyRetries: number;
}
