/**
 * Notices that more processes want the write lock than can use it, so that
 * those whose work others could do as well stand back for a moment.
 *
 * With 32 workers on two cores each got the lock in turn, for one short job, and
 * by then the processor had forgotten all that this worker needs: a job cost it
 * twice the time that it costs one of four. Now a worker that finds the lock taken
 * when it comes to claim leaves the jobs to those that got in, who do one after
 * the other; and it is chance who gets in next. Jobs per second of 32 workers
 * against 4, medians of several runs: 0.78x before, 0.92x so.
 *
 * What tells is how long this process waited for the lock lately. Mean of the last
 * transactions with short jobs on two cores, median and worst in a hundred:
 * 4 workers 0.6 and 3.5 ms, 8 workers 1.8 and 7.9 ms, 32 workers 13 and 26 ms.
 * Workers that all claim at one moment, and then run long jobs, are no crowd.
 * @module
 */

const CROWDED_MS = 3;
/** Share of the latest wait in the mean. The longest wait there is, alone, makes no crowd: 0.05 x 50 ms is less. */
const LATEST_SHARE = 0.05;
/**
 * For each worker there is, so that on average one comes back after each such time: some short jobs of those that got
 * in. When it is others who hold the lock, commands that add jobs say, the workers together lose no more than that.
 */
const STAND_BACK_MS = 12;
const MOST_STAND_BACK_MS = 600;
/** One that found the lock taken so often in a row waits for it like all others. */
export const MOST_IN_A_ROW = 3;

export class Crowd {
  /** How many workers there are. */
  size = 1;
  #meanWaitMs = 0;

  /** To be told of every wait for the lock, also of those that were given up. */
  waited(ms: number): void {
    this.#meanWaitMs += LATEST_SHARE * (ms - this.#meanWaitMs);
  }

  isThere(): boolean {
    return this.#meanWaitMs > CROWDED_MS;
  }

  /** Spread, so that not all come back at once. */
  standBackMs(): number {
    return Math.min(MOST_STAND_BACK_MS, this.size * STAND_BACK_MS) * (0.5 + Math.random());
  }
}
