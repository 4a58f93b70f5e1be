/**
 * Counts each run that ended, in the transaction that stores its result. Late
 * results are not counted: those runs were, when they were taken for lost.
 *
 * The tally of a queue and priority is one row, changed in place. When the
 * first run of another minute ends, the row as it was is kept in `minutes`.
 * @module
 */
import { type CountedRun, countRun, emptyTally, extremesOf, minuteOf, nextMinute } from "../../core/tally.ts";
import type { Statements } from "./statements.ts";

export const MINUTE_MS = 60_000;

/** What stands in the column `state` of job_counts in the row of a tally. */
export const TALLY_PREFIX = "tally:";

export interface RecordedRun extends CountedRun {
  readonly queue: string;
  readonly priority: number;
  readonly finishedAt: number;
}

/** Runs inside a write transaction; the statements are those of `claim.sql`. */
export function recordRun(sql: Statements, run: RecordedRun): void {
  const { queue, priority } = run;
  const name = TALLY_PREFIX + priority;
  const minute = Math.floor(run.finishedAt / MINUTE_MS);
  const stored = sql("tally").get(queue, name)?.tally as Uint8Array | null | undefined;
  if (stored == null) {
    sql("new_tally").run(queue, name, countRun(emptyTally(minute), run));
    return;
  }
  // One that ended before, or on a clock that went back, counts for the minute that is under way.
  if (minuteOf(stored) < minute) {
    const { shortestMs, longestMs, longestSeq, leastWaitMs, mostWaitMs } = extremesOf(stored);
    sql("keep_minute").run(
      queue,
      priority,
      minuteOf(stored),
      stored,
      shortestMs,
      longestMs,
      longestSeq,
      leastWaitMs,
      mostWaitMs,
    );
    nextMinute(stored, minute);
  }
  sql("put_tally").run(countRun(stored, run), queue, name);
}
