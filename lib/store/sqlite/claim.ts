/**
 * Claiming: the one transaction that gives a job to a worker.
 *
 * In it: what is due becomes pending (bounded, highest priority first); then
 * from each open queue the best heads of the ready index; among queues the
 * higher priority goes first, and equals take turns, so that a queue with a
 * million jobs does not starve one with a single job. With an explicit list of
 * queues their order decides instead.
 *
 * The cost does not grow with the number of jobs: every step is a short walk
 * at the head of an index.
 * @module
 */
import type { Job } from "../../core/job.ts";
import type { ClaimRequest } from "../store.ts";
import type { Row } from "./driver.ts";
import { jobFromRow } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Keeps the claim short when very many become due at once; the rest follows with the next claims. */
const MAX_PROMOTED = 500;

interface Head {
  readonly seq: number;
  readonly priority: number;
  readonly isAlone: boolean;
}

interface Line {
  readonly queue: string;
  /** Place in the list the worker was given; 0 for all when it was given none. */
  readonly rank: number;
  served: number;
  readonly heads: Head[];
}

/** Runs inside a write transaction. */
export function claimJobs(sql: Statements, request: ClaimRequest, now: number): Job[] {
  if (request.only !== undefined) return claimOne(sql, request.only, { workerId: request.workerId, now });
  promoteDue(sql, now);
  const lines = openLines(sql, request);
  const claimed: Job[] = [];
  let turn = lines.length > 1 ? Number(sql("last_served").get()?.served ?? 0) : 0;
  while (claimed.length < request.slots) {
    const line = bestLine(lines);
    const head = line?.heads.shift();
    if (line === undefined || head === undefined) break;
    // A job that must be alone is taken first or not at all, and then nothing else.
    if (head.isAlone && claimed.length > 0) continue;
    claimed.push(take(sql, head.seq, request.workerId, now));
    if (lines.length > 1) sql("serve_queue").run(line.served = ++turn, line.queue);
    if (head.isAlone) break;
  }
  return claimed;
}

/** Makes due jobs pending. Returns how many. */
export function promoteDue(sql: Statements, now: number): number {
  const next = sql("next_due").get()?.at;
  if (next == null || Number(next) > now) return 0;
  let promoted = 0;
  let bound = Number.MAX_SAFE_INTEGER;
  while (promoted < MAX_PROMOTED) {
    const priority = sql("due_priority").get(bound)?.priority;
    if (priority == null) break;
    for (const row of sql("due_of_priority").all(priority, now, MAX_PROMOTED - promoted)) {
      sql("promote").run(Number(row.crashes) > 0 ? "alone" : "", now, Number(row.seq));
      promoted++;
    }
    bound = Number(priority);
  }
  return promoted;
}

function openLines(sql: Statements, request: ClaimRequest): Line[] {
  const { queues } = request;
  const rows: [Row, number][] = queues === undefined
    ? sql("open_queues").all().map((row) => [row, 0])
    : [...new Set(queues)].flatMap((name, rank): [Row, number][] => {
      const row = sql("open_queue").get(name);
      return row === undefined ? [] : [[row, rank]];
    });
  return rows.map(([row, rank]) => {
    const queue = String(row.name);
    return { queue, rank, served: Number(row.served), heads: headsOf(sql, queue, request) };
  });
}

function headsOf(sql: Statements, queue: string, request: ClaimRequest): Head[] {
  const heads = sql("heads").all(queue, request.slots).map((row) => headFromRow(row, false));
  const alone = request.isIdle ? sql("heads_alone").get(queue) : undefined;
  if (alone === undefined) return heads;
  return [...heads, headFromRow(alone, true)].sort((a, b) => b.priority - a.priority || a.seq - b.seq);
}

function headFromRow(row: Row, isAlone: boolean): Head {
  return { seq: Number(row.seq), priority: Number(row.priority), isAlone };
}

function bestLine(lines: readonly Line[]): Line | undefined {
  let best: Line | undefined;
  for (const line of lines) {
    if (line.heads.length > 0 && (best === undefined || goesFirst(line, best))) best = line;
  }
  return best;
}

function goesFirst(a: Line, b: Line): boolean {
  if (a.rank !== b.rank) return a.rank < b.rank;
  const difference = (a.heads[0]?.priority ?? 0) - (b.heads[0]?.priority ?? 0);
  return difference === 0 ? a.served < b.served : difference > 0;
}

/** Takes one job, by its number, when nothing stands against it. */
function claimOne(sql: Statements, seq: number, { workerId, now }: { workerId: string; now: number }): Job[] {
  const row = sql("one_job").get(seq, workerId);
  if (row === undefined) return [];
  if (row.state !== "pending") {
    if (Number(row.run_at) > now) return [];
    sql("promote").run(Number(row.crashes) > 0 ? "alone" : "", now, seq);
  }
  if (sql("open_queue").get(String(row.queue)) === undefined) return [];
  return [take(sql, seq, workerId, now)];
}

function take(sql: Statements, seq: number, workerId: string, now: number): Job {
  const row = sql("claim").get(now, workerId, seq);
  if (row === undefined) throw new Error(`Cannot claim job ${seq}: the ready index names it, but it is not pending`);
  const job = jobFromRow(row.has_more === 1 ? sql("claimed_job").get(seq) ?? row : row);
  sql("insert_run").run(seq, job.run_count, job.attempts, job.claim, workerId, now);
  return job;
}
