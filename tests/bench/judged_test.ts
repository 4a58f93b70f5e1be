import { assertEquals, assertThrows } from "@std/assert";
import { judged, type Measure, type Round, spread } from "../../bench/against/judged.ts";

const TIME: Measure = { what: "one enqueue command", unit: "ms", better: "lower" };
const RATE: Measure = { what: "no-op jobs", unit: "/s", better: "higher" };

function rounds(ours: number[], theirs: number[]): Round[] {
  const pair = (figures: number[], i: number): [number, number] => [figures[2 * i]!, figures[2 * i + 1]!];
  return Array.from({ length: ours.length / 2 }, (_, i) => ({ this: pair(ours, i), against: pair(theirs, i) }));
}

Deno.test("a binary with the same figures is within noise, also when nothing varies", () => {
  const row = judged(TIME, rounds([50, 50, 50, 50], [50, 50, 50, 50]));

  assertEquals([row.ratio, row.noise, row.verdict, row.isBetter], [1, 1, "within noise", null]);
});

Deno.test("noise is the widest ratio of either binary against itself, in any two rounds", () => {
  assertEquals(judged(TIME, rounds([50, 52, 51, 50], [50, 100, 75, 60])).noise, 2);
  assertEquals(judged(TIME, rounds([50, 150, 51, 50], [50, 100, 75, 60])).noise, 3);
});

Deno.test("this build is faster when the other binary takes longer by more than the noise", () => {
  const row = judged(TIME, rounds([50, 51, 50, 50], [60, 61, 62, 60]));

  assertEquals([row.verdict, row.isBetter], ["faster", true]);
  assertEquals([row.this, row.against], [50, 60.5]);
});

Deno.test("this build is slower when the other binary does more jobs per second by more than the noise", () => {
  const row = judged(RATE, rounds([1_000, 1_010, 990, 1_000], [1_300, 1_310, 1_290, 1_300]));

  assertEquals([row.verdict, row.isBetter], ["slower", false]);
});

Deno.test("memory is less or more, not faster or slower", () => {
  const memory: Measure = { what: "memory", unit: "MB", better: "lower" };

  assertEquals(judged(memory, rounds([50, 50, 50, 50], [70, 70, 70, 70])).verdict, "less");
  assertEquals(judged(memory, rounds([70, 70, 70, 70], [50, 50, 50, 50])).verdict, "more");
});

Deno.test("a ratio that is no wider than the noise decides nothing", () => {
  const row = judged(TIME, rounds([50, 60, 50, 50], [60, 60, 60, 60]));

  assertEquals([row.noise, row.verdict], [1.2, "within noise"]);
});

Deno.test("the ratio is that of the middle round, so that a machine that slows down does not change it", () => {
  const row = judged(TIME, rounds([10, 10, 20, 20, 40, 40], [11, 11, 22, 22, 44, 44]));

  assertEquals(row.ratio, 1.1);
  assertEquals(row.verdict, "within noise");
});

Deno.test("a figure of zero makes a row undecided instead of failing", () => {
  const row = judged({ what: "idle CPU", unit: "%", better: "lower" }, rounds([0, 1, 0, 1], [0, 1, 1, 1]));

  assertEquals([row.noise, row.verdict], [Infinity, "within noise"]);
  assertEquals(spread([0, 0]), 1);
});

Deno.test("a comparison without a round is refused", () => {
  assertThrows(() => judged(TIME, []), RangeError, "one enqueue command");
});
