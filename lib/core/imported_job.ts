/**
 * A job that comes back from an export. What a person may set is read as ever;
 * a job that was over stays over, and everything else waits again, as a new job
 * would: where it was and what it had tried does not travel.
 * @module
 */
import { InvalidValueError, UsageError } from "./errors.ts";
import { baseJob, type JobDefaults, readNewJob } from "./job_fields.ts";
import type { NewJob } from "./job.ts";
import { isFinal, isJobState, type JobState } from "./job_state.ts";
import { MAX_DURATION_MS } from "./duration.ts";
import { parseTime } from "./point_in_time.ts";
import { signalNumber } from "./run_result.ts";
import { visibleText } from "./visible_text.ts";

export interface ImportedJob {
  readonly job: NewJob;
  /** How it ended; undefined: it waits. */
  readonly end: ImportedEnd | undefined;
}

export interface ImportedEnd {
  readonly state: JobState;
  readonly reason: string | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number;
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly attempts: number;
  /** Its runs themselves are not in an export; how many there were is. */
  readonly run_count: number;
}

/** What an export has and nobody sets. */
const READ_ONLY =
  ("state reason type seq attempts run_count crashes snoozes created_at updated_at started_at finished_at duration_ms " +
    "exit_code signal worker_id claim schedule scheduled_for deduplicated runs").split(" ");

/** @throws {UsageError} naming the field that is missing, unknown or refused. */
export function readImportedJob(record: Readonly<Record<string, unknown>>, defaults: JobDefaults): ImportedJob {
  const { state } = record;
  if (!isJobState(state)) throw new InvalidValueError("state", state ?? null, "expected a job as `export` writes it");
  if (typeof record.id !== "string") throw new UsageError("Missing id: expected a job as `export` writes it");
  const written: Record<string, unknown> = { ...record };
  for (const name of READ_ONLY) delete written[name];
  // Parents that it no longer waits for were satisfied, and may be gone.
  if (state !== "blocked") written.after = written.after_any = null;
  const end = isFinal(state) ? endOf(record, state, defaults.now) : undefined;
  // A finished job is in no line, holds no key and is counted in no batch.
  if (end !== undefined) written.run_at = written.expires_at = written.batch = null;
  // Times that have passed meanwhile are no mistake here, and no directory is not that of the one who imports.
  const lenient = { ...defaults, allowPast: true };
  return { job: readNewJob(written, lenient, baseJob({}, { ...lenient, cwd: null })), end };
}

function endOf(record: Readonly<Record<string, unknown>>, state: JobState, now: number): ImportedEnd {
  const time = (field: string): number | null => {
    const value = record[field];
    return value == null ? null : parseTime(value, { now, field, allowPast: true });
  };
  const finished = time("finished_at");
  if (finished === null) throw new UsageError(`Missing finished_at: a ${state} job has ended`);
  return {
    state,
    reason: typeof record.reason === "string" ? oneLine(record.reason) : null,
    created_at: time("created_at") ?? finished,
    started_at: time("started_at"),
    finished_at: finished,
    duration_ms: count(record, "duration_ms", MAX_DURATION_MS),
    exit_code: count(record, "exit_code", MAX_EXIT_CODE),
    signal: signalOf(record),
    attempts: count(record, "attempts", MAX_COUNT) ?? 0,
    run_count: count(record, "run_count", MAX_COUNT) ?? 0,
  };
}

/** Each run adds one to it, and it has to stay a number that can be read. No job runs as often. */
const MAX_COUNT = 1e9;
const MAX_EXIT_CODE = 255;
/** Of our own reasons the longest hold a path. */
const MAX_REASON = 1024;

function count(record: Readonly<Record<string, unknown>>, field: string, most: number): number | null {
  const value = record[field];
  if (value == null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new InvalidValueError(field, value, `expected a whole number from 0 to ${most}`);
}

function signalOf({ signal }: Readonly<Record<string, unknown>>): string | null {
  if (signal == null) return null;
  if (typeof signal === "string" && signal.startsWith("SIG") && isSignal(signal)) return signal;
  throw new InvalidValueError("signal", signal, "expected the name of a signal, such as SIGTERM");
}

/** Numbers that no name is known for are written `SIG99`. */
function isSignal(name: string): boolean {
  return signalNumber(name) !== undefined || /^SIG\d{1,3}$/.test(name);
}

/** It is printed as it is. */
function oneLine(text: string): string {
  const line = visibleText(text.replace(/\s+/g, " ").trim());
  // A character of two halves is not cut in two.
  return line.length <= MAX_REASON ? line : `${line.slice(0, MAX_REASON - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
