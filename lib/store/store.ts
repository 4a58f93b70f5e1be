/**
 * What a store does, by noun. SQLite meets it now, PostgreSQL will; the
 * conformance suite under `tests/store` says what the words below mean.
 *
 * Every call is one transaction. A call that finds the store locked waits and
 * tries again; beyond the busy timeout it throws `StoreBusyError`.
 * @module
 */
import type { GateVerdict } from "../core/gate.ts";
import type { ImportedJob } from "../core/imported_job.ts";
import type { Job, NewJob, Run } from "../core/job.ts";
import type { JobSortField } from "../core/job_sort.ts";
import type { JobState } from "../core/job_state.ts";
import type { RunOutcome, RunResult } from "../core/run_result.ts";
import type { Template, WrittenFields } from "../core/template.ts";
import type { MinuteExtremes, Tally } from "../core/tally.ts";
import type { MaintenanceStore } from "./maintenance_store.ts";
import type { PoolStore } from "./pool_store.ts";

export interface Store {
  readonly location: string;
  /** Where everything that belongs to the store lives, beside it: logs, locks, wake file. */
  readonly folder: string;
  readonly jobs: JobStore;
  readonly queues: QueueStore;
  readonly batches: BatchStore;
  readonly templates: TemplateStore;
  readonly settings: SettingStore;
  readonly workers: WorkerStore;
  readonly pools: PoolStore;
  readonly maintenance: MaintenanceStore;
  readonly leases: LeaseStore;
  readonly audit: AuditStore;
  readonly history: HistoryStore;
  readonly wake: WakeUp;
  /** The process on this host that keeps others from writing at this moment; undefined when none does, or nobody can tell. */
  blocker(): number | undefined;
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
  /** Ids that begin with the text, for completion. */
  completeIds(prefix: string, limit: number): Promise<readonly string[]>;
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
  /** Whether a job that must run alone waits in an open queue: of these, or of all. */
  hasAlone(queues?: readonly string[]): Promise<boolean>;
  /** Which jobs of a worker are to be cancelled. */
  cancelRequests(workerId: string): Promise<readonly number[]>;
  /** The next time at which claiming may find more: a job is due, a rate or a gate lets one go; undefined when never. */
  nextDue(): Promise<number | undefined>;
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

export interface ClaimRequest {
  readonly workerId: string;
  /** How many jobs may be taken. */
  readonly slots: number;
  /** Nothing else runs in this worker: it may take a job that must be alone. */
  readonly isIdle: boolean;
  /** Strict order of preference; undefined serves all queues fairly. */
  readonly queues?: readonly string[] | undefined;
  /** Whether a gate is open on this host, told at once. Default: jobs with gates are not taken. */
  readonly judgeGate?: ((gate: string) => GateVerdict) | undefined;
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

export interface QueueStore {
  list(): Promise<readonly Queue[]>;
  /** Changes what is given, and makes the queue when nobody has used it. Returns it as it is now. */
  set(name: string, change: Partial<Omit<Queue, "name">>): Promise<Queue>;
  /** When its rate allows another start; undefined: now. @throws {NotFoundError} */
  rateFreeAt(name: string): Promise<number | undefined>;
  /** @throws {NotFoundError} for a queue that nobody has used. */
  setPaused(name: string, isPaused: boolean): Promise<void>;
  /**
   * Forgets a queue and its limits.
   * @throws {ConflictError} while it holds jobs that are not final.
   */
  remove(name: string): Promise<void>;
}

export interface Queue {
  readonly name: string;
  readonly paused: boolean;
  readonly concurrency: number | null;
  readonly rate: { readonly count: number; readonly ms: number } | null;
  readonly max_pending: number | null;
}

/** Jobs that are counted together. A batch is made when its first member is. */
export interface BatchStore {
  /** Newest first. */
  list(): Promise<readonly Batch[]>;
  /** @throws {NotFoundError} */
  find(name: string): Promise<Batch>;
  /**
   * No more members: when all are final the batch is done, and `onDone` (or what was given before) is enqueued.
   * @throws {NotFoundError} {@throws ConflictError} when it is sealed.
   */
  seal(name: string, onDone?: NewJob): Promise<Batch>;
}

export interface Batch {
  readonly name: string;
  readonly sealed: boolean;
  /** Members, also those that were removed since. */
  readonly total: number;
  /** How many of them are final. */
  readonly ended: number;
  /** Of those that still exist. */
  readonly states: Readonly<Partial<Record<JobState, number>>>;
  readonly on_done: { readonly command: string | null; readonly argv: readonly string[] | null } | null;
  /** The job that was made when it was done. */
  readonly done_job_id: string | null;
  readonly created_at: number;
  /** When the last member became final. Stays when one is retried. */
  readonly done_at: number | null;
}

export interface TemplateStore {
  /** By name. */
  list(): Promise<readonly Template[]>;
  /** @throws {NotFoundError} */
  find(name: string): Promise<Template>;
  /** @throws {ConflictError} when the name is in use and is not to be replaced. */
  put(name: string, job: WrittenFields, options: { replace: boolean }): Promise<Template>;
  /** @throws {NotFoundError} */
  remove(name: string): Promise<void>;
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
  /** The claims that a worker holds, registered or not. */
  holdings(id: string): Promise<readonly Holding[]>;
  /** Ids of workers that hold jobs and are not registered. */
  strays(): Promise<readonly string[]>;
}

/** A job in the hands of a worker. */
export interface Holding {
  readonly seq: number;
  readonly id: string;
  readonly claim: number;
}

/** Duties that one process at a time holds. Whether a holder is gone is for the others to find out. */
export interface LeaseStore {
  get(name: string): Promise<Lease | undefined>;
  /** Takes a lease that is free (`seen` undefined) or still as it was seen. False when somebody else was first. */
  take(name: string, holder: LeaseHolder, seen: Lease | undefined): Promise<boolean>;
  /** Raises the counter. False when it is not the holder's any more. */
  beat(name: string, holderId: string): Promise<boolean>;
  release(name: string, holderId: string): Promise<void>;
}

/** Who holds a lease: a process with a worker lock of this id. */
export interface LeaseHolder {
  readonly id: string;
  readonly host: string;
  readonly boot_id: string;
  readonly pid_namespace: string;
  readonly pid: number;
  readonly process_start: string;
}

export interface Lease {
  readonly holder: LeaseHolder;
  readonly beat: number;
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
  /** Of its pool when it was started; null: nobody keeps its pool at a number. */
  readonly generation: number | null;
}

export interface WorkerBeat {
  readonly state: "running" | "draining";
  readonly done: number;
  readonly failed: number;
  readonly rss_bytes: number | null;
  /** What it could not do lately and no job fails for, such as writing its log; null: nothing. */
  readonly trouble: string | null;
}

export interface WorkerRecord extends NewWorker, WorkerBeat {
  readonly started_at: number;
  readonly beat: number;
  readonly beat_at: number;
  /** Ids of the jobs that it runs. */
  readonly jobs: readonly string[];
}

/** Who did what, and when. Written by the changes themselves, in their transaction. */
export interface AuditStore {
  list(filter: { since?: number; limit?: number }): Promise<readonly AuditEntry[]>;
  /** Deletes up to `limit` entries from before, the oldest first; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

/** Who acts through a store. */
export interface Actor {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}

export interface AuditEntry extends Actor {
  readonly at: number;
  readonly action: string;
  readonly target: string | null;
  readonly detail: string | null;
}

/**
 * What became of runs, by the minute in which they ended. Written with each result, in its transaction. The
 * minutes themselves are kept for a week (`prune`), their sums for ever.
 */
export interface HistoryStore {
  /** What was counted, by queue and priority: since a time (rounded down to its minute), or ever. */
  tallies(filter: HistoryFilter): Promise<readonly QueueTally[]>;
  /** The same, minute by minute, oldest first. Minutes in which nothing ended are left out. */
  minutes(filter: HistoryFilter): Promise<readonly MinuteTally[]>;
  /** Jobs with the longest runs, longest first: of those that still exist. */
  slowest(filter: HistoryFilter, limit: number): Promise<readonly SlowRun[]>;
  /** What workers had to give since a time, or ever. */
  workerTime(since?: number): Promise<WorkerTime>;
  /** How many jobs were ever added, removed ones included. */
  enqueued(): Promise<number>;
  /** Since when the job of a queue waits that came first of those that are pending. */
  oldestPending(queue: string): Promise<number | undefined>;
  /** Forgets minutes from before; the sums stay. Returns how many. */
  prune(before: number): Promise<number>;
}

export interface HistoryFilter {
  readonly since?: number;
  readonly queue?: string;
}

export interface QueueTally {
  readonly queue: string;
  readonly priority: number;
  readonly tally: Tally;
  /** Beginning of the first minute in which something was counted; null when nothing was. */
  readonly firstMinuteAt: number | null;
  readonly extremes: Omit<MinuteExtremes, "longestSeq">;
}

export interface MinuteTally {
  /** Beginning of the minute. */
  readonly at: number;
  readonly queue: string;
  readonly priority: number;
  readonly tally: Tally;
}

export interface SlowRun {
  readonly job: Job;
  /** Of its longest run; the job may have had others since. */
  readonly durationMs: number;
}

export interface WorkerTime {
  /** Slots times the milliseconds for which they were there. */
  readonly slotMs: number;
  /** Transactions of workers that had to wait for another process. */
  readonly busyRetries: number;
}
