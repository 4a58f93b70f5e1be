import { assert, assertEquals } from "@std/assert";
import { bucketOf, emptyHistogram } from "../../../lib/core/histogram.ts";
import { RUN_OUTCOMES, type RunOutcome } from "../../../lib/core/run_result.ts";
import {
  type CountedRun,
  countRun,
  emptyTally,
  extremesOf,
  failedRunsOf,
  minus,
  minuteOf,
  nextMinute,
  NO_RUNS,
  plus,
  readTally,
  runsOf,
  type TallyBytes,
} from "../../../lib/core/tally.ts";

function aRun(overrides: Partial<CountedRun> = {}): CountedRun {
  return { seq: 1, outcome: "succeeded", isDead: false, isRetry: false, durationMs: 100, waitMs: 10, ...overrides };
}

function tallyOf(...runs: Partial<CountedRun>[]): TallyBytes {
  return runs.reduce<TallyBytes>((tally, run) => countRun(tally, aRun(run)), emptyTally(7));
}

function total(histogram: Float64Array): number {
  return histogram.reduce((sum, n) => sum + n, 0);
}

Deno.test("an empty tally has counted nothing", () => {
  const tally = readTally(emptyTally(7));

  assertEquals(runsOf(tally), 0);
  assertEquals(tally, NO_RUNS);
  assertEquals(minuteOf(emptyTally(7)), 7);
  assertEquals(extremesOf(emptyTally(7)), {
    shortestMs: null,
    longestMs: null,
    longestSeq: null,
    leastWaitMs: null,
    mostWaitMs: null,
  });
});

for (const outcome of RUN_OUTCOMES) {
  Deno.test(`a run that ended as ${outcome} is counted as that and nothing else`, () => {
    const tally = readTally(tallyOf({ outcome }));

    assertEquals(tally.outcomes[outcome], 1);
    assertEquals(runsOf(tally), 1);
    assertEquals(tally.waitMs, 10);
    assertEquals(tally.busyMs, 100);
  });
}

Deno.test("only runs that ended by themselves or by their limit say how long a job takes", () => {
  const timed = RUN_OUTCOMES.filter((outcome) => total(readTally(tallyOf({ outcome })).durations) === 1);

  assertEquals(timed, ["succeeded", "failed", "timed_out", "killed", "snoozed"]);
});

Deno.test("a run that was cut short changes neither the sum of durations nor the extremes", () => {
  const bytes = tallyOf({ durationMs: 50 }, { outcome: "cancelled", durationMs: 9_000 }, {
    outcome: "lost",
    durationMs: 1,
  });

  assertEquals(readTally(bytes).durationMs, 50);
  assertEquals(readTally(bytes).busyMs, 9_051);
  assertEquals([extremesOf(bytes).shortestMs, extremesOf(bytes).longestMs], [50, 50]);
});

Deno.test("failures are those that ended and did not succeed", () => {
  const outcomes: RunOutcome[] = ["failed", "timed_out", "killed", "not_started", "cancelled", "lost", "succeeded"];

  assertEquals(failedRunsOf(readTally(tallyOf(...outcomes.map((outcome) => ({ outcome }))))), 4);
});

Deno.test("dead jobs and retries are counted beside the outcomes", () => {
  const tally = readTally(tallyOf({ isRetry: true }, { isRetry: true, isDead: true, outcome: "failed" }));

  assertEquals([tally.retries, tally.dead], [2, 1]);
});

Deno.test("durations and waiting times are each in their own buckets", () => {
  const tally = readTally(tallyOf({ durationMs: 100, waitMs: 5 }, { durationMs: 100, waitMs: 70_000 }));

  const durations = emptyHistogram();
  durations[bucketOf(100)] = 2;
  const waits = emptyHistogram();
  waits[bucketOf(5)] = 1;
  waits[bucketOf(70_000)] = 1;
  assertEquals(tally.durations, durations);
  assertEquals(tally.waits, waits);
});

Deno.test("the extremes name the job with the longest run of the minute", () => {
  const bytes = tallyOf(
    { seq: 1, durationMs: 300, waitMs: 4 },
    { seq: 2, durationMs: 900, waitMs: 9 },
    { seq: 3, durationMs: 20, waitMs: 1 },
  );

  assertEquals(extremesOf(bytes), { shortestMs: 20, longestMs: 900, longestSeq: 2, leastWaitMs: 1, mostWaitMs: 9 });
});

Deno.test("a run of no time at all is the shortest, not nothing", () => {
  const { shortestMs, longestMs, longestSeq, leastWaitMs } = extremesOf(tallyOf({ seq: 5, durationMs: 0, waitMs: 0 }));

  assertEquals([shortestMs, longestMs, longestSeq, leastWaitMs], [0, 0, 5, 0]);
});

Deno.test("another minute begins with the sums and without the extremes", () => {
  const bytes = nextMinute(tallyOf({}, {}), 8);

  assertEquals(minuteOf(bytes), 8);
  assertEquals(runsOf(readTally(bytes)), 2);
  assertEquals(extremesOf(bytes).longestMs, null);
});

Deno.test("what happened in between is the later tally minus the earlier", () => {
  const earlier = tallyOf({ durationMs: 5 }, { outcome: "failed", isDead: true });
  const later = countRun(earlier.slice(), aRun({ durationMs: 40, isRetry: true, waitMs: 3 }));

  const between = minus(readTally(later), readTally(earlier));

  assertEquals(runsOf(between), 1);
  assertEquals([between.outcomes.succeeded, between.outcomes.failed, between.dead, between.retries], [1, 0, 0, 1]);
  assertEquals([between.durationMs, between.waitMs], [40, 3]);
  assertEquals(between.durations[bucketOf(40)], 1);
  assertEquals(total(between.durations), 1);
});

Deno.test("plus() undoes minus()", () => {
  const a = readTally(tallyOf({ durationMs: 5 }, { outcome: "failed", isDead: true }));
  const b = readTally(tallyOf({ durationMs: 7, isRetry: true }));

  assertEquals(minus(plus(a, b), b), a);
});

Deno.test("a tally stays small: a thousand runs of all lengths take less than 4 KiB", () => {
  const runs = Array.from({ length: 1_000 }, (_, i) => ({ durationMs: 1.02 ** i, waitMs: i }));

  assert(tallyOf(...runs).length < 4_096);
});

Deno.test("counting changes the bytes in place when no bucket is new", () => {
  const bytes = tallyOf({});

  assert(countRun(bytes, aRun()) === bytes);
});

Deno.test("bytes that are a part of a larger buffer are read from where they begin", () => {
  const bytes = tallyOf({ durationMs: 12 });
  const within = new Uint8Array(bytes.length + 16);
  within.set(bytes, 16);

  assertEquals(readTally(within.subarray(16)), readTally(bytes));
  assertEquals(minuteOf(within.subarray(16)), 7);
});
