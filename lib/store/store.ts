/**
 * What a store does, by noun. SQLite meets it now, PostgreSQL will; the
 * conformance suite under `tests/store` says what the words below mean.
 *
 * Every call is one transaction. A call that finds the store locked waits and
 * tries again; beyond the busy timeout it throws `StoreBusyError`.
 * @module
 */
import type { Job, NewJob, Run } from "../core/job.ts";
import type { JobState } from "../core/job_state.ts";
import type { RunOutcome, RunResult } from "../core/run_result.ts";

export interface Store {
  readonly location: string;
  /** Where everything that belongs to the store lives, beside it: logs, locks, wake file. */
  readonly folder: string;
  readonly jobs: JobStore;
  readonly queues: QueueStore;
  readonly settings: SettingStore;
  readonly workers: WorkerStore;
  readonly wake: WakeUp;
  /** False when the store was replaced or its schema changed since it was opened: stop using it. */
  isSame(): boolean;
  close(): Promise<void>;
}

/** How the one who makes a job ready reaches those who wait for one. */
export interface WakeUp {
  /** Called by the store itself after a commit that made a job ready. */
  poke(): void;
  /** Calls back soon after each poke, whoever did it. May miss some: poll as well. */
  watch(onWake: () => void): { close(): Promise<void> | void };
}

export interface JobStore {
  /**
   * Adds jobs, all or none, in the order given. Durable when it returns.
   * @throws {ConflictError} when an id is in use.
   */
  enqueue(jobs: readonly NewJob[]): Promise<readonly EnqueuedJob[]>;
  /**
   * The job with this id, else the one generated id that begins with it.
   * @throws {NotFoundError} when there is none, or several (the hint names them).
   */
  find(idOrPrefix: string): Promise<Job>;
  list(filter: JobFilter): Promise<readonly Job[]>;
  /** Jobs by queue and state, without counting rows. */
  counts(): Promise<readonly JobCount[]>;
  runs(seq: number): Promise<readonly Run[]>;
  /** What the store keeps of the output of a run; undefined when nothing. */
  output(seq: number, run: number): Promise<RunOutput | undefined>;
  /** Ids that begin with the text, for completion. */
  completeIds(prefix: string, limit: number): Promise<readonly string[]>;
  /**
   * Takes up to `slots` jobs for a worker: promotes what is due, then best first.
   * No two claims ever return the same run.
   */
  claim(request: ClaimRequest): Promise<readonly Job[]>;
  /** Writes how runs ended; each is judged by the rules of its job, in the same transaction. */
  finish(reports: readonly RunReport[]): Promise<readonly FinishedRun[]>;
  /** The next time at which a job becomes due; undefined when none waits for a time. */
  nextDue(): Promise<number | undefined>;
}

export interface EnqueuedJob {
  readonly seq: number;
  readonly id: string;
}

export interface JobFilter {
  readonly states?: readonly JobState[];
  /** Of any of these queues. */
  readonly queues?: readonly string[];
  /** With all of these tags. */
  readonly tags?: readonly string[];
  /** Text within id, command or argv. */
  readonly search?: string;
  /** Created at or after. */
  readonly since?: number;
  /** Default: no limit. */
  readonly limit?: number;
}

export interface JobCount {
  readonly queue: string;
  readonly state: JobState;
  readonly n: number;
}

export interface RunOutput {
  readonly stdout: Uint8Array | null;
  readonly stderr: Uint8Array | null;
}

export interface ClaimRequest {
  readonly workerId: string;
  /** How many jobs may be taken. */
  readonly slots: number;
  /** Nothing else runs in this worker: it may take a job that must be alone. */
  readonly isIdle: boolean;
  /** Strict order of preference; undefined serves all queues fairly. */
  readonly queues?: readonly string[] | undefined;
}

export interface RunReport {
  readonly seq: number;
  readonly claim: number;
  readonly result: RunResult;
  readonly finishedAt: number;
  readonly durationMs: number;
  readonly maxCrashes: number;
  /** 0 to 1, places the retry within the jitter. */
  readonly random: number;
  readonly output?: RunOutput & { stdoutBytes: number; stderrBytes: number; droppedBytes: number } | undefined;
}

export interface FinishedRun {
  readonly seq: number;
  readonly outcome: RunOutcome;
  /** State of the job now; undefined when the claim had been taken away and the result is only `late`. */
  readonly state: JobState | undefined;
  readonly reason: string;
  /** When it is due again. */
  readonly runAt: number | null;
}

export interface QueueStore {
  list(): Promise<readonly Queue[]>;
}

export interface Queue {
  readonly name: string;
  readonly paused: boolean;
  readonly concurrency: number | null;
  readonly rate: { readonly count: number; readonly ms: number } | null;
  readonly max_pending: number | null;
}

export interface SettingStore {
  /** Stored settings only: key -> canonical text. */
  all(): Promise<ReadonlyMap<string, string>>;
  set(key: string, value: string): Promise<void>;
  /** True when it was set. */
  unset(key: string): Promise<boolean>;
}

export interface WorkerStore {
  register(worker: NewWorker): Promise<void>;
  /** False when the registration is gone: somebody took this worker for dead. */
  beat(id: string, beat: WorkerBeat): Promise<boolean>;
  unregister(id: string): Promise<void>;
  list(): Promise<readonly WorkerRecord[]>;
}

export interface NewWorker {
  readonly id: string;
  readonly pool: string;
  readonly host: string;
  readonly boot_id: string;
  readonly pid_namespace: string;
  readonly pid: number;
  readonly process_start: string;
  readonly queues: readonly string[] | null;
  readonly slots: number;
  readonly version: string;
}

export interface WorkerBeat {
  readonly state: "running" | "draining";
  readonly done: number;
  readonly failed: number;
  readonly rss_bytes: number | null;
}

export interface WorkerRecord extends NewWorker, WorkerBeat {
  readonly started_at: number;
  readonly beat: number;
  readonly beat_at: number;
  /** Ids of the jobs that it runs. */
  readonly jobs: readonly string[];
}
