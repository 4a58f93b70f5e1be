/**
 * Changes all jobs that a filter takes, however many: in short transactions,
 * oldest first, so that workers and other commands go on in between. What was
 * changed when it is interrupted stays changed.
 * @module
 */
import type { ChangedJob, JobFilter, JobSelection, Store } from "../store/mod.ts";

/** Jobs per transaction: about 20 ms. */
const BATCH = 1_000;

/** Changes jobs in one transaction: `store.jobs.cancel` and `store.jobs.retry` are such. */
export type ChangeJobs = (which: JobSelection) => Promise<readonly ChangedJob[]>;

/** Gives what was changed, transaction by transaction. */
export async function* changeByFilter(
  store: Store,
  filter: JobFilter,
  change: ChangeJobs,
): AsyncGenerator<readonly ChangedJob[]> {
  let after = 0;
  while (true) {
    const through = await store.jobs.pageEnd(filter, after, BATCH);
    if (through === undefined) return;
    const changed = await change({ filter, after, through });
    if (changed.length > 0) yield changed;
    after = through;
    // Without a pause nobody else in this process would get a turn, signals included.
    await new Promise((next) => setTimeout(next, 0));
  }
}
