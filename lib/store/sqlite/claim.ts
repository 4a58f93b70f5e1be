/**
 * Claiming: the one transaction that gives a job to a worker.
 *
 * In it: what is due becomes pending (bounded, highest priority first); then
 * from each open queue the best heads of the ready index; among queues the
 * higher priority goes first, and equals take turns, so that a queue with a
 * million jobs does not starve one with a single job. With an explicit list of
 * queues their order decides instead. A queue at its limits is not looked at.
 *
 * A job that may expire, has a gate or a lock is looked at more closely when it
 * is its turn; if it cannot run now it leaves the ready index, and the next one
 * takes its place. Jobs that wait at a gate which this worker sees open stand
 * in line beside those of the ready index (`gates.ts`).
 *
 * A row that cannot be claimed at all, because a number in it is damaged, say,
 * is put aside as dead with its reason, and the next one takes its place.
 *
 * The cost does not grow with the number of jobs: every step is a short walk
 * at the head of an index. Nor does it with the number of queues (`open_lines.ts`).
 * @module
 */
import type { Job } from "../../core/job.ts";
import type { JobState } from "../../core/job_state.ts";
import type { ChangedJob, ClaimRequest } from "../store.ts";
import type { Row } from "./driver.ts";
import { isFaultOfRow, isUniqueViolation } from "./errors.ts";
import { changedFrom, follow, type FollowContext } from "./follow.ts";
import { judgedOnce, type JudgedRequest } from "./gates.ts";
import { recordStart, roomIn } from "./limits.ts";
import { settleLock } from "./locks.ts";
import { bestLine, headsOf, isTurnTaken, type LineMemory } from "./open_lines.ts";
import { jobFromRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Keeps the claim short when very many become due at once; the rest follows with the next claims. */
const MAX_PROMOTED = 500;
/** Jobs that turn out not to be for this moment: expired, behind a lock or a closed gate. More follow with the next claim. */
const MAX_TURNED_AWAY = 1_000;

export interface Claimed {
  readonly jobs: Job[];
  /** More were turned away than one transaction should: claim again at once. */
  readonly isCut: boolean;
}

/** Runs inside a write transaction. */
export function claimJobs(sql: Statements, asked: ClaimRequest, context: FollowContext, memory: LineMemory): Claimed {
  const { now } = context;
  const request = judgedOnce(asked);
  if (request.only !== undefined) return { jobs: claimOne(sql, request.only, request, context), isCut: false };
  if (promoteDue(sql, now) > 0) memory.forget();
  const served = serve(sql, memory, request, context);
  if (served.isPart && served.jobs.length < request.slots && !served.isCut) {
    // Those in front had less than they had: all of them are asked.
    memory.forget();
    const slots = request.slots - served.jobs.length;
    const isIdle = request.isIdle && served.jobs.length === 0;
    const rest = serve(sql, memory, { ...request, slots, isIdle }, context);
    served.jobs.push(...rest.jobs);
    served.isCut = rest.isCut;
  }
  if (served.jobs.length === 0) expireJobs(sql, MAX_PROMOTED, context);
  return { jobs: served.jobs, isCut: served.isCut };
}

interface Served {
  readonly jobs: Job[];
  isCut: boolean;
  /** Not all queues were asked. */
  readonly isPart: boolean;
}

/** Fills the slots from the queues, best job first. */
function serve(sql: Statements, memory: LineMemory, request: JudgedRequest, context: FollowContext): Served {
  const { now } = context;
  const lines = memory.lines(sql, request, now);
  const takeTurns = lines.isPart || isTurnTaken(lines.all);
  const jobs: Job[] = [];
  let turn = lines.served;
  let turnedAway = 0;
  while (jobs.length < request.slots && turnedAway < MAX_TURNED_AWAY) {
    const line = bestLine(lines.all);
    const head = line?.heads.shift();
    if (line === undefined || head === undefined) break;
    // A job that must be alone is taken first or not at all, and then nothing else.
    if (head.isAlone && jobs.length > 0) continue;
    const job = take(sql, head.seq, request, context);
    if (job === undefined) {
      turnedAway++;
      if (line.heads.length === 0) line.heads = headsOf(sql, line.queue, Math.min(request.slots, line.room), request);
      continue;
    }
    jobs.push(job);
    line.priority = head.priority;
    recordStart(sql, line.limits, now);
    if (--line.room <= 0) line.heads = [];
    if (takeTurns) sql("serve_queue").run(line.served = ++turn, line.queue);
    if (head.isAlone) break;
  }
  memory.served(lines, turn);
  return { jobs, isCut: turnedAway >= MAX_TURNED_AWAY, isPart: lines.isPart };
}

/** Makes due jobs pending. Returns how many were due. */
export function promoteDue(sql: Statements, now: number): number {
  const next = sql("next_due").get();
  if (next === undefined || Number(next.at) > now) return 0;
  let promoted = 0;
  let bound = Number.MAX_SAFE_INTEGER;
  while (promoted < MAX_PROMOTED) {
    const priority = sql("due_priority").get(bound)?.priority;
    if (priority == null) break;
    for (const row of sql("due_of_priority").all(priority, now, MAX_PROMOTED - promoted)) {
      promote(sql, row, now);
      promoted++;
    }
    bound = Number(priority);
  }
  return promoted;
}

function promote(sql: Statements, row: Row, now: number): void {
  const isLocked = row.lock != null;
  sql("promote").run(isLocked ? "lock" : Number(row.crashes) > 0 ? "alone" : "", now, Number(row.seq));
  if (isLocked) settleLock(sql, String(row.lock), String(row.queue));
}

/** Cancels jobs that waited past their time. Gives those that it cancelled. */
export function expireJobs(sql: Statements, limit: number, context: FollowContext): ChangedJob[] {
  return sql("expiring").all(context.now, limit).map((row) => {
    expire(sql, row, context);
    return { id: String(row.id), from: String(row.state) as JobState, to: "cancelled" };
  });
}

function expire(sql: Statements, row: Row, context: FollowContext): void {
  sql("cancel_waiting").run("expired", context.now, Number(row.seq));
  follow(sql, changedFrom(row, "cancelled"), context);
}

/** Takes one job, by its number, when nothing stands against it. */
function claimOne(sql: Statements, seq: number, request: JudgedRequest, context: FollowContext): Job[] {
  const { now } = context;
  const row = sql("one_job").get(seq, request.workerId);
  if (row === undefined) return [];
  if (row.state !== "pending") {
    if (Number(row.run_at) > now) return [];
    promote(sql, row, now);
  }
  const queue = sql("open_queue").get(String(row.queue));
  if (queue === undefined || roomIn(sql, queue, 1, now) <= 0) return [];
  const job = take(sql, seq, request, context);
  if (job === undefined) return [];
  recordStart(sql, queue, now);
  return [job];
}

/** Begins a run of the job; undefined when this is not its moment after all, which is then noted in the job. */
function take(sql: Statements, seq: number, request: JudgedRequest, context: FollowContext): Job | undefined {
  try {
    return begin(sql, seq, request, context);
  } catch (error) {
    if (!isFaultOfRow(error)) throw error;
    putAside(sql, seq, { error, context });
    return undefined;
  }
}

/** Nobody can ever claim it, and it stands before all others: left where it is, it would stop the whole queue. */
function putAside(sql: Statements, seq: number, { error, context }: { error: unknown; context: FollowContext }): void {
  const row = sql("claimed_job").get(seq);
  if (row === undefined) throw error;
  const reason = `it cannot be claimed: ${error instanceof Error ? error.message : String(error)}`;
  sql("put_aside").run(reason, context.now, seq);
  follow(sql, changedFrom(row, "dead"), context);
}

function begin(sql: Statements, seq: number, request: JudgedRequest, context: FollowContext): Job | undefined {
  const { now } = context;
  const row = claim(sql, seq, request, { now, isChecked: false }) ?? takeChecked(sql, seq, request, context);
  if (row === undefined) return undefined;
  const job = jobFromRow(row.has_more === 1 ? sql("claimed_job").get(seq) ?? row : row);
  sql("insert_run").run(seq, job.run_count, job.attempts, job.claim, request.workerId, now);
  return job;
}

function claim(
  sql: Statements,
  seq: number,
  { workerId }: ClaimRequest,
  { now, isChecked }: { now: number; isChecked: boolean },
): Row | undefined {
  try {
    return sql("claim").get(now, workerId, seq, isChecked ? 1 : 0);
  } catch (error) {
    // Its lock is held: the index says so.
    if (!isUniqueViolation(error)) throw error;
    return undefined;
  }
}

/** A job that the plain claim did not take: it expires, has a gate, or its lock is held. */
function takeChecked(sql: Statements, seq: number, request: JudgedRequest, context: FollowContext): Row | undefined {
  const { now } = context;
  const row = sql("claimed_job").get(seq);
  if (row === undefined || row.state !== "pending") {
    throw new Error(`Cannot claim job ${seq}: the ready index names it, but it is not pending`);
  }
  if (row.expires_at != null && Number(row.expires_at) <= now) {
    expire(sql, row, context);
    return undefined;
  }
  const lock = row.lock == null ? undefined : String(row.lock);
  if (lock !== undefined && sql("lock_holder").get(lock) !== undefined) {
    sql("park_for_lock").run(seq);
    return undefined;
  }
  const verdict = row.gate == null ? undefined : request.judgeGate(String(row.gate));
  if (verdict === undefined || verdict.isOpen) return claim(sql, seq, request, { now, isChecked: true });
  sql("park_for_gate").run(`waits for its gate: ${verdict.seen}`, seq);
  // Somebody behind it may go first.
  if (lock !== undefined) settleLock(sql, lock, String(row.queue));
  return undefined;
}
