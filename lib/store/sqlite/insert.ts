/**
 * Putting new jobs into the table: a job whose key is held may stay out, its
 * queue may be full, it may have to wait for its time, for others or for a lock.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import type { NewJob } from "../../core/job.ts";
import { generateJobId } from "../../core/job_id.ts";
import type { EnqueuedJob, EnqueueOptions } from "../store.ts";
import { NewMembers } from "./batches.ts";
import type { Effects } from "./follow.ts";
import { insertRow } from "./insert_row.ts";
import { meetKey } from "./keys.ts";
import { settleLock } from "./locks.ts";
import { ParentLinks, type Parents, parentsOf } from "./parents.ts";
import { optionsWriter } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface Inserter {
  insert(job: NewJob): EnqueuedJob;
  /** All are inserted: finds parents that came after their children, and counts the batches. */
  close(): void;
}

interface InsertContext extends EnqueueOptions {
  readonly now: number;
  readonly effects: Effects;
  /** Only one job is added. */
  readonly isAlone: boolean;
}

/** Inserts one job after the other; keeps what they share between them. Runs inside a write transaction. */
export function inserter(sql: Statements, context: InsertContext): Inserter {
  const { now, isAlone } = context;
  const optionsText = optionsWriter();
  const room = pendingRoom(sql, now);
  const links = new ParentLinks(sql, context);
  const members = new NewMembers(sql, context);
  const insert = (job: NewJob): EnqueuedJob => {
    const id = job.id ?? generateJobId();
    const holder = meetKey(sql, job, { id, context });
    if (holder !== undefined) return { seq: holder.seq, id: holder.id, deduplicated: true };
    const parents = job.after === null && job.after_any === null ? NO_PARENTS : parentsOf(sql, job, { id, isAlone });
    const isLater = job.run_at !== null && job.run_at > now;
    const state = parents.left > 0 ? "blocked" : isLater ? "scheduled" : "pending";
    room.take(job.queue, state === "pending");
    // Whether its lock lets it in is found out once it is there.
    const isReserved = context.reserveFor !== undefined;
    const isParked = state === "pending" && job.lock !== null && !isReserved;
    const seq = insertRow(sql, parents.job ?? job, {
      id,
      state,
      parked: isParked ? "lock" : isReserved && state === "pending" ? "run" : "",
      runAt: isLater ? job.run_at : null,
      parentsLeft: parents.left,
      now,
      optionsText,
    });
    if (isParked && job.lock !== null) settleLock(sql, job.lock, job.queue);
    if (parents.all.length > 0) links.add(seq, id, parents);
    if (job.batch !== null) members.add(job.batch);
    return { seq, id, deduplicated: false };
  };
  const close = () => {
    links.close();
    members.close();
  };
  return { insert, close };
}

const NO_PARENTS: Omit<Parents, "job"> & { readonly job?: NewJob } = { all: [], left: 0 };

/** Makes queues on their first use, and keeps to their max_pending. */
function pendingRoom(sql: Statements, now: number): { take(queue: string, isPending: boolean): void } {
  const left = new Map<string, number>();
  return {
    take(queue, isPending) {
      let room = left.get(queue);
      if (room === undefined) left.set(queue, room = roomOf(sql, queue, now));
      if (!isPending) return;
      if (room <= 0) throw full(sql, queue);
      left.set(queue, room - 1);
    },
  };
}

function roomOf(sql: Statements, queue: string, now: number): number {
  const row = sql("max_pending").get(queue);
  if (row === undefined) sql("ensure").run(queue, now);
  if (row?.max_pending == null) return Infinity;
  return Number(row.max_pending) - Number(sql("jobs_in_state").get(queue, "pending")?.n ?? 0);
}

function full(sql: Statements, queue: string): ConflictError {
  const most = Number(sql("max_pending").get(queue)?.max_pending);
  return new ConflictError(`Cannot enqueue into queue ${quoted(queue)}: its max_pending is ${most}`, {
    hint: "queuectl queue list",
  });
}
