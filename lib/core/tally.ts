/**
 * What became of all runs of one queue and priority, in a few hundred bytes:
 * counts by outcome, sums, and how durations and waiting times are spread.
 *
 * A tally only grows. What happened within a time is the tally of now minus the
 * tally of then, however many runs lie between; so a store keeps one that is
 * current and a copy of it for each minute in which something ended.
 *
 * It is bytes, changed in place, because it is read and written with every
 * result of a run and must cost microseconds. Layout: numbers of 8 bytes
 * (`SLOT`), then entries of 6 bytes: kind, bucket, count. Slots are only ever
 * added at their end: stores keep old tallies.
 * @module
 */
import { bucketOf, emptyHistogram, type Histogram } from "./histogram.ts";
import { RUN_OUTCOMES, type RunOutcome } from "./run_result.ts";

export type TallyBytes = Uint8Array;

/** One run that ended. */
export interface CountedRun {
  readonly seq: number;
  readonly outcome: RunOutcome;
  /** It made its job dead. */
  readonly isDead: boolean;
  /** It was not the first attempt. */
  readonly isRetry: boolean;
  readonly durationMs: number;
  /** From when the job was ready to when this run began. */
  readonly waitMs: number;
}

/** The first six are of the current minute alone; -1 where nothing was counted yet. */
const SLOT = {
  minute: 0,
  shortestMs: 1,
  longestMs: 2,
  longestSeq: 3,
  leastWaitMs: 4,
  mostWaitMs: 5,
  dead: 6,
  retries: 7,
  durationMs: 8,
  busyMs: 9,
  waitMs: 10,
  /** One for each of RUN_OUTCOMES. */
  outcomes: 11,
} as const;

/** Room for outcomes that are still to be invented. */
const OUTCOME_SLOTS = 13;
const SLOTS = SLOT.outcomes + OUTCOME_SLOTS;
const ENTRIES = SLOTS * 8;
const ENTRY_BYTES = 6;
const DURATION = 0;
const WAIT = 1;

/**
 * Outcomes that say how long the job takes. Others were cut short, never began, or nobody saw them end.
 */
const TIMED: ReadonlySet<RunOutcome> = new Set(["succeeded", "failed", "timed_out", "killed", "snoozed"]);

export function emptyTally(minute: number): TallyBytes {
  return nextMinute(new Uint8Array(ENTRIES), minute);
}

/** The minute, since 1970, in which the last run was counted. */
export function minuteOf(tally: TallyBytes): number {
  return viewOf(tally).getFloat64(SLOT.minute * 8);
}

/** Begins another minute: the sums stay. */
export function nextMinute(tally: TallyBytes, minute: number): TallyBytes {
  const view = viewOf(tally);
  view.setFloat64(SLOT.minute * 8, minute);
  for (let slot = SLOT.shortestMs; slot <= SLOT.mostWaitMs; slot++) view.setFloat64(slot * 8, -1);
  return tally;
}

/** Counts a run. Gives the same bytes, changed, or longer ones. */
export function countRun(tally: TallyBytes, run: CountedRun): TallyBytes {
  const view = viewOf(tally);
  add(view, SLOT.outcomes + RUN_OUTCOMES.indexOf(run.outcome), 1);
  if (run.isDead) add(view, SLOT.dead, 1);
  if (run.isRetry) add(view, SLOT.retries, 1);
  add(view, SLOT.busyMs, run.durationMs);
  add(view, SLOT.waitMs, run.waitMs);
  lower(view, SLOT.leastWaitMs, run.waitMs);
  raise(view, SLOT.mostWaitMs, run.waitMs);
  const waited = countEntry(tally, WAIT, bucketOf(run.waitMs));
  if (!TIMED.has(run.outcome)) return waited;
  const timed = viewOf(waited);
  add(timed, SLOT.durationMs, run.durationMs);
  lower(timed, SLOT.shortestMs, run.durationMs);
  if (raise(timed, SLOT.longestMs, run.durationMs)) timed.setFloat64(SLOT.longestSeq * 8, run.seq);
  return countEntry(waited, DURATION, bucketOf(run.durationMs));
}

/** What the current minute of a tally alone knows; null where nothing was counted. */
export interface MinuteExtremes {
  readonly shortestMs: number | null;
  readonly longestMs: number | null;
  readonly longestSeq: number | null;
  readonly leastWaitMs: number | null;
  readonly mostWaitMs: number | null;
}

export function extremesOf(tally: TallyBytes): MinuteExtremes {
  const view = viewOf(tally);
  const read = (slot: number) => {
    const value = view.getFloat64(slot * 8);
    return value < 0 ? null : value;
  };
  return {
    shortestMs: read(SLOT.shortestMs),
    longestMs: read(SLOT.longestMs),
    longestSeq: read(SLOT.longestSeq),
    leastWaitMs: read(SLOT.leastWaitMs),
    mostWaitMs: read(SLOT.mostWaitMs),
  };
}

/** A tally to calculate with. */
export interface Tally {
  readonly outcomes: Readonly<Record<RunOutcome, number>>;
  /** Jobs that ended dead. */
  readonly dead: number;
  readonly retries: number;
  /** Of the runs that say how long a job takes; `durations` holds as many. */
  readonly durationMs: number;
  /** Of all runs: how long slots were busy. */
  readonly busyMs: number;
  readonly waitMs: number;
  readonly durations: Histogram;
  readonly waits: Histogram;
}

export function readTally(bytes: TallyBytes): Tally {
  const view = viewOf(bytes);
  const slot = (index: number) => view.getFloat64(index * 8);
  const outcomes = RUN_OUTCOMES.map((outcome, i): [RunOutcome, number] => [outcome, slot(SLOT.outcomes + i)]);
  const durations = emptyHistogram();
  const waits = emptyHistogram();
  for (let at = ENTRIES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    (bytes[at] === DURATION ? durations : waits)[bytes[at + 1] ?? 0] = view.getUint32(at + 2);
  }
  return {
    outcomes: Object.fromEntries(outcomes) as Record<RunOutcome, number>,
    dead: slot(SLOT.dead),
    retries: slot(SLOT.retries),
    durationMs: slot(SLOT.durationMs),
    busyMs: slot(SLOT.busyMs),
    waitMs: slot(SLOT.waitMs),
    durations,
    waits,
  };
}

export const NO_RUNS: Tally = readTally(emptyTally(0));

export function plus(a: Tally, b: Tally): Tally {
  return combined(a, b, 1);
}

/** What was counted since `earlier`, a former state of the same tally. */
export function minus(later: Tally, earlier: Tally): Tally {
  return combined(later, earlier, -1);
}

export function runsOf({ outcomes }: Tally): number {
  return Object.values(outcomes).reduce((sum, n) => sum + n, 0);
}

/** Runs that were to blame: they ended and did not succeed. */
export function failedRunsOf({ outcomes }: Tally): number {
  return outcomes.failed + outcomes.timed_out + outcomes.killed + outcomes.not_started;
}

function combined(a: Tally, b: Tally, sign: 1 | -1): Tally {
  const outcomes = RUN_OUTCOMES.map((name): [RunOutcome, number] => [name, a.outcomes[name] + sign * b.outcomes[name]]);
  return {
    outcomes: Object.fromEntries(outcomes) as Record<RunOutcome, number>,
    dead: a.dead + sign * b.dead,
    retries: a.retries + sign * b.retries,
    durationMs: a.durationMs + sign * b.durationMs,
    busyMs: a.busyMs + sign * b.busyMs,
    waitMs: a.waitMs + sign * b.waitMs,
    durations: a.durations.map((n, i) => n + sign * (b.durations[i] ?? 0)),
    waits: a.waits.map((n, i) => n + sign * (b.waits[i] ?? 0)),
  };
}

function viewOf(tally: TallyBytes): DataView {
  return new DataView(tally.buffer, tally.byteOffset, tally.byteLength);
}

function add(view: DataView, slot: number, amount: number): void {
  view.setFloat64(slot * 8, view.getFloat64(slot * 8) + amount);
}

function lower(view: DataView, slot: number, value: number): void {
  const now = view.getFloat64(slot * 8);
  if (now < 0 || value < now) view.setFloat64(slot * 8, value);
}

function raise(view: DataView, slot: number, value: number): boolean {
  if (value <= view.getFloat64(slot * 8)) return false;
  view.setFloat64(slot * 8, value);
  return true;
}

function countEntry(tally: TallyBytes, kind: number, bucket: number): TallyBytes {
  for (let at = ENTRIES; at < tally.length; at += ENTRY_BYTES) {
    if (tally[at] !== kind || tally[at + 1] !== bucket) continue;
    const view = viewOf(tally);
    view.setUint32(at + 2, view.getUint32(at + 2) + 1);
    return tally;
  }
  const longer = new Uint8Array(tally.length + ENTRY_BYTES);
  longer.set(tally);
  longer.set([kind, bucket, 0, 0, 0, 1], tally.length);
  return longer;
}
