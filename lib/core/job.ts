/**
 * What a job is. The words, used the same way in columns, types, flags and help:
 *
 * - job: one command with its rules
 * - queue: a named line of jobs with its own limits
 * - run: one execution, numbered 1, 2, 3 over the job's whole life
 * - attempt: a run that counts against the retries
 * - claim: taking a pending job for one run; its token only grows
 * - worker: a process that claims and runs jobs in its slots
 * - rescue: giving back the job of a worker that is gone
 *
 * Names are those of the JSON contract. Inside the program times are
 * milliseconds since 1970 and durations milliseconds (`_ms`); `job_json.ts`
 * turns them into what people and scripts see.
 * @module
 */
import type { ExitRules } from "./exit_rules.ts";
import type { OnConflict } from "./job_key.ts";
import type { JobLimits } from "./job_surroundings.ts";
import type { JobState } from "./job_state.ts";
import type { Backoff } from "./retry_policy.ts";
import type { RunOutcome } from "./run_result.ts";

/** Who runs the command: the shell, or the program itself. */
export type JobType = "shell" | "exec";

/** What a job asks for beyond what queries look at. Stored as one JSON text. */
export interface JobOptions {
  readonly backoff: Backoff;
  /** Between TERM and KILL. */
  readonly kill_grace_ms: number;
  readonly exit_rules: ExitRules;
  /** Where it runs; null: where the worker runs. */
  readonly cwd: string | null;
  /** Added to the worker's environment. */
  readonly env: Readonly<Record<string, string>> | null;
  /**
   * Names of variables that its worker must have, or `NAME@/path` of a file that has the value. The values are kept out
   * of what it prints.
   */
  readonly secret_env: readonly string[] | null;
  readonly stdin: string | null;
  /** Octal, such as `027`. */
  readonly umask: string | null;
  readonly nice: number | null;
  readonly limits: JobLimits | null;
  readonly keep_output: boolean;
  /** Ids of the jobs that must have completed before it runs. */
  readonly after: readonly string[] | null;
  /** Ids of the jobs that must have ended, however they did. */
  readonly after_any: readonly string[] | null;
  /** Among which jobs its key is unique: `active`, `waiting` or `window:D`; null: active. */
  readonly key_scope: string | null;
  /** What happens to it when its key is held; null: what the command that makes it usually does. */
  readonly on_conflict: OnConflict | null;
}

/** A job before it is stored: every value checked, every default filled in. */
export interface NewJob extends JobOptions {
  /** null: the store makes one. */
  readonly id: string | null;
  readonly type: JobType;
  /** For `shell`. */
  readonly command: string | null;
  /** For `exec`. */
  readonly argv: readonly string[] | null;
  readonly queue: string;
  readonly priority: number;
  readonly max_retries: number;
  /** null: no limit. */
  readonly timeout_ms: number | null;
  /** null: as soon as possible. */
  readonly run_at: number | null;
  /** Cancelled when it still waits then; null: it waits for ever. */
  readonly expires_at: number | null;
  readonly tags: readonly string[];
  /** At most one job with this lock is processing. */
  readonly lock: string | null;
  /** At most one job with this key, in the sense of `key_scope`. */
  readonly key: string | null;
  /** The batch that it belongs to. */
  readonly batch: string | null;
  /** Gate: what must be true on the worker's host before it runs there. */
  readonly when: string | null;
  /** The template that it was made from. */
  readonly template: string | null;
}

/**
 * Why a pending job cannot be claimed by just anyone: '' it can; `alone` it
 * needs a worker for itself; `lock` its lock is held or another waiter goes
 * first; `gate` its gate was closed where a worker came to it; `run` it is
 * reserved for one worker.
 */
export type Parked = "" | "alone" | "lock" | "gate" | "run";

/** A stored job. */
export interface Job extends Omit<NewJob, "id"> {
  /** Order of arrival; never used twice. */
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
  readonly parked: Parked;
  /** The worker that `queuectl run` started for this job alone. */
  readonly reserved_for: string | null;
  /** Parents that it still waits for. */
  readonly parents_left: number;
  readonly attempts: number;
  readonly run_count: number;
  /** Losses in a row. */
  readonly crashes: number;
  readonly snoozes: number;
  readonly created_at: number;
  readonly updated_at: number;
  /** Of the last run. */
  readonly started_at: number | null;
  /** When it reached a final state. */
  readonly finished_at: number | null;
  /** Of the last run. */
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  /** Why it is in this state; null where the state says it all. */
  readonly reason: string | null;
  readonly worker_id: string | null;
  /** The token of the last claim; 0 before the first. */
  readonly claim: number;
  readonly cancel_requested_at: number | null;
}

/** One execution of a job. */
export interface Run {
  readonly run: number;
  readonly attempt: number;
  readonly claim: number;
  /** null while it runs. */
  readonly outcome: RunOutcome | null;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly duration_ms: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly reason: string | null;
  readonly worker_id: string | null;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly dropped_bytes: number;
}
