import { assert, assertEquals } from "@std/assert";
import {
  bucketOf,
  bucketOfPower,
  BUCKETS,
  emptyHistogram,
  type Histogram,
  percentile,
  upperBoundMs,
} from "../../../lib/core/histogram.ts";

const UNKNOWN = { min: null, max: null };

function histogramOf(values: readonly number[]): Histogram {
  const histogram = emptyHistogram();
  for (const value of values) histogram[bucketOf(value)]!++;
  return histogram;
}

/** 0, 1, 3, 7, 15 ... and everything in between that a queue may see, up to 45 days. */
function someDurations(): number[] {
  const values: number[] = [];
  for (let ms = 0; ms < 4_000_000_000; ms = Math.ceil(ms * 1.07) + 1) values.push(ms);
  return values;
}

Deno.test("every duration is in the bucket whose bound is the first that is not below it", () => {
  for (const ms of someDurations().filter((ms) => ms <= upperBoundMs(BUCKETS - 1))) {
    const bucket = bucketOf(ms);

    assert(ms <= upperBoundMs(bucket), `${ms} ms is above the bound of bucket ${bucket}`);
    if (bucket > 0) assert(ms > upperBoundMs(bucket - 1), `${ms} ms belongs below bucket ${bucket}`);
  }
});

Deno.test("nothing is too short or too long for a bucket", () => {
  assertEquals([0, 1, -5, NaN].map(bucketOf), [0, 0, 0, 0]);
  assertEquals([1e12, Infinity].map(bucketOf), [BUCKETS - 1, BUCKETS - 1]);
});

Deno.test("up to 12 ms every whole millisecond has a bucket of its own", () => {
  const buckets = Array.from({ length: 12 }, (_, i) => bucketOf(i + 1));

  assertEquals(new Set(buckets).size, 12);
});

Deno.test("a power of two is the bound of its bucket, so that buckets can be summed up to it", () => {
  for (let exponent = 0; exponent <= 24; exponent++) {
    assertEquals(upperBoundMs(bucketOfPower(exponent)), 2 ** exponent);
    assertEquals(bucketOf(2 ** exponent), bucketOfPower(exponent));
    assertEquals(bucketOf(2 ** exponent + 1) > bucketOfPower(exponent), true);
  }
});

Deno.test("percentile() of nothing is null", () => {
  assertEquals(percentile(emptyHistogram(), 0.5, UNKNOWN), null);
});

Deno.test("percentile() is within 9 % of the true one, or a millisecond", () => {
  // A fixed sequence that looks like chance: durations over six orders of magnitude.
  let seed = 42;
  const values = Array.from({ length: 5_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.round(10 ** (6 * seed / 2_147_483_648));
  }).sort((a, b) => a - b);
  const histogram = histogramOf(values);

  for (const p of [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1]) {
    const exact = values[Math.ceil(p * values.length) - 1]!;
    const read = percentile(histogram, p, { min: values[0]!, max: values.at(-1)! })!;

    assert(Math.abs(read - exact) <= Math.max(1, exact * 0.0905), `p${p * 100}: ${read}, and in truth ${exact}`);
  }
});

Deno.test("percentile() never leaves what is known of the shortest and the longest", () => {
  const histogram = histogramOf([1_000, 1_000, 1_000]);

  assertEquals(percentile(histogram, 0.5, { min: 1_000, max: 1_000 }), 1_000);
  assertEquals(percentile(histogram, 0.99, { min: 990, max: 1_001 }), 1_001);
});

Deno.test("a single value is every percentile", () => {
  const histogram = histogramOf([250]);

  assertEquals([0.01, 0.5, 0.99].map((p) => percentile(histogram, p, { min: 250, max: 250 })), [250, 250, 250]);
});
