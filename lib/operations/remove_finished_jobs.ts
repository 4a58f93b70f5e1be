/**
 * Removes finished jobs with all they left: rows, runs, output files. In short
 * transactions, so that workers hardly notice.
 * @module
 */
import type { JobFilter, Store } from "../store/mod.ts";
import { filesOfRun, outputBase, streamPath, STREAMS } from "./output_files.ts";

/** Jobs per transaction: about 10 ms. */
const BATCH = 500;

export interface RemoveOptions {
  /** Default: as many as there are. */
  readonly limit?: number;
  /** Stops between two transactions. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each transaction with how many are gone. */
  readonly onRemoved?: (total: number) => void;
}

/** Returns how many were removed. Rows go first: a file without a job is found by `doctor`, the reverse would be a lie. */
export async function removeFinishedJobs(
  store: Store,
  filter: JobFilter,
  options: RemoveOptions = {},
): Promise<number> {
  const { limit = Infinity, signal, onRemoved } = options;
  let total = 0;
  while (total < limit && signal?.aborted !== true) {
    const batch = Math.min(BATCH, limit - total);
    const removed = await store.jobs.remove(filter, batch);
    for (const { seq, run_count } of removed) removeOutput(store.folder, seq, run_count);
    total += removed.length;
    onRemoved?.(total);
    if (removed.length < batch) break;
    // Without a pause nobody else in this process would get a turn, signals included.
    await new Promise((next) => setTimeout(next, 0));
  }
  return total;
}

function removeOutput(storeFolder: string, seq: number, runs: number): void {
  for (let run = 1; run <= runs; run++) {
    const base = outputBase(storeFolder, seq, run);
    // Most runs leave no file: what is small lives in the store. Only beside a stream is there anything else.
    const hadFiles = STREAMS.map((stream) => isRemoved(streamPath(base, stream)));
    if (hadFiles.includes(true)) { for (const file of filesOfRun(base)) isRemoved(file); }
  }
}

function isRemoved(file: string): boolean {
  try {
    Deno.removeSync(file);
    return true;
  } catch {
    return false;
  }
}
