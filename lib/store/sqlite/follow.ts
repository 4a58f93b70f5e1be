/**
 * What follows when a job leaves a state: its lock is given on, its children
 * are unblocked or cancelled, its batch counts it. Every change of state of a
 * job that can have any of these ends here, in the same transaction.
 *
 * One transaction changes a bounded number of children; the rest is noted in
 * `unsettled` and done by further transactions (`settleSome`), of the one who
 * caused it or, when that one dies, of maintenance.
 * @module
 */
import { isFinal, type JobState } from "../../core/job_state.ts";
import { quoted } from "../../core/errors.ts";
import { batchMemberAgain, batchMemberEnded } from "./batches.ts";
import type { Row } from "./driver.ts";
import { settleLock } from "./locks.ts";
import type { Statements } from "./statements.ts";

/** Children that one transaction changes: some 10 ms. */
const MAX_FOLLOWING = 500;

/** What must be known of a job that changed. */
export interface ChangedState {
  readonly seq: number;
  readonly id: string;
  readonly lock: string | null;
  readonly batch: string | null;
  readonly from: JobState;
  readonly to: JobState;
}

export interface FollowContext {
  readonly now: number;
  /** A job that is dead now gets another life by dead_retry_after: its children go on waiting. */
  readonly isRevivable?: boolean;
  /** Set when jobs became ready, or children are left to be settled. */
  readonly effects: Effects;
}

/** What the one who committed a change has to do next. */
export interface Effects {
  wakes: boolean;
  hasUnsettled: boolean;
  /** Whether dead jobs may get another life, where that is known. Then their children that are left can be told at once. */
  deadAreRetried?: boolean;
}

export function noEffects(): Effects {
  return { wakes: false, hasUnsettled: false };
}

/** The columns that `ChangedState` needs, from a row that has them. */
export function changedFrom(row: Row, to: JobState): ChangedState {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    lock: row.lock == null ? null : String(row.lock),
    batch: row.batch == null ? null : String(row.batch),
    from: String(row.state) as JobState,
    to,
  };
}

/** Runs inside the transaction that changed the job, after the change. */
export function follow(sql: Statements, job: ChangedState, context: FollowContext): void {
  const { lock, batch, from, to } = job;
  if (lock !== null && from !== to && settleLock(sql, lock) > 0) context.effects.wakes = true;
  if (isFinal(to) && !isFinal(from)) {
    if (batch !== null) batchMemberEnded(sql, batch, context);
    settleChildren(sql, [job], context);
  } else if (batch !== null && isFinal(from) && !isFinal(to)) batchMemberAgain(sql, batch);
}

interface Ended {
  readonly seq: number;
  readonly id: string;
  readonly to: JobState;
  /** Why it was cancelled, when that was for a parent: what became of the job with which it all began. */
  readonly cause?: string | undefined;
}

/** Tells the children of ended jobs, and theirs when they are cancelled by it. True when none is left to be told. */
function settleChildren(sql: Statements, ended: readonly Ended[], context: FollowContext): boolean {
  const work = [...ended];
  let left = MAX_FOLLOWING;
  for (let parent = work.pop(); parent !== undefined; parent = work.pop()) {
    if (parent.to === "dead" && context.isRevivable === true) {
      if (sql("has_waiting_children").get(parent.seq)?.yes === 1) sql("add_unsettled").run(parent.seq);
      continue;
    }
    if (parent.to === "completed") sql("satisfy_failed").run(parent.seq);
    const children = left <= 0 ? [] : sql("waiting_children").all(parent.seq, left);
    left -= children.length;
    for (const child of children) {
      const cancelled = settleChild(sql, child, parent, context);
      if (cancelled !== undefined) work.push(cancelled);
    }
    if (left <= 0) {
      // Most of those that were cancelled here have no children: each that is noted costs a transaction of its own.
      const unsettled = [parent, ...work].filter(({ seq }) => sql("has_waiting_children").get(seq)?.yes === 1);
      if (unsettled.length === 0) return true;
      for (const { seq } of unsettled) sql("add_unsettled").run(seq);
      context.effects.hasUnsettled = true;
      return false;
    }
  }
  return true;
}

/** Gives the child when it was cancelled for its parent. */
function settleChild(sql: Statements, row: Row, parent: Ended, context: FollowContext): Ended | undefined {
  const seq = Number(row.child_seq);
  if (parent.to === "completed" || row.needs === "ended") {
    satisfy(sql, seq, parent.seq, context);
    return undefined;
  }
  sql("set_parent_state").run("failed", seq, parent.seq);
  const what = `parent ${quoted(parent.id)} ended ${parent.to}`;
  const reason = parent.cause === undefined ? what : `${what}: ${parent.cause}`;
  if (row.state !== "blocked" || sql("cancel_waiting").run(reason, context.now, seq).changes === 0) return undefined;
  if (row.batch != null) batchMemberEnded(sql, String(row.batch), context);
  return { seq, id: String(row.id), to: "cancelled", cause: parent.cause ?? what };
}

/** The cause, from the reason of a job that was cancelled earlier. */
function causeIn(reason: unknown): string | undefined {
  const found = /^parent "[^"]*" ended \w+(?:: (parent .*))?$/.exec(String(reason));
  return found === null ? undefined : found[1] ?? found[0];
}

/** One parent less to wait for; after the last the child waits for its time, or is ready. */
export function satisfy(sql: Statements, childSeq: number, parentSeq: number, context: FollowContext): void {
  sql("set_parent_state").run("satisfied", childSeq, parentSeq);
  const child = sql("one_parent_less").get(childSeq);
  if (child === undefined || child.state !== "blocked" || Number(child.parents_left) > 0) return;
  const { now, effects } = context;
  const isLater = child.run_at != null && Number(child.run_at) > now;
  const lock = child.lock == null ? null : String(child.lock);
  sql("unblock").run(
    isLater ? "scheduled" : "pending",
    !isLater && lock !== null ? "lock" : "",
    isLater ? child.run_at ?? null : null,
    now,
    now,
    childSeq,
  );
  if (!isLater && lock !== null) settleLock(sql, lock, String(child.queue));
  effects.wakes = true;
}

/**
 * Goes on with what one transaction left over. `after` is the number of the
 * job up to which all was looked at; gives the next such number (0 when more
 * was left over again), undefined at the end.
 */
export function settleSome(
  sql: Statements,
  after: number,
  context: FollowContext & { readonly deadAreRetried: boolean },
): number | undefined {
  const row = sql("next_unsettled").get(after);
  if (row === undefined) return undefined;
  const seq = Number(row.seq);
  const to = String(row.state) as JobState;
  if (!isFinal(to)) {
    // It was retried meanwhile: its children wait for its next end.
    sql("remove_unsettled").run(seq);
    return seq;
  }
  if (to === "dead" && context.deadAreRetried && row.revived === 0) return seq;
  const ended = { seq, id: String(row.id), to, cause: causeIn(row.reason) };
  if (!settleChildren(sql, [ended], { ...context, isRevivable: false })) return 0;
  sql("remove_unsettled").run(seq);
  return seq;
}
