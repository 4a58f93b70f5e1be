/**
 * What a store does with jobs: from enqueueing to removal.
 * @module
 */
import type { GateVerdict } from "../core/gate.ts";
import type { ImportedJob } from "../core/imported_job.ts";
import type { Job, NewJob, Run } from "../core/job.ts";
import type { JobSortField } from "../core/job_sort.ts";
import type { JobState } from "../core/job_state.ts";
import type { RunOutcome, RunResult } from "../core/run_result.ts";
import type { Holding } from "./store.ts";

export interface CompletionRequest {
  readonly prefix: string;
  /** Default: all. */
  readonly states?: readonly JobState[] | undefined;
  readonly limit: number;
}

/** As much of a job as tells it from others. */
export interface JobHint {
  readonly id: string;
  readonly state: JobState;
  /** The beginning of its command or program. */
  readonly command: string;
}

export interface WaitingJobs {
  /** Whether any job is pending, in whatever queue, and whether it could be claimed or not. */
  readonly isPending: boolean;
  /** The earliest time at which one is due, or over. */
  readonly nextAt: number | undefined;
}

export interface JobStore {
  /**
   * Adds jobs, all or none, in the order given. Durable when it returns. Jobs that are added together may be
   * parents of each other, in any order.
   * @throws {ConflictError} when an id is in use, a key is held by a job that cannot give way, the queue is full
   * (`max_pending`), a batch is sealed, or a parent ended otherwise than needed.
   * @throws {NotFoundError} for an unknown parent. {@throws UsageError} when jobs wait for each other.
   */
  enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<readonly EnqueuedJob[]>;
  /**
   * As `enqueue`, for any number of jobs: they are drawn one by one while the transaction is open, so `jobs`
   * must not wait for anything. Returns how many were added; `onEnqueued` is also told the id of a job that stays
   * instead of one whose key it holds.
   */
  enqueueMany(
    jobs: () => Iterable<NewJob>,
    onEnqueued?: (id: string) => void,
    options?: EnqueueOptions,
  ): Promise<number>;
  /**
   * As `enqueueMany`, for jobs of an export: those that were over stay over, and their runs are not there.
   * Returns how many were added; one whose key is held stays out.
   */
  importMany(jobs: () => Iterable<ImportedJob>, onImported?: () => void): Promise<number>;
  /**
   * The job with this id, else the one generated id that begins with it.
   * @throws {NotFoundError} when there is none, or several (the hint names them).
   */
  find(idOrPrefix: string): Promise<Job>;
  /** Newest first, unless the listing sorts them. */
  list(listing: JobListing): Promise<readonly Job[]>;
  /** As `list`, page by page, for any number of jobs. Each page is one transaction: jobs may change between them. */
  pages(listing: JobListing): AsyncIterable<readonly Job[]>;
  /** Jobs by queue and state, without counting rows. */
  counts(): Promise<readonly JobCount[]>;
  runs(seq: number): Promise<readonly Run[]>;
  /** What the store keeps of the output of a run; undefined when nothing. */
  output(seq: number, run: number): Promise<RunOutput | undefined>;
  /** Jobs whose ids begin with the text, newest first, for completion. Of very many it may miss some old ones. */
  complete(request: CompletionRequest): Promise<readonly JobHint[]>;
  /** Tags in use that begin with the text, for completion. */
  completeTags(prefix: string, limit: number): Promise<readonly string[]>;
  /**
   * Takes up to `slots` jobs for a worker: promotes what is due, then best first.
   * No two claims ever return the same run.
   */
  claim(request: ClaimRequest): Promise<readonly Job[]>;
  /**
   * Frees jobs whose worker is not registered: it never started, or it is gone. Those that were touched since are left
   * alone, because their worker may still be starting. Returns how many.
   */
  freeReserved(which: { untouchedSince: number; only?: number }): Promise<number>;
  /** Writes how runs ended; each is judged by the rules of its job, in the same transaction. */
  finish(reports: readonly RunReport[]): Promise<readonly FinishedRun[]>;
  /**
   * Gives back the jobs of a worker that is gone, by the rules of each, and forgets the worker when it holds no
   * others. Claims that it no longer holds are left alone; nothing is done when it has beaten since.
   */
  rescue(request: RescueRequest): Promise<readonly FinishedRun[]>;
  /**
   * Cancels waiting jobs and marks running ones, whose workers then end them. All or none by id; by filter, those that can be.
   * @throws {NotFoundError} for an unknown id. {@throws InvalidTransitionError} for a job that is final.
   */
  cancel(which: JobSelection): Promise<readonly ChangedJob[]>;
  /** Makes jobs run now, with a fresh count of attempts; their history stays. Throws as `cancel`. */
  retry(which: JobSelection): Promise<readonly ChangedJob[]>;
  /**
   * Gives up to `limit` jobs that died before a time another life, those first that died first. A job has one:
   * it is not revived again, unless a person retries it in between.
   */
  revive(diedBefore: number, limit: number): Promise<readonly ChangedJob[]>;
  /**
   * Writes other fields to a waiting job; `change` is given the job as it is.
   * @throws {ConflictError} for a job that runs or is final.
   */
  edit(id: string, change: (job: Job) => NewJob): Promise<Job>;
  /** The number of the last of the `limit` oldest jobs above `after`; undefined when there are none. */
  pageEnd(filter: JobFilter, after: number, limit: number): Promise<number | undefined>;
  /** How many jobs the filter takes. */
  count(filter: JobFilter): Promise<number>;
  /** Deletes up to `limit` final jobs with their history; the caller deletes their output files. */
  remove(filter: JobFilter, limit: number): Promise<readonly RemovedJob[]>;
  /** Cancels up to `limit` jobs that waited past `expires_at`, those first that expired first. */
  expire(limit: number): Promise<readonly ChangedJob[]>;
  /**
   * Tells the children of jobs that ended what one transaction could not. Children of a dead job wait on while
   * `deadAreRetried` and it has another life to come. Returns at how many parents it looked.
   */
  settle(deadAreRetried: boolean): Promise<number>;
  /** What a job waits for, or waited for, by id. */
  parents(seq: number): Promise<readonly ParentRecord[]>;
  /** Id of the job that holds a lock. */
  lockHolder(lock: string): Promise<string | undefined>;
  /** Whether a job that must run alone waits in an open queue, of these or of all; or at one of these gates. */
  hasAlone(where: { queues?: readonly string[] | undefined; openGates?: readonly WaitingGate[] }): Promise<boolean>;
  /**
   * The gates at which jobs wait in open queues: each once, in a fixed order, however many jobs are there.
   * To be judged by the caller, who then claims with those that are open.
   */
  waitingGates(walk: GateWalkRequest): Promise<GateWalk>;
  /** Says why running jobs are not over. Those whose claim is another by now are left alone. */
  explain(jobs: readonly Pick<Holding, "seq" | "claim">[], reason: string): Promise<void>;
  /** Which jobs of a worker are to be cancelled. */
  cancelRequests(workerId: string): Promise<readonly number[]>;
  /** The next time at which claiming may find more: a job is due, or a rate lets one go; undefined when never. */
  nextDue(): Promise<number | undefined>;
  /** For one who found nothing to claim, and asks again: this takes no lock. */
  waiting(): Promise<WaitingJobs>;
}

export interface EnqueuedJob {
  readonly seq: number;
  readonly id: string;
  /** It is not new: it holds the key of the job that was to be added. */
  readonly deduplicated: boolean;
}

export interface EnqueueOptions {
  /** Only this worker may claim them, as long as it is registered; it may be about to start. */
  readonly reserveFor?: string | undefined;
  /** Seals the batches that are made by this call. Default: they stay open. */
  readonly sealsBatches?: boolean | undefined;
  /** Is enqueued when the last member of the batches of these jobs is final. Must be a plain job: no lock, key or parents. */
  readonly onBatchDone?: NewJob | undefined;
}

export interface ParentRecord {
  readonly id: string;
  /** That it completed, or that it ended however. */
  readonly needs: "completed" | "ended";
  /** Once for ever. */
  readonly isSatisfied: boolean;
  /** null: it is gone. */
  readonly state: JobState | null;
}

export interface JobFilter {
  readonly states?: readonly JobState[];
  /** Of any of these queues. */
  readonly queues?: readonly string[];
  /** With all of these tags. */
  readonly tags?: readonly string[];
  /** Members of this batch. */
  readonly batch?: string;
  /** Text within id, command or argv. */
  readonly search?: string;
  /** Created at or after. */
  readonly since?: number;
  /** In a final state since before. */
  readonly finishedBefore?: number;
  /** Default: no limit. */
  readonly limit?: number;
}

export interface JobListing extends JobFilter {
  /** Default: newest first. */
  readonly sort?: JobSort | undefined;
}

/** What has no value comes last in both directions; equals are the newest first. */
export interface JobSort {
  readonly field: JobSortField;
  readonly isDescending: boolean;
}

/** Jobs by name, or by what they have in common: the oldest first, with numbers above `after` and up to `through`. */
export type JobSelection =
  | { readonly ids: readonly string[] }
  | { readonly filter: JobFilter; readonly after?: number; readonly through?: number };

export interface ChangedJob {
  readonly id: string;
  readonly from: JobState;
  readonly to: JobState;
}

export interface RemovedJob {
  readonly seq: number;
  readonly run_count: number;
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

/** A gate at which jobs of a queue wait, because it was closed where a worker came to them. */
export interface WaitingGate {
  readonly queue: string;
  readonly gate: string;
}

export interface GateWalkRequest {
  /** Default: all. */
  readonly queues?: readonly string[] | undefined;
  /** Default: from the beginning. */
  readonly after?: WaitingGate | undefined;
  /** Most gates that are looked at; queues that are passed over count as one each. */
  readonly limit: number;
}

export interface GateWalk {
  readonly gates: readonly WaitingGate[];
  /** Where to go on; undefined: that was the last. */
  readonly next: WaitingGate | undefined;
}

export interface ClaimRequest {
  readonly workerId: string;
  /** How many jobs may be taken. */
  readonly slots: number;
  /** Nothing else runs in this worker: it may take a job that must be alone. */
  readonly isIdle: boolean;
  /** Asked while others go first: when not, the claim gives up and takes nothing. Default: always. */
  readonly isWanted?: (() => boolean) | undefined;
  /** Strict order of preference; undefined serves all queues fairly. */
  readonly queues?: readonly string[] | undefined;
  /** Whether a gate is open on this host, told at once. Default: jobs with gates are not taken. */
  readonly judgeGate?: ((gate: string) => GateVerdict) | undefined;
  /** Gates that were seen open: those that still are have their jobs taken as if they were ready. Default: none. */
  readonly openGates?: readonly WaitingGate[] | undefined;
  /** Takes this job or none, by its number: one reserved for this worker, or for nobody. Limits hold for it as for all. */
  readonly only?: number | undefined;
}

export interface RunReport {
  readonly seq: number;
  readonly claim: number;
  readonly result: RunResult;
  readonly finishedAt: number;
  readonly durationMs: number;
  readonly maxCrashes: number;
  /** dead_retry_after is on: children of a job that dies now may still wait. Default: they are cancelled. */
  readonly deadAreRetried?: boolean | undefined;
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

export interface RescueRequest {
  readonly workerId: string;
  /** Its beat counter as it was seen; ignored when it is not registered. */
  readonly beat: number;
  /** The claims of which no process is left. A token alone is not enough: jobs claimed together have the same. */
  readonly held: readonly Pick<Holding, "seq" | "claim">[];
  /** What is known of its end. */
  readonly reason?: string | undefined;
  readonly maxCrashes: number;
  /** As in `RunReport`. */
  readonly deadAreRetried?: boolean | undefined;
}
