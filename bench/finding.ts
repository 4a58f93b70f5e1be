/**
 * One line of the table: what was measured, against what, and whether it is
 * good enough. `main.ts` prints them; the families make them.
 * @module
 */

export type Unit = "ms" | "us" | "/s" | "MB" | "%";

/** What is asked of a line. Without `pass` it is shown only. */
export interface Limit {
  /** The ratio to the floor, or the measured value itself where there is no floor. */
  readonly of: "ratio" | "measured";
  readonly better: "lower" | "higher";
  readonly pass?: number;
  readonly goal?: number;
}

export interface Finding {
  readonly what: string;
  readonly unit: Unit;
  readonly measured: number;
  /** null: nothing to compare with but the limit. */
  readonly floor: number | null;
  readonly limit: Limit;
}

export type Verdict = "goal" | "pass" | "FAIL" | "shown";

export function ratioOf({ measured, floor }: Finding): number | null {
  return floor === null ? null : measured / floor;
}

export function verdictOf(finding: Finding): Verdict {
  const { of, better, pass, goal } = finding.limit;
  const value = of === "measured" ? finding.measured : ratioOf(finding) ?? NaN;
  const meets = (limit: number) => better === "lower" ? value <= limit : value >= limit;
  if (goal !== undefined && meets(goal)) return "goal";
  if (pass === undefined) return "shown";
  return meets(pass) ? "pass" : "FAIL";
}
