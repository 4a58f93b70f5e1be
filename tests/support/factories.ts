/**
 * Jobs, workers and results for tests: a factory fills in what does not matter,
 * the test says what does.
 * @module
 */
import { NO_EXIT_RULES } from "../../lib/core/exit_rules.ts";
import type { Job, NewJob } from "../../lib/core/job.ts";
import type { JobState } from "../../lib/core/job_state.ts";
import type { RunResult } from "../../lib/core/run_result.ts";
import type { ClaimRequest, LeaseHolder, NewWorker, RunReport, Store, WorkerBeat } from "../../lib/store/mod.ts";
import { START } from "./fake_clock.ts";

/** A checked job, ready to be enqueued; with `argv` it is one that runs without a shell. */
export function aNewJob(overrides: Partial<NewJob> = {}): NewJob {
  const isExec = overrides.argv != null;
  return {
    id: null,
    type: isExec ? "exec" : "shell",
    command: isExec ? null : "true",
    argv: null,
    queue: "default",
    priority: 0,
    max_retries: 3,
    timeout_ms: null,
    run_at: null,
    expires_at: null,
    tags: [],
    lock: null,
    key: null,
    batch: null,
    when: null,
    template: null,
    backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
    kill_grace_ms: 10_000,
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
    ...overrides,
  };
}

/** A job as a store would give it: pending, the first thing that ever happened. */
export function aStoredJob(overrides: Partial<Job> = {}): Job {
  return {
    ...aNewJob(),
    id: "k3v7",
    seq: 17,
    state: "pending",
    parked: "",
    reserved_for: null,
    parents_left: 0,
    attempts: 0,
    run_count: 0,
    crashes: 0,
    snoozes: 0,
    created_at: START,
    updated_at: START,
    started_at: null,
    finished_at: null,
    duration_ms: null,
    exit_code: null,
    signal: null,
    reason: null,
    worker_id: null,
    claim: 0,
    cancel_requested_at: null,
    ...overrides,
  };
}

export interface JobWishes extends Partial<NewJob> {
  /** Default: pending, or scheduled when `run_at` says so. */
  readonly state?: Exclude<JobState, "blocked">;
  /** Who runs it, or ran it. Default: `worker`. */
  readonly workerId?: string;
}

/** How a job that was run gets to a state. */
const RESULT_FOR: Readonly<Partial<Record<JobState, RunResult>>> = {
  completed: { kind: "exited", code: 0 },
  failed: { kind: "exited", code: 1 },
  dead: { kind: "exited", code: 1 },
  cancelled: { kind: "cancelled" },
};

/**
 * Stores a job and brings it to the wished state the way a worker would. For
 * that it is claimed: a better job in its queue would be claimed instead, which is refused.
 */
export async function aJob(store: Store, wishes: JobWishes = {}): Promise<Job> {
  const { state, workerId = "worker", ...overrides } = wishes;
  const isScheduled = state === "scheduled" && overrides.run_at == null;
  const fatal = state === "dead" ? { max_retries: 0 } : {};
  const runAt = isScheduled ? { run_at: Date.parse("2100-01-01T00:00:00Z") } : {};
  const [enqueued] = await store.jobs.enqueue([aNewJob({ ...fatal, ...runAt, ...overrides })]);
  const id = enqueued!.id;
  if (state === undefined || state === "pending" || state === "scheduled") return await store.jobs.find(id);

  const queues = [overrides.queue ?? "default"];
  const [claimed] = await store.jobs.claim(aClaim({ workerId, queues }));
  if (claimed?.id !== id) throw new Error(`aJob() wanted to claim ${id} and got ${claimed?.id ?? "nothing"}`);
  const result = RESULT_FOR[state];
  if (result !== undefined) await store.jobs.finish([aReport(claimed, { result })]);
  return await store.jobs.find(id);
}

/** One slot of an idle worker that serves all queues. */
export function aClaim(overrides: Partial<ClaimRequest> = {}): ClaimRequest {
  return { workerId: "worker", slots: 1, isIdle: true, ...overrides };
}

/** That the run of a claimed job succeeded, one second after it began. */
export function aReport(job: Job, overrides: Partial<RunReport> = {}): RunReport {
  return {
    seq: job.seq,
    claim: job.claim,
    result: { kind: "exited", code: 0 },
    finishedAt: (job.started_at ?? 0) + 1_000,
    durationMs: 1_000,
    maxCrashes: 3,
    random: 0.5,
    ...overrides,
  };
}

export function aWorker(overrides: Partial<NewWorker> = {}): NewWorker {
  return {
    id: "worker",
    pool: "default",
    host: "host",
    boot_id: "4d7c2f0e-boot",
    pid_namespace: "4026531836",
    pid: 4_242,
    process_start: "123456",
    queues: null,
    slots: 1,
    version: "0.0.0",
    generation: null,
    ...overrides,
  };
}

/** What a worker says with a heartbeat. */
export function aBeat(overrides: Partial<WorkerBeat> = {}): WorkerBeat {
  return { state: "running", done: 0, failed: 0, rss_bytes: null, trouble: null, ...overrides };
}

/** A process somewhere else that holds a lease. */
export function aHolder(overrides: Partial<LeaseHolder> = {}): LeaseHolder {
  const { id, host, boot_id, pid_namespace, pid, process_start } = aWorker();
  return { id, host, boot_id, pid_namespace, pid, process_start, ...overrides };
}
