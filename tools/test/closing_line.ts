/** Reads how many tests passed and failed from the last line of `deno test`. @module */

export interface Counts {
  passed: number;
  failed: number;
  ignored: number;
}

/** As `FAILED | 1 passed (2 steps) | 3 failed | 1 ignored (15ms)`; parts that are zero may be missing. */
const CLOSING_LINE =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;

// deno-lint-ignore no-control-regex -- colour sequences begin with a control character
const COLOUR = /\x1b\[[0-9;]*m/g;

/**
 * The counts, or null when there is no closing line: then the run itself broke.
 * Of several such lines the last counts, for a test may print one of its own.
 */
export function readClosingLine(output: string): Counts | null {
  const match = [...stripColour(output).matchAll(CLOSING_LINE)].at(-1);
  if (match === undefined) return null;
  return { passed: Number(match[1]), failed: Number(match[2]), ignored: Number(match[3] ?? 0) };
}

export function stripColour(text: string): string {
  return text.replaceAll(COLOUR, "");
}
