/**
 * The queues that a claim chooses from, each with its best jobs.
 *
 * With few queues all of them are asked for their heads, in each claim. With
 * many that would be most of a claim, 10 ms for 3,000. So a claim that looked at
 * all of them remembers their order, and the next ones ask only those at the
 * front what they have now. What was enqueued since is added. What became ready
 * in another way, such as by a retry or the end of a pause, is seen when all are
 * looked at again, after 100 ms.
 *
 * Nothing is taken on the word of what is remembered: each queue is read again
 * before a job of it is claimed, and one that has less to offer than it had
 * goes back to its place in the order.
 * @module
 */
import type { Row } from "./driver.ts";
import { aloneAtGate, headsAtGate, type JudgedRequest } from "./gates.ts";
import { roomIn } from "./limits.ts";
import type { Statements } from "./statements.ts";

export interface Head {
  readonly seq: number;
  readonly priority: number;
  readonly isAlone: boolean;
}

export interface Line {
  readonly queue: string;
  /** Row of the queue, with its limits. */
  readonly limits: Row;
  /** Place in the list the worker was given; 0 for all when it was given none. */
  readonly rank: number;
  served: number;
  /** How many more its limits allow. */
  room: number;
  heads: Head[];
  /** Of the job that was last taken from it; of its best, when none was. */
  priority: number;
}

export interface Lines {
  readonly all: Line[];
  /** The highest number under which a queue was served. */
  readonly served: number;
  /** There may be more than these. */
  readonly isPart: boolean;
}

/** With no more queues than this, all of them are asked: it takes less than 0.2 ms. */
const MANY_QUEUES = 64;
/** How long an order is believed. Looking at 3,000 queues takes some 5 ms; on a slow machine a twentieth of the time. */
const REMEMBERED_MS = 100;
const REMEMBERED_SHARE = 20;
const MAX_REMEMBERED_MS = 1_000;
/** With more new jobs than this, looking at all queues costs less than looking at the jobs. */
const MAX_ARRIVALS = 500;

/** A queue as it was when it was last looked at. */
interface Place {
  readonly queue: string;
  readonly priority: number;
  readonly served: number;
}

/** Of one connection. */
export class LineMemory {
  /** Best first. Undefined: nothing is remembered. */
  #places: Place[] | undefined;
  /** Of `performance.now()`. */
  #until = 0;
  #fewUntil = 0;
  /** Number of the newest job that was seen. */
  #seq = 0;
  #served = 0;

  forget(): void {
    this.#places = undefined;
  }

  /** For a claim of any job. Runs inside a write transaction. */
  lines(sql: Statements, request: JudgedRequest, now: number): Lines {
    const { queues, openGates, isIdle } = request;
    if (queues !== undefined) return ranked(sql, { ...request, queues }, now);
    if (this.#areFew(sql)) return allLines(sql, request, now);
    // Jobs at open gates, and those that must run alone, stand in other indexes.
    if (openGates.length > 0 || (isIdle && sql("waiting_alone").get() !== undefined)) {
      this.forget();
      return allLines(sql, request, now);
    }
    if (!this.#isFresh(sql)) this.#lookAtAll(sql);
    return this.#front(sql, request, now);
  }

  /** After a claim: those that were served take their new places. */
  served(lines: Lines, highest: number): void {
    if (this.#places === undefined) return;
    this.#served = Math.max(this.#served, highest);
    // Only as many jobs of each were read as there are slots: what comes after them is no better than the last.
    for (const { queue, heads, served, priority } of lines.all) {
      this.#insert({ queue, priority: heads[0]?.priority ?? priority, served });
    }
  }

  /** Counted now and then only: it would be a fiftieth of each claim. */
  #areFew(sql: Statements): boolean {
    if (this.#places !== undefined) return false;
    const now = performance.now();
    if (now < this.#fewUntil) return true;
    const areFew = Number(sql("count_queues").get()?.n) <= MANY_QUEUES;
    if (areFew) this.#fewUntil = now + REMEMBERED_MS;
    return areFew;
  }

  #isFresh(sql: Statements): boolean {
    if (this.#places === undefined || performance.now() > this.#until) return false;
    const newest = newestSeq(sql);
    if (newest - this.#seq > MAX_ARRIVALS) return false;
    if (newest > this.#seq) {
      for (const row of sql("arrivals").all(this.#seq)) this.#arrived(String(row.queue), Number(row.priority));
    }
    this.#seq = newest;
    return true;
  }

  #arrived(queue: string, priority: number): void {
    const places = this.#places!;
    const at = places.findIndex((place) => place.queue === queue);
    if (at !== -1 && places[at]!.priority >= priority) return;
    // That of a queue which was not there is read when it is its turn.
    const served = at === -1 ? 0 : places.splice(at, 1)[0]!.served;
    this.#insert({ queue, priority, served });
  }

  #lookAtAll(sql: Statements): void {
    const began = performance.now();
    this.#places = sql("open_queue_heads").all().flatMap((row): Place[] =>
      row.priority == null
        ? []
        : [{ queue: String(row.name), priority: Number(row.priority), served: Number(row.served) }]
    ).sort(order);
    const ended = performance.now();
    this.#until = ended + Math.min(MAX_REMEMBERED_MS, Math.max(REMEMBERED_MS, REMEMBERED_SHARE * (ended - began)));
    this.#seq = newestSeq(sql);
    this.#served = Number(sql("last_served").get()?.served ?? 0);
  }

  /** As many queues from the front as there are slots: the best so many jobs are among theirs. */
  #front(sql: Statements, request: JudgedRequest, now: number): Lines {
    const places = this.#places!;
    const all: Line[] = [];
    let asked = 0;
    const most = places.length + MAX_ARRIVALS;
    while (all.length < request.slots && places.length > 0 && asked++ < most) {
      const place = places.shift()!;
      const row = sql("open_queue").get(place.queue);
      if (row === undefined) continue;
      const line = lineOf(sql, { row, rank: 0 }, request, now);
      const [head] = line.heads;
      if (head === undefined) continue;
      const actual = { queue: place.queue, priority: head.priority, served: line.served };
      const next = places[0];
      if (next !== undefined && order(place, actual) < 0 && order(next, actual) < 0) this.#insert(actual);
      else all.push(line);
    }
    return { all, served: this.#served, isPart: true };
  }

  #insert(place: Place): void {
    const places = this.#places!;
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (order(places[middle]!, place) <= 0) low = middle + 1;
      else high = middle;
    }
    places.splice(low, 0, place);
  }
}

function order(a: Place, b: Place): number {
  return b.priority - a.priority || a.served - b.served;
}

function newestSeq(sql: Statements): number {
  return Number(sql("newest_seq").get()?.seq ?? 0);
}

function allLines(sql: Statements, request: JudgedRequest, now: number): Lines {
  const all = sql("open_queues").all().map((row) => lineOf(sql, { row, rank: 0 }, request, now));
  return { all, served: lastServed(sql, all), isPart: false };
}

/** The queues that a worker was given, in their order. */
function ranked(sql: Statements, request: JudgedRequest & { queues: readonly string[] }, now: number): Lines {
  const all = [...new Set(request.queues)].flatMap((name, rank): Line[] => {
    const row = sql("open_queue").get(name);
    return row === undefined ? [] : [lineOf(sql, { row, rank }, request, now)];
  });
  return { all, served: lastServed(sql, all), isPart: false };
}

/** Asked only where queues take turns. */
function lastServed(sql: Statements, lines: readonly Line[]): number {
  return isTurnTaken(lines) ? Number(sql("last_served").get()?.served ?? 0) : 0;
}

/** A queue that has nothing for this claim, at its rate say, stands in nobody's way: its turn comes first afterwards. */
export function isTurnTaken(lines: readonly Line[]): boolean {
  return lines.filter(({ heads }) => heads.length > 0).length > 1;
}

function lineOf(sql: Statements, { row, rank }: { row: Row; rank: number }, request: JudgedRequest, now: number): Line {
  const queue = String(row.name);
  const room = roomIn(sql, row, request.slots, now);
  const heads = room <= 0 ? [] : headsOf(sql, queue, room, request);
  return { queue, limits: row, rank, served: Number(row.served), room, heads, priority: heads[0]?.priority ?? 0 };
}

export function headsOf(sql: Statements, queue: string, limit: number, { isIdle, openGates }: JudgedRequest): Head[] {
  const heads = sql("heads").all(queue, limit).map((row) => headFromRow(row, false));
  const alone = isIdle ? sql("heads_alone").get(queue) : undefined;
  if (alone === undefined && openGates.length === 0) return heads;
  if (alone !== undefined) heads.push(headFromRow(alone, true));
  for (const gate of openGates) {
    if (gate.queue !== queue) continue;
    heads.push(...headsAtGate(sql, gate, limit).map((row) => headFromRow(row, false)));
    const aloneThere = isIdle ? aloneAtGate(sql, gate) : undefined;
    if (aloneThere !== undefined) heads.push(headFromRow(aloneThere, true));
  }
  return heads.sort((a, b) => b.priority - a.priority || a.seq - b.seq);
}

function headFromRow(row: Row, isAlone: boolean): Head {
  return { seq: Number(row.seq), priority: Number(row.priority), isAlone };
}

export function bestLine(lines: readonly Line[]): Line | undefined {
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
