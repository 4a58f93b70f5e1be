/**
 * Row <-> record, in one place.
 * @module
 */
import type { Job, JobOptions, JobType, NewJob, Parked, Run } from "../../core/job.ts";
import { optionsOf } from "../../core/job_fields.ts";
import { NO_EXIT_RULES } from "../../core/exit_rules.ts";
import type { JobState } from "../../core/job_state.ts";
import type { RunOutcome } from "../../core/run_result.ts";
import type { Queue, WorkerRecord } from "../store.ts";
import type { Row, SqlValue } from "./driver.ts";

const text = (value: SqlValue | undefined): string => String(value);
const textOrNull = (value: SqlValue | undefined): string | null => value == null ? null : String(value);
const number = (value: SqlValue | undefined): number => Number(value);
const numberOrNull = (value: SqlValue | undefined): number | null => value == null ? null : Number(value);

/** Options as stored: what is null or usual is left out, since most jobs ask for nothing special. */
function optionsToText(options: JobOptions): string {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value !== null && !(name === "keep_output" && value === true) && value !== NO_EXIT_RULES) kept[name] = value;
  }
  return JSON.stringify(kept);
}

/** `optionsToText` for one job after the other: those of a batch mostly ask for the same, which is written once. */
export function optionsWriter(): (job: NewJob) => string {
  let last: NewJob | undefined;
  let written = "";
  return (job) => {
    if (last === undefined || !hasSameOptions(job, last)) written = optionsToText(optionsOf(job));
    last = job;
    return written;
  };
}

/** By identity: false for what is alike but not the same costs time only. */
function hasSameOptions(a: JobOptions, b: JobOptions): boolean {
  return a.backoff === b.backoff && a.kill_grace_ms === b.kill_grace_ms && a.exit_rules === b.exit_rules &&
    a.cwd === b.cwd && a.env === b.env && a.stdin === b.stdin && a.umask === b.umask && a.nice === b.nice &&
    a.secret_env === b.secret_env && a.limits === b.limits &&
    a.keep_output === b.keep_output && a.after === b.after && a.after_any === b.after_any &&
    a.key_scope === b.key_scope && a.on_conflict === b.on_conflict;
}

/** Parsed last. Jobs of a batch share their options, and a job's result follows its claim. */
let parsed: { readonly stored: string; readonly options: JobOptions } | undefined;

export function optionsFromText(stored: string): JobOptions {
  if (parsed?.stored !== stored) parsed = { stored, options: parseOptions(stored) };
  return parsed.options;
}

function parseOptions(stored: string): JobOptions {
  const options = JSON.parse(stored) as Partial<JobOptions> & Pick<JobOptions, "backoff" | "kill_grace_ms">;
  return {
    exit_rules: NO_EXIT_RULES,
    cwd: null,
    env: null,
    secret_env: null,
    stdin: null,
    umask: null,
    nice: null,
    limits: null,
    keep_output: true,
    after: null,
    after_any: null,
    key_scope: null,
    on_conflict: null,
    ...options,
  };
}

export function jobFromRow(row: Row): Job {
  return {
    ...optionsFromText(text(row.options)),
    seq: number(row.seq),
    id: text(row.id),
    state: text(row.state) as JobState,
    type: text(row.type) as JobType,
    command: textOrNull(row.command),
    argv: row.argv == null ? null : JSON.parse(text(row.argv)) as string[],
    queue: text(row.queue),
    priority: number(row.priority),
    max_retries: number(row.max_retries),
    timeout_ms: numberOrNull(row.timeout_ms),
    run_at: numberOrNull(row.run_at),
    expires_at: numberOrNull(row.expires_at),
    lock: textOrNull(row.lock),
    key: textOrNull(row.key),
    batch: textOrNull(row.batch),
    when: textOrNull(row.gate),
    // The claim does not return what is always the same in a job that has just begun.
    parked: text(row.parked ?? "") as Parked,
    reserved_for: textOrNull(row.reserved_for),
    parents_left: number(row.parents_left ?? 0),
    tags: row.tags == null ? [] : JSON.parse(text(row.tags)) as string[],
    template: textOrNull(row.template),
    attempts: number(row.attempts),
    run_count: number(row.run_count),
    crashes: number(row.crashes),
    snoozes: number(row.snoozes),
    created_at: number(row.created_at),
    updated_at: number(row.updated_at),
    started_at: numberOrNull(row.started_at),
    finished_at: numberOrNull(row.finished_at),
    duration_ms: numberOrNull(row.duration_ms),
    exit_code: numberOrNull(row.exit_code),
    signal: textOrNull(row.signal),
    reason: textOrNull(row.reason),
    worker_id: textOrNull(row.worker_id),
    claim: number(row.claim),
    cancel_requested_at: numberOrNull(row.cancel_requested_at),
  };
}

export function runFromRow(row: Row): Run {
  return {
    run: number(row.run),
    attempt: number(row.attempt),
    claim: number(row.claim),
    outcome: textOrNull(row.outcome) as RunOutcome | null,
    started_at: number(row.started_at),
    finished_at: numberOrNull(row.finished_at),
    duration_ms: numberOrNull(row.duration_ms),
    exit_code: numberOrNull(row.exit_code),
    signal: textOrNull(row.signal),
    reason: textOrNull(row.reason),
    worker_id: textOrNull(row.worker_id),
    stdout_bytes: number(row.stdout_bytes),
    stderr_bytes: number(row.stderr_bytes),
    dropped_bytes: number(row.dropped_bytes),
  };
}

export function queueFromRow(row: Row): Queue {
  return {
    name: text(row.name),
    paused: row.paused === 1,
    concurrency: numberOrNull(row.concurrency),
    rate: row.rate_count == null ? null : { count: number(row.rate_count), ms: number(row.rate_ms) },
    max_pending: numberOrNull(row.max_pending),
  };
}

export function workerFromRow(row: Row, jobs: readonly string[]): WorkerRecord {
  return {
    id: text(row.id),
    pool: text(row.pool),
    host: text(row.host),
    boot_id: text(row.boot_id),
    pid_namespace: text(row.pid_namespace),
    pid: number(row.pid),
    process_start: text(row.process_start),
    queues: row.queues == null ? null : JSON.parse(text(row.queues)) as string[],
    slots: number(row.slots),
    version: text(row.version),
    generation: numberOrNull(row.generation),
    state: text(row.state) as WorkerRecord["state"],
    started_at: number(row.started_at),
    beat: number(row.beat),
    beat_at: number(row.beat_at),
    done: number(row.done),
    failed: number(row.failed),
    rss_bytes: numberOrNull(row.rss_bytes),
    trouble: textOrNull(row.trouble),
    jobs,
  };
}
