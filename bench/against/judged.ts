/**
 * The arithmetic of a comparison: from the figures of two binaries to a ratio,
 * the noise of the run, and a verdict. Pure.
 * @module
 */
import type { Unit } from "../finding.ts";

/** What a figure says. */
export interface Measure {
  readonly what: string;
  readonly unit: Unit;
  readonly better: "lower" | "higher";
}

/** One round: each binary measured twice, in the order this, other, other, this. */
export interface Round {
  readonly this: readonly [number, number];
  readonly against: readonly [number, number];
}

export type Verdict = "faster" | "slower" | "less" | "more" | "within noise";

/** A measure with its result. The verdict speaks of this build. */
export interface Judged extends Measure {
  /** Median of all figures of this build. */
  readonly this: number;
  /** Median of all figures of the other binary. */
  readonly against: number;
  /**
   * The other binary's figure for 1 of this build: the middle one of the rounds.
   * A round is short, so that a machine that slows down during the run changes it little.
   */
  readonly ratio: number;
  /** The widest ratio between two figures of the same binary, of either; at least 1. */
  readonly noise: number;
  readonly verdict: Verdict;
  /** null: within noise. */
  readonly isBetter: boolean | null;
  readonly rounds: readonly Round[];
}

/** Throws a `RangeError` when there is no round. */
export function judged(measure: Measure, rounds: readonly Round[]): Judged {
  if (rounds.length === 0) throw new RangeError(`No round of "${measure.what}" was measured`);
  const ours = rounds.flatMap((round) => round.this);
  const theirs = rounds.flatMap((round) => round.against);
  const ratio = middle(rounds.map((round) => quotient(sum(round.against), sum(round.this))));
  const noise = Math.max(spread(ours), spread(theirs));
  const isBetter = betterOf(measure, ratio, noise);
  const verdict = verdictOf(measure, isBetter);
  return { ...measure, this: middle(ours), against: middle(theirs), ratio, noise, verdict, isBetter, rounds };
}

/** The widest ratio between two of the figures. */
export function spread(figures: readonly number[]): number {
  return quotient(Math.max(...figures), Math.min(...figures));
}

function betterOf({ better }: Measure, ratio: number, noise: number): boolean | null {
  if (Math.max(ratio, 1 / ratio) <= noise) return null;
  // More time for the other binary is a win for this build; more jobs per second is a loss.
  return better === "lower" ? ratio > 1 : ratio < 1;
}

function verdictOf({ unit }: Measure, isBetter: boolean | null): Verdict {
  if (isBetter === null) return "within noise";
  if (unit === "MB" || unit === "%") return isBetter ? "less" : "more";
  return isBetter ? "faster" : "slower";
}

/** Two zeros are equal; their quotient would be no number. */
function quotient(a: number, b: number): number {
  return a === b ? 1 : a / b;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The middle value; of an even number the mean of the two in the middle. */
function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
