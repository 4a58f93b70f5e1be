/**
 * How durations are spread, in buckets that grow by the eighth root of two:
 * eight to a doubling, so that a percentile read from them is within 9 % of the
 * true one. Below 12 ms each whole millisecond has a bucket of its own.
 *
 * Counts can be added and subtracted, which sorted lists cannot: that is why a
 * week of percentiles fits into a few hundred bytes.
 * @module
 */

/** Up to 45 days; what takes longer is in the last one. */
export const BUCKETS = 256;
const PER_DOUBLING = 8;

/** Bucket -> how many. */
export type Histogram = Float64Array;

export function emptyHistogram(): Histogram {
  return new Float64Array(BUCKETS);
}

/** The bucket of a duration. Each holds what is above the bound of the one before and not above its own. */
export function bucketOf(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(PER_DOUBLING * Math.log2(ms)));
}

/** The longest duration that belongs in a bucket, in milliseconds. */
export function upperBoundMs(bucket: number): number {
  return 2 ** (bucket / PER_DOUBLING);
}

/** The bucket whose bound is 2^exponent milliseconds. */
export function bucketOfPower(exponent: number): number {
  return exponent * PER_DOUBLING;
}

/**
 * The duration that the share `p` of all stays at or below; null when there is none. `bounds` are the exact
 * shortest and longest, where they are known.
 */
export function percentile(
  histogram: Histogram,
  p: number,
  bounds: { readonly min: number | null; readonly max: number | null },
): number | null {
  const total = histogram.reduce((sum, n) => sum + n, 0);
  if (total <= 0) return null;
  const rank = Math.max(1, Math.ceil(p * total));
  let before = 0;
  let bucket = 0;
  while (before + (histogram[bucket] ?? 0) < rank) before += histogram[bucket++] ?? 0;
  const upper = upperBoundMs(bucket);
  const lower = bucket === 0 ? 0 : upperBoundMs(bucket - 1);
  const within = (rank - before) / (histogram[bucket] ?? 1);
  const value = Math.round(lower + (upper - lower) * within);
  return Math.min(Math.max(value, bounds.min ?? 0), bounds.max ?? Infinity);
}
