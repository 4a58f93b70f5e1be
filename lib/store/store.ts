/**
 * What a store does, by noun. SQLite meets it now, PostgreSQL will; the
 * conformance suite under `tests/store` says what the words below mean.
 *
 * Every call is one transaction. A call that finds the store locked waits and
 * tries again; beyond the busy timeout it throws `StoreBusyError`.
 * @module
 */
import type { NewJob } from "../core/job.ts";
import type { JobState } from "../core/job_state.ts";
import type { Template, WrittenFields } from "../core/template.ts";
import type { HistoryStore } from "./history_store.ts";
import type { JobStore } from "./job_store.ts";
import type { MaintenanceStore } from "./maintenance_store.ts";
import type { PoolStore } from "./pool_store.ts";

export type * from "./history_store.ts";
export type * from "./job_store.ts";

export interface Store {
  readonly location: string;
  /** Random, and never that of a copy: tells the processes of this store from those of another. Empty: not known. */
  readonly identity: string;
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
  /** Batches whose names begin with the text, newest first, without counting their jobs: for completion. */
  complete(prefix: string, limit: number): Promise<readonly BatchHint[]>;
  /** @throws {NotFoundError} */
  find(name: string): Promise<Batch>;
  /**
   * No more members: when all are final the batch is done, and `onDone` (or what was given before) is enqueued.
   * @throws {NotFoundError} {@throws ConflictError} when it is sealed.
   */
  seal(name: string, onDone?: NewJob): Promise<Batch>;
}

export type BatchHint = Pick<Batch, "name" | "sealed" | "total" | "ended">;

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
