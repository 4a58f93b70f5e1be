/**
 * The limit of coverage that a change must keep: `tools/deno task test --coverage`.
 *
 * Suites that call the sources are measured while they run, which costs little. Of the end-to-end tests a few run a
 * second time, from source. A start from source under measurement takes 0.25 s of processor time instead of 0.04, so
 * all of them would take many minutes; `tools/deno task coverage` has that patience, and a higher limit.
 * @module
 */
import { join } from "node:path";
import { coverageOf, isEnough, profileAllModules, programFromSource } from "../coverage/profiles.ts";

const REQUIRED_PERCENT = 80;

/** Files that reach much of lib/ for their time: together some 60 s of processor time, for 7 % of the lines. */
export const FROM_SOURCE = [
  "tests/e2e/allow_commands_test.ts",
  "tests/e2e/batches_test.ts",
  "tests/e2e/care_test.ts",
  "tests/e2e/man_test.ts",
  "tests/e2e/run_test.ts",
];

/** Where one run of all tests is measured. */
export interface Measurement {
  /** Folder for what DENO_COVERAGE_DIR takes. */
  readonly profiles: string;
  /** Stands for the compiled binary. */
  readonly program: string;
}

export async function startMeasurement(directory: string, denoDirectory: string): Promise<Measurement> {
  const profiles = join(directory, "coverage");
  await Deno.mkdir(profiles);
  return { profiles, program: await programFromSource(join(directory, "queuectl"), { profiles, denoDirectory }) };
}

/** After all tests. `sum` is the last line of the report. */
export async function endMeasurement({ profiles }: Measurement) {
  await profileAllModules(profiles);
  const coverage = await coverageOf(profiles, REQUIRED_PERCENT);
  return { isEnough: isEnough(coverage, REQUIRED_PERCENT), report: coverage.report, sum: coverage.sum };
}
