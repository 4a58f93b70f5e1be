/**
 * What people do to jobs that exist: cancel, retry, edit, remove.
 *
 * Each function runs inside a write transaction. The transition table decides
 * what may happen; the guards in SQL only repeat it.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import type { Job, NewJob } from "../../core/job.ts";
import { canHappen, FINAL_STATES, isFinal, type JobEvent, type JobState, transition } from "../../core/job_state.ts";
import type { ChangedJob, JobFilter, JobSelection, RemovedJob } from "../store.ts";
import type { Driver, SqlValue } from "./driver.ts";
import { findJob } from "./find.ts";
import { conditions } from "./list.ts";
import { optionsWriter } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface ControlParts {
  readonly driver: Driver;
  /** Statements of jobs.sql. */
  readonly jobs: Statements;
  /** Statements of control.sql. */
  readonly control: Statements;
  /** Statements of queues.sql. */
  readonly queues: Statements;
  readonly now: number;
}

interface Target {
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
}

export function cancelJobs(parts: ControlParts, which: JobSelection): ChangedJob[] {
  const { control, now } = parts;
  return targets(parts, which, "cancel").map(({ seq, id, state }) => {
    if (state === "processing") control("cancel_running").run(now, seq);
    else control("cancel_waiting").run("cancelled by a person", now, seq);
    return { id, from: state, to: "cancelled" };
  });
}

export function retryJobs(parts: ControlParts, which: JobSelection): ChangedJob[] {
  const { control, now } = parts;
  return targets(parts, which, "retry").map(({ seq, id, state }) => {
    control("retry").run(`retried by a person; was ${state}`, now, seq);
    return { id, from: state, to: "pending" };
  });
}

/** As a person's retry, but a job has it once only. */
export function reviveJobs(parts: ControlParts, diedBefore: number, limit: number): ChangedJob[] {
  const { control, now } = parts;
  return control("long_dead").all(diedBefore, limit).map((row) => {
    const seq = Number(row.seq);
    control("retry").run("retried by dead_retry_after; was dead", now, seq);
    control("revive").run(seq);
    return { id: String(row.id), from: "dead", to: "pending" };
  });
}

export function editJob(parts: ControlParts, id: string, change: (job: Job) => NewJob): Job {
  const { jobs, control, queues, now } = parts;
  const job = findJob(jobs, id);
  if (job.state === "processing" || isFinal(job.state)) {
    const why = job.state === "processing" ? "it is running" : `already ${job.state}`;
    throw new ConflictError(`Cannot edit job ${quoted(job.id)}: ${why}`, { hint: `queuectl show ${job.id}` });
  }
  const edited = change(job);
  const { state, runAt } = stateAfterEdit(job, edited, now);
  queues("ensure").run(edited.queue, now);
  control("edit").run(
    state,
    runAt,
    edited.queue,
    edited.priority,
    edited.type,
    edited.command,
    edited.argv === null ? null : JSON.stringify(edited.argv),
    edited.max_retries,
    edited.timeout_ms,
    edited.tags.length === 0 ? null : JSON.stringify(edited.tags),
    optionsWriter()(edited),
    state === job.state ? job.reason : null,
    now,
    edited.lock,
    edited.key,
    edited.expires_at,
    edited.when,
    job.seq,
  );
  control("forget_tags").run(job.seq);
  for (const tag of edited.tags) jobs("insert_tag").run(tag, job.seq);
  return findJob(jobs, job.id);
}

/** Only another time can change the state, and only of a job that waits for its first run. */
function stateAfterEdit(job: Job, edited: NewJob, now: number): { state: JobState; runAt: number | null } {
  if (edited.run_at === job.run_at) return { state: job.state, runAt: job.run_at };
  const isFuture = edited.run_at !== null && edited.run_at > now;
  if (job.state === "failed") {
    // The retry moves; `retry` is the way to run it at once.
    return { state: job.state, runAt: edited.run_at ?? now };
  }
  return {
    state: transition(job.state, "reschedule", isFuture ? "scheduled" : "pending", job.id),
    runAt: isFuture ? edited.run_at : null,
  };
}

/** Along jobs_finished, state by state, those first that ended first: what is removed is not walked over again. */
export function removeJobs(parts: ControlParts, filter: JobFilter, limit: number): RemovedJob[] {
  const { finishedBefore = Number.MAX_SAFE_INTEGER, states = FINAL_STATES, ...others } = filter;
  const { where, values } = conditions(others, { tags: "one by one" });
  const found = parts.driver.prepare(
    `select seq, run_count from jobs indexed by jobs_finished
    where state = ? and finished_at is not null and finished_at < ?${where === "" ? "" : ` and ${where}`}
    order by finished_at limit ? + 0`,
  );
  const removed: RemovedJob[] = [];
  for (const state of new Set(states.filter(isFinal))) {
    for (const row of found.all(state, finishedBefore, ...values, limit - removed.length)) {
      const seq = Number(row.seq);
      parts.control("delete").run(seq);
      removed.push({ seq, run_count: Number(row.run_count) });
    }
  }
  return removed;
}

export function countJobs(driver: Driver, filter: JobFilter): number {
  const { where, values } = whereOf(filter);
  return Number(driver.prepare(`select count(*) as n from jobs ${where}`).get(...values)?.n ?? 0);
}

/** By id: exactly these, or the first that cannot be stops all. By filter: those to which it can happen. */
function targets(parts: ControlParts, which: JobSelection, event: JobEvent): Target[] {
  if ("ids" in which) {
    const found = new Map(which.ids.map((id) => findJob(parts.jobs, id)).map((job) => [job.seq, job]));
    for (const { state, id } of found.values()) transition(state, event, undefined, id);
    return [...found.values()];
  }
  const { where, values } = whereOf(which.filter);
  const rows = parts.driver.prepare(`select seq, id, state from jobs ${where} order by seq`).all(...values);
  return rows.map((row) => ({ seq: Number(row.seq), id: String(row.id), state: String(row.state) as JobState }))
    .filter(({ state }) => canHappen(state, event));
}

function whereOf(filter: JobFilter): { where: string; values: SqlValue[] } {
  const { where, values } = conditions(filter);
  const parts = where === "" ? [] : [where];
  const { states } = filter;
  if (states !== undefined) {
    parts.unshift(`state in (${states.map(() => "?").join(", ")})`);
    values.unshift(...states);
  }
  return { where: parts.length === 0 ? "" : `where ${parts.join(" and ")}`, values };
}
