/**
 * Removes finished jobs with all they left: rows, runs, output files. In short
 * transactions, so that workers hardly notice.
 * @module
 */
import type { JobFilter, Store } from "../store/mod.ts";

/** Jobs per transaction: about 10 ms. */
const BATCH = 500;

/** Returns how many were removed. Rows go first: a file without a job is found by `doctor`, the reverse would be a lie. */
export async function removeFinishedJobs(store: Store, filter: JobFilter): Promise<number> {
  let total = 0;
  while (true) {
    const removed = await store.jobs.remove(filter, BATCH);
    for (const { seq, run_count } of removed) removeOutput(`${store.folder}/logs`, seq, run_count);
    total += removed.length;
    if (removed.length < BATCH) return total;
  }
}

function removeOutput(folder: string, seq: number, runs: number): void {
  for (let run = 1; run <= runs; run++) {
    for (const stream of ["out", "err"]) {
      try {
        Deno.removeSync(`${folder}/${seq}-${run}.${stream}`);
      } catch {
        // Most runs leave no file: what is small lives in the store.
      }
    }
  }
}
