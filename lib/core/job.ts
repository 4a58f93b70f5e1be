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
  readonly stdin: string | null;
  /** Octal, such as `027`. */
  readonly umask: string | null;
  readonly nice: number | null;
  readonly keep_output: boolean;
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
  readonly tags: readonly string[];
}

/** A stored job. */
export interface Job extends Omit<NewJob, "id"> {
  /** Order of arrival; never used twice. */
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
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
