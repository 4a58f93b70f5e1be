/**
 * Jobs of an export, back into a store: read and checked first, then stored in
 * one transaction, all or none, as a batch is.
 * @module
 */
import { ConflictError } from "../core/errors.ts";
import { type ImportedJob, readImportedJob } from "../core/imported_job.ts";
import type { JobDefaults } from "../core/job_fields.ts";
import type { Store } from "../store/mod.ts";
import { type BatchSource, type CheckedBatch, conflictAt, parsedRecord, readRecords } from "./enqueue_batch.ts";

export interface ImportOptions {
  readonly defaults: JobDefaults;
  readonly folders: readonly string[];
  readonly onRead?: (jobs: number) => void;
}

/** @throws {UsageError} naming the first line that is refused, and why. */
export async function readImport(source: BatchSource, options: ImportOptions): Promise<CheckedBatch<ImportedJob>> {
  return await readRecords(source, (record) => readImportedJob(parsedRecord(record), options.defaults), options);
}

/** Returns how many were added. @throws {ConflictError} naming the line whose id is in use. */
export async function insertImport(
  store: Store,
  batch: CheckedBatch<ImportedJob>,
  onInserted?: (count: number) => void,
): Promise<number> {
  let at = { line: 0, id: null as string | null };
  let count = 0;
  const jobs = () => {
    count = 0;
    return batch.jobs(({ job }, line) => at = { line, id: job.id });
  };
  try {
    return await store.jobs.importMany(jobs, () => onInserted?.(++count));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    throw await conflictAt(store, error, { place: batch.placeOf(at.line), id: at.id });
  }
}
