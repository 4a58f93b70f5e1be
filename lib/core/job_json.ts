/**
 * A job as people and scripts see it: times as RFC 3339 UTC with milliseconds,
 * durations in seconds, absent values null. The same shape everywhere: `--json`,
 * batch files, REST, webhooks.
 * @module
 */
import { quoted } from "./errors.ts";
import type { Job, Run } from "./job.ts";
import { formatTime } from "./point_in_time.ts";

/** A value that survives JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const time = (ms: number | null): string | null => ms === null ? null : formatTime(ms);
const seconds = (ms: number | null): number | null => ms === null ? null : ms / 1_000;

export function jobToJson(job: Job): Record<string, Json> {
  return {
    id: job.id,
    state: job.state,
    reason: job.reason ?? describeState(job),
    type: job.type,
    command: job.command,
    argv: job.argv,
    queue: job.queue,
    priority: job.priority,
    attempts: job.attempts,
    max_retries: job.max_retries,
    run_count: job.run_count,
    crashes: job.crashes,
    snoozes: job.snoozes,
    exit_code: job.exit_code,
    signal: job.signal,
    run_at: time(job.run_at),
    created_at: formatTime(job.created_at),
    updated_at: formatTime(job.updated_at),
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    duration_ms: job.duration_ms,
    timeout: seconds(job.timeout_ms),
    kill_grace: job.kill_grace_ms / 1_000,
    backoff: { ...job.backoff },
    exit_rules: { ...job.exit_rules },
    cwd: job.cwd,
    env: job.env,
    secret_env: job.secret_env,
    stdin: job.stdin,
    umask: job.umask,
    nice: job.nice,
    limits: job.limits === null ? null : { memory: job.limits.memory, cpu_time: seconds(job.limits.cpu_time_ms) },
    keep_output: job.keep_output,
    tags: job.tags,
    expires_at: time(job.expires_at),
    after: job.after,
    after_any: job.after_any,
    key: job.key,
    key_scope: job.key === null ? null : job.key_scope ?? "active",
    on_conflict: job.on_conflict,
    lock: job.lock,
    when: job.when,
    batch: job.batch,
    template: job.template,
    worker_id: job.worker_id,
    claim: job.claim === 0 ? null : job.claim,
    seq: job.seq,
  };
}

export function runToJson(run: Run): Record<string, Json> {
  return {
    run: run.run,
    attempt: run.attempt,
    claim: run.claim,
    outcome: run.outcome,
    started_at: formatTime(run.started_at),
    finished_at: time(run.finished_at),
    duration_ms: run.duration_ms,
    exit_code: run.exit_code,
    signal: run.signal,
    reason: run.reason,
    worker_id: run.worker_id,
    stdout_bytes: run.stdout_bytes,
    stderr_bytes: run.stderr_bytes,
    dropped_bytes: run.dropped_bytes,
  };
}

/** Why a job is where it is, where nothing special happened to it. */
function describeState(job: Job): string {
  switch (job.state) {
    case "scheduled":
      return "waits for its time";
    case "blocked":
      return "waits for other jobs";
    case "pending":
      return job.parked === "lock" ? `waits for lock ${quoted(job.lock)}` : "waits for a free worker";
    case "processing":
      return job.cancel_requested_at === null ? "is running" : "is being cancelled";
    case "failed":
      return "waits for its retry";
    default:
      return job.state;
  }
}
