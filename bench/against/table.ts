/**
 * A comparison of two binaries as the lines of a table.
 * @module
 */
import { alignedLines, amount, share } from "../table.ts";
import type { Judged } from "./judged.ts";

const HEADINGS = ["what", "this build", "the other", "other/this", "noise", "this build is"];

export function comparisonLines(rows: readonly Judged[]): string[] {
  return alignedLines(
    HEADINGS,
    rows.map((row) => [
      row.what,
      amount(row.this, row.unit),
      amount(row.against, row.unit),
      share(row.ratio),
      share(row.noise),
      row.verdict,
    ]),
  );
}
