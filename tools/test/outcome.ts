/** What became of the stages and test files of a run, and how that is shown. @module */
import { stripColour } from "./closing_line.ts";

/** What became of one stage or test file. */
export interface Outcome {
  name: string;
  passed: number;
  failed: number;
  ignored: number;
  durationMs: number;
  /** Shown when something failed. */
  output: string;
  /** Shown when nothing failed. */
  note?: string;
  /** Why this could not be checked, which is neither passed nor failed. */
  unchecked?: string;
}

export function failure(name: string, output: string): Outcome {
  return { name, passed: 0, failed: 1, ignored: 0, durationMs: 0, output };
}

/** One line, and the output of what failed. */
export function printOutcome({ name, passed, failed, ignored, durationMs, output, note, unchecked }: Outcome): void {
  const counts = passed + failed + ignored > 0 ? [`${passed} passed`] : [];
  if (failed > 0) counts.push(`${failed} failed`);
  if (ignored > 0) counts.push(`${ignored} ignored`);
  if (failed === 0 && note !== undefined) counts.push(note);
  if (unchecked !== undefined) counts.push(unchecked);
  const mark = failed > 0 ? "FAIL" : unchecked !== undefined ? "????" : "ok  ";
  console.log(`${mark} ${name}: ${counts.join(", ")} (${(durationMs / 1000).toFixed(1)} s)`);
  if (failed > 0) console.log(`${Deno.stdout.isTerminal() ? output : stripColour(output)}\n`);
}

/** Prints what failed, what could not be checked, and the closing line; gives the exit code. */
export function summarize(outcomes: readonly Outcome[], isInterrupted: boolean): number {
  const failures = outcomes.filter(({ failed }) => failed > 0);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(({ name }) => `  ${name}`).join("\n")}`);
  for (const { name, unchecked } of outcomes) {
    if (unchecked !== undefined) console.log(`\nNOT CHECKED: ${name}: ${unchecked}`);
  }
  if (isInterrupted) console.log("\nInterrupted");
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 || isInterrupted ? 1 : 0;
}
