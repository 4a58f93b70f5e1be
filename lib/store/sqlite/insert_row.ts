/**
 * One new row of the table of jobs, with its tags.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import type { NewJob, Parked } from "../../core/job.ts";
import type { JobState } from "../../core/job_state.ts";
import { isUniqueViolation } from "./errors.ts";
import { optionsWriter } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface Place {
  readonly id: string;
  readonly state: JobState;
  readonly parked: Parked;
  readonly runAt: number | null;
  readonly parentsLeft: number;
  readonly now: number;
  /** Writes options for one job after the other; default: for this one alone. */
  readonly optionsText?: (job: NewJob) => string;
}

/** Gives the number of the new job. @throws {ConflictError} when the id is in use. */
export function insertRow(sql: Statements, job: NewJob, place: Place): number {
  const { id, now, optionsText = optionsWriter() } = place;
  try {
    const { lastInsertRowid } = sql("insert").run(
      id,
      job.id === null ? 1 : 0,
      place.state,
      place.parked,
      job.queue,
      job.priority,
      job.type,
      job.command,
      job.argv === null ? null : JSON.stringify(job.argv),
      job.max_retries,
      job.timeout_ms,
      place.runAt,
      job.tags.length === 0 ? null : JSON.stringify(job.tags),
      job.template,
      optionsText(job),
      now,
      now,
      job.lock,
      job.key,
      job.batch,
      job.expires_at,
      job.when,
      place.parentsLeft,
    );
    const seq = Number(lastInsertRowid);
    for (const tag of job.tags) sql("insert_tag").run(tag, seq);
    return seq;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ConflictError(`Cannot enqueue job ${quoted(id)}: the id is in use`, {
      hint: `queuectl show ${id}`,
      cause: error,
    });
  }
}
