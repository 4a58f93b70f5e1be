/**
 * What people do to jobs that exist: cancel, retry, edit, remove.
 *
 * Each function runs inside a write transaction. The transition table decides
 * what may happen; the guards in SQL only repeat it.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import type { Job, NewJob } from "../../core/job.ts";
import {
  canHappen,
  FINAL_STATES,
  isFinal,
  type JobEvent,
  type JobState,
  STATES,
  transition,
} from "../../core/job_state.ts";
import type { ChangedJob, JobFilter, JobSelection, RemovedJob } from "../store.ts";
import { keyScope } from "../../core/job_key.ts";
import type { Driver, Row } from "./driver.ts";
import { findJob } from "./find.ts";
import { changedFrom, follow, type FollowContext } from "./follow.ts";
import { activeHolder, keyHeld } from "./keys.ts";
import { conditions, oldestSeqs } from "./list.ts";
import { settleLock } from "./locks.ts";
import { allRetried, thoseRetried, waitForParents } from "./retry_rules.ts";
import { optionsWriter } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface ControlParts extends FollowContext {
  readonly driver: Driver;
  readonly sql: Statements;
}

export function cancelJobs(parts: ControlParts, which: JobSelection): ChangedJob[] {
  const { sql, now } = parts;
  return targets(parts, which, "cancel").map((row) => {
    const { seq, id, from } = changedFrom(row, "cancelled");
    if (from === "processing") sql("cancel_running").run(now, seq);
    // One that is no longer waiting was cancelled with its parent just before.
    else if (sql("cancel_waiting").run("cancelled by a person", now, seq).changes > 0) {
      follow(sql, changedFrom(row, "cancelled"), parts);
    }
    return { id, from, to: "cancelled" };
  });
}

export function retryJobs(parts: ControlParts, which: JobSelection): ChangedJob[] {
  const chosen = targets(parts, which, "retry");
  const allowed = "ids" in which ? allRetried(parts.sql, chosen) : thoseRetried(parts.sql, chosen);
  return allowed.map((row) => retry(parts, row, "a person"));
}

function retry(parts: ControlParts, row: Row, by: string): ChangedJob {
  const { sql, now } = parts;
  const { seq, id, from, lock } = changedFrom(row, "pending");
  const parentsLeft = waitForParents(sql, seq);
  const to = parentsLeft > 0 ? "blocked" : "pending";
  const isParked = to === "pending" && lock !== null;
  sql("retry").run(`retried by ${by}; was ${from}`, now, seq, to, isParked ? "lock" : "", parentsLeft);
  follow(sql, { ...changedFrom(row, to), seq }, parts);
  return { id, from, to };
}

/** As a person's retry, but a job has it once only. */
export function reviveJobs(parts: ControlParts, diedBefore: number, limit: number): ChangedJob[] {
  const { sql } = parts;
  const found = sql("long_dead").all(diedBefore, limit);
  const allowed = new Set(thoseRetried(sql, found));
  return found.flatMap((row) => {
    const revived = allowed.has(row) ? [retry(parts, row, "dead_retry_after")] : [];
    // One that may not run, because of its key or its parents, had its chance too.
    sql("revive").run(Number(row.seq));
    if (revived.length === 0) sql("add_unsettled").run(Number(row.seq));
    return revived;
  });
}

export function editJob(parts: ControlParts, id: string, change: (job: Job) => NewJob): Job {
  const { sql, now } = parts;
  const job = findJob(sql, id);
  if (job.state === "processing" || isFinal(job.state)) {
    const why = job.state === "processing" ? "it is running" : `already ${job.state}`;
    throw new ConflictError(`Cannot edit job ${quoted(job.id)}: ${why}`, { hint: `queuectl show ${job.id}` });
  }
  const edited = change(job);
  if (edited.key !== null && (edited.key !== job.key || edited.key_scope !== job.key_scope)) {
    const holder = activeHolder(sql, edited.key, keyScope(edited.key_scope), job.seq);
    if (holder !== undefined) throw keyHeld(edited.key, holder, `edit job ${quoted(job.id)}`);
  }
  const { state, runAt } = stateAfterEdit(job, edited, now);
  sql("ensure").run(edited.queue, now);
  sql("edit").run(
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
    // Its place in the line may be another: it is found anew.
    state !== "pending" ? "" : edited.lock !== null ? "lock" : job.crashes > 0 ? "alone" : "",
    job.seq,
  );
  if (job.lock !== null) settleLock(sql, job.lock, job.queue);
  if (edited.lock !== null) settleLock(sql, edited.lock, edited.queue);
  sql("forget_tags").run(job.seq);
  for (const tag of edited.tags) sql("insert_tag").run(tag, job.seq);
  return findJob(sql, job.id);
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
    `select seq, run_count, batch from jobs indexed by jobs_finished
    where state = ? and finished_at is not null and finished_at < ?${where === "" ? "" : ` and ${where}`}
    order by finished_at limit ? + 0`,
  );
  const removed: RemovedJob[] = [];
  const batches = new Set<string>();
  for (const state of new Set(states.filter(isFinal))) {
    for (const row of found.all(state, finishedBefore, ...values, limit - removed.length)) {
      const seq = Number(row.seq);
      // A job stays while children wait to be told that it ended.
      if (parts.sql("delete").run(seq).changes === 0) continue;
      removed.push({ seq, run_count: Number(row.run_count) });
      if (row.batch != null) batches.add(String(row.batch));
    }
  }
  // The name of a batch that is over may be used again once nothing of it is left.
  for (const name of batches) parts.sql("remove_batch").run(name);
  return removed;
}

/**
 * By id: exactly these, or the first that cannot be stops all. By filter: those to which it can happen, oldest first,
 * so that a job comes before those that wait for it.
 */
function targets(parts: ControlParts, which: JobSelection, event: JobEvent): Row[] {
  if ("ids" in which) {
    const found = new Map(which.ids.map((id) => findJob(parts.sql, id)).map((job) => [job.seq, job]));
    for (const { state, id } of found.values()) transition(state, event, undefined, id);
    return [...found.keys()].map((seq) => parts.sql("by_seq").get(seq)).filter((row) => row !== undefined);
  }
  const states = (which.filter.states ?? STATES).filter((state) => canHappen(state, event));
  return oldestSeqs(parts.driver, { ...which.filter, states }, which).map((seq) => parts.sql("by_seq").get(seq))
    .filter((row) => row !== undefined);
}
