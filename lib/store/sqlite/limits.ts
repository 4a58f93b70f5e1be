/**
 * Limits of queues, looked at in the transaction that claims.
 *
 * Concurrency is a counter (`job_counts`). The rate is the last N start times:
 * another start is allowed when the N-th last is at least D ago. Start times in
 * the future, left by a clock that went back, hold nobody up.
 * @module
 */
import type { Row } from "./driver.ts";
import type { Statements } from "./statements.ts";

/** How many jobs of a queue may start now, at most `wanted`. `row` holds its limits. */
export function roomIn(sql: Statements, row: Row, wanted: number, now: number): number {
  let room = wanted;
  const queue = String(row.name);
  if (row.concurrency != null) {
    room = Math.min(room, Number(row.concurrency) - Number(sql("jobs_in_state").get(queue, "processing")?.n ?? 0));
  }
  if (row.rate_count != null && room > 0) {
    room = startsAllowed(sql, { queue, count: Number(row.rate_count), ms: Number(row.rate_ms), wanted: room, now });
  }
  return room;
}

interface RateQuestion {
  readonly queue: string;
  readonly count: number;
  readonly ms: number;
  readonly wanted: number;
  readonly now: number;
}

function startsAllowed(sql: Statements, { queue, count, ms, wanted, now }: RateQuestion): number {
  const first = lastStart(sql, queue) - count + 1;
  const most = Math.min(wanted, count);
  // The starts that the next ones push out of the window, oldest first; those that are missing never happened.
  const known = new Map(
    sql("starts_from").all(queue, first, most).map((row) => [Number(row.slot), Number(row.started_at)]),
  );
  let allowed = 0;
  while (allowed < most) {
    const startedAt = known.get(first + allowed);
    if (startedAt !== undefined && startedAt <= now && startedAt + ms > now) break;
    allowed++;
  }
  return allowed;
}

/** Remembers a start in a queue with a rate. */
export function recordStart(sql: Statements, row: Row, now: number): void {
  if (row.rate_count == null) return;
  const queue = String(row.name);
  const slot = lastStart(sql, queue) + 1;
  sql("add_start").run(queue, slot, now);
  sql("forget_starts").run(queue, slot - Number(row.rate_count));
}

/** The next time at which a rate lets a waiting job start that it holds up; undefined when none does. */
export function nextRateTime(sql: Statements, since: number): number | undefined {
  let next: number | undefined;
  for (const row of sql("rated_queues").all()) {
    const at = rateFreeAt(sql, row);
    // What was free at the last claim is held up by something else.
    if (at !== undefined && at > since && (next === undefined || at < next)) next = at;
  }
  return next;
}

/** When the rate of a queue allows another start, if it ever held one up. `row` holds its limits. */
export function rateFreeAt(sql: Statements, row: Row): number | undefined {
  if (row.rate_count == null) return undefined;
  const queue = String(row.name);
  const slot = lastStart(sql, queue) - Number(row.rate_count) + 1;
  const start = sql("starts_from").get(queue, slot, 1);
  return start === undefined || Number(start.slot) !== slot
    ? undefined
    : Number(start.started_at) + Number(row.rate_ms);
}

function lastStart(sql: Statements, queue: string): number {
  return Number(sql("last_start").get(queue)?.slot ?? 0);
}
