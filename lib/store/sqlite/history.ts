/**
 * What happened, from the tallies that `record_run.ts` keeps: however long the
 * time and however many the jobs, it is a difference of two rows for each
 * queue and priority.
 * @module
 */
import { extremesOf, minus, minuteOf, NO_RUNS, readTally, type Tally } from "../../core/tally.ts";
import type { HistoryFilter, HistoryStore, MinuteTally, QueueTally, SlowRun } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import { MINUTE_MS, TALLY_PREFIX } from "./record_run.ts";
import { jobFromRow } from "./rows.ts";
import historySql from "./sql/history.sql" with { type: "text" };
import { type Statements, statements } from "./statements.ts";

/** So many of the newest jobs of each final state are looked at one by one when the slowest are sought: 10 ms. */
const LOOKED_AT = 5_000;

/** The row of a queue and priority. */
interface Group {
  readonly queue: string;
  readonly priority: number;
  readonly bytes: Uint8Array;
}

export function sqliteHistory(connection: Connection): HistoryStore {
  const sql = statements(connection.driver, historySql);
  return {
    tallies: (filter) =>
      connection.read("read tallies", () => groups(sql, filter).map((group) => tallySince(sql, group, filter))),
    minutes: (filter) => connection.read("read the history", () => minuteTallies(sql, filter)),
    slowest: (filter, limit) => connection.read("find the slowest jobs", () => slowest(sql, filter, limit)),
    workerTime: (since) =>
      connection.read("read the time of workers", () => {
        const row = sql("worker_time").get(minuteFrom(since));
        return { slotMs: Number(row?.slot_ms ?? 0), busyRetries: Number(row?.busy_retries ?? 0) };
      }),
    enqueued: () => connection.read("count all jobs ever", () => Number(sql("enqueued").get()?.seq ?? 0)),
    oldestPending: (queue) =>
      connection.read("find the oldest pending job", () => {
        const at = sql("oldest_pending").get(queue)?.at;
        return at == null ? undefined : Number(at);
      }),
    prune: (before) => connection.write("prune the history", () => pruneHistory(sql, before)),
  };
}

/** Runs inside a write transaction. Returns how many minutes were forgotten; their sums stay. */
export function pruneHistory(sql: Statements, before: number): number {
  const minute = minuteFrom(before);
  let pruned = 0;
  for (const { queue, priority } of groups(sql, {})) {
    // It stays: what happened since is counted from it.
    const last = sql("last_before").get(queue, priority, minute)?.minute;
    if (last == null) continue;
    sql("fold_extremes").run(queue, priority, last);
    pruned += Number(sql("prune_minutes").run(queue, priority, last).changes);
  }
  sql("fold_worker_minutes").run(minute);
  return pruned + Number(sql("prune_worker_minutes").run(minute).changes);
}

function minuteFrom(since: number | undefined): number {
  return since === undefined ? 0 : Math.max(0, Math.floor(since / MINUTE_MS));
}

function groups(sql: Statements, filter: HistoryFilter): Group[] {
  return sql("tallies").all().map((row) => ({
    queue: String(row.queue),
    priority: Number(String(row.state).slice(TALLY_PREFIX.length)),
    bytes: row.tally as Uint8Array,
  })).filter(({ queue }) => filter.queue === undefined || queue === filter.queue);
}

function tallyBefore(sql: Statements, { queue, priority }: Group, minute: number): Tally {
  if (minute === 0) return NO_RUNS;
  const bytes = sql("tally_before").get(queue, priority, minute)?.tally;
  return bytes == null ? NO_RUNS : readTally(bytes as Uint8Array);
}

function tallySince(sql: Statements, group: Group, { since }: HistoryFilter): QueueTally {
  const { queue, priority, bytes } = group;
  const from = minuteFrom(since);
  const current = minuteOf(bytes);
  // Nothing ended since: the tally of now is that of then.
  if (current < from) return { queue, priority, tally: NO_RUNS, firstMinuteAt: null, extremes: NO_EXTREMES };
  const kept = sql("extremes").get(queue, priority, from);
  const live = extremesOf(bytes);
  const least = (name: string, value: number | null) => extreme(Math.min, kept?.[name], value);
  const most = (name: string, value: number | null) => extreme(Math.max, kept?.[name], value);
  return {
    queue,
    priority,
    tally: minus(readTally(bytes), tallyBefore(sql, group, from)),
    firstMinuteAt: Number(kept?.first ?? current) * MINUTE_MS,
    extremes: {
      shortestMs: least("shortest_ms", live.shortestMs),
      longestMs: most("longest_ms", live.longestMs),
      leastWaitMs: least("least_wait_ms", live.leastWaitMs),
      mostWaitMs: most("most_wait_ms", live.mostWaitMs),
    },
  };
}

const NO_EXTREMES: QueueTally["extremes"] = { shortestMs: null, longestMs: null, leastWaitMs: null, mostWaitMs: null };

function extreme(
  choose: (a: number, b: number) => number,
  kept: Row[string] | undefined,
  live: number | null,
): number | null {
  if (kept == null) return live;
  return live === null ? Number(kept) : choose(Number(kept), live);
}

function minuteTallies(sql: Statements, filter: HistoryFilter): MinuteTally[] {
  const from = minuteFrom(filter.since);
  return groups(sql, filter).flatMap((group) => {
    const { queue, priority, bytes } = group;
    const found: MinuteTally[] = [];
    let before = tallyBefore(sql, group, from);
    const add = (minute: number, tally: Tally) => {
      if (minute >= from) found.push({ at: minute * MINUTE_MS, queue, priority, tally: minus(tally, before) });
      before = tally;
    };
    for (const row of sql("minutes").all(queue, priority, from)) {
      add(Number(row.minute), readTally(row.tally as Uint8Array));
    }
    add(minuteOf(bytes), readTally(bytes));
    return found;
  }).sort((a, b) => a.at - b.at);
}

/**
 * The slowest of each minute, and the slowest of the newest jobs: so the first is always right, and where there
 * are not very many jobs all of them are.
 */
function slowest(sql: Statements, filter: HistoryFilter, limit: number): SlowRun[] {
  const from = minuteFrom(filter.since);
  const longest = new Map<number, number>();
  const consider = (seq: number, durationMs: number) => longest.set(seq, Math.max(durationMs, longest.get(seq) ?? 0));
  for (const { queue, priority, bytes } of groups(sql, filter)) {
    for (const row of sql("longest").all(queue, priority, from, limit)) {
      consider(Number(row.seq), Number(row.duration_ms));
    }
    const { longestSeq, longestMs } = extremesOf(bytes);
    if (minuteOf(bytes) >= from && longestSeq !== null && longestMs !== null) consider(longestSeq, longestMs);
  }
  for (const state of ["completed", "dead", "cancelled"]) {
    const rows = sql("newest_ended").all(state, from * MINUTE_MS, filter.queue ?? null, LOOKED_AT, limit);
    for (const row of rows) consider(Number(row.seq), Number(row.duration_ms));
  }
  const sorted = [...longest].sort(([a, x], [b, y]) => y - x || a - b);
  const found: SlowRun[] = [];
  for (const [seq, durationMs] of sorted) {
    if (found.length === limit) break;
    const row = sql("by_seq").get(seq);
    // Removed meanwhile, or moved to another queue.
    if (row !== undefined) found.push({ job: jobFromRow(row), durationMs });
  }
  return found;
}
