/**
 * Notices that more processes want the write lock than can use it, so that
 * those whose work others could do as well stand back for a moment.
 *
 * With 32 workers on two cores each got the lock in turn, for one short job, and
 * by then the processor had forgotten all that this worker needs: a job cost it
 * twice the time that it costs one of four. Now a worker that finds the lock taken
 * when it comes to claim leaves the jobs to those that got in, who do one after
 * the other; and it is chance who gets in next. Jobs per second of 32 workers
 * against 4, medians of 8 runs: 0.78x before, 0.90x so.
 *
 * What tells is how long this process waited for the lock lately. Mean of the last
 * transactions with short jobs on two cores, median and worst in a hundred:
 * 4 workers 0.6 and 3.5 ms, 8 workers 1.8 and 7.9 ms (as many jobs per second as
 * by 4), 32 workers 13 and 26 ms. Workers that all claim at one moment, and then
 * run long jobs, are no crowd.
 * @module
 */

/** More than a tenth of the longest wait there is: one long wait alone is no crowd. */
const CROWDED_MS = 6;
/** Share of the latest wait in the mean: it is one of the last ten or so. */
const LATEST_SHARE = 0.1;
/** Time for each of those that got in to run some short jobs. Spread, so that not all come back at once. */
const LEAST_STAND_BACK_MS = 100;
const MOST_STAND_BACK_MS = 300;

export class Crowd {
  #meanWaitMs = 0;

  /** To be told of every wait for the lock, also of those that were given up. */
  waited(ms: number): void {
    this.#meanWaitMs += LATEST_SHARE * (ms - this.#meanWaitMs);
  }

  isThere(): boolean {
    return this.#meanWaitMs > CROWDED_MS;
  }

  standBackMs(): number {
    return LEAST_STAND_BACK_MS + Math.random() * (MOST_STAND_BACK_MS - LEAST_STAND_BACK_MS);
  }
}
