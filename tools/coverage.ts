/**
 * Measures how many lines of lib/ tests run, and fails when that is too few:
 * `tools/deno task coverage`. It takes many minutes; `tools/deno task test
 * --coverage` measures fewer tests and asks for less.
 *
 * The compiled binary cannot be measured, so the end-to-end tests get a script
 * in its place that runs the sources. Whether they pass is not asked here: some
 * are about the compiled program itself, and `tools/deno task test` runs them all.
 * @module
 */
import { join, resolve } from "node:path";
import { coverageOf, FLAGS, isEnough, profileAllModules, programFromSource } from "./coverage/profiles.ts";
import { denoDirectory } from "./deno_directory.ts";
import { killLeftovers } from "./test/leftovers.ts";
import { testEnvironment } from "./test/test_environment.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const PROFILES = join(ROOT, "coverage");
/** These have to pass. */
const SUITES = ["tests/unit", "tests/store"];
/** These start the program, and are measured through it. */
const PROGRAM_SUITE = "tests/e2e";
/** Hundreds of starts, each several times as long as usual when measured, in places that other tests reach too. */
const NOT_MEASURED = ["bad_input_test.ts", "demo_test.ts", "store_trouble_test.ts"];

/** Marks every process of this run, so that none is left. */
const MARKER = "QUEUECTL_TEST_RUN=coverage";

const REQUIRED_PERCENT = 85;

async function main(): Promise<boolean> {
  await removeOldProfiles();
  await writeProfiles();
  const coverage = await coverageOf(PROFILES, REQUIRED_PERCENT);
  console.log(`\n${coverage.report}`);
  return isEnough(coverage, REQUIRED_PERCENT);
}

async function removeOldProfiles(): Promise<void> {
  try {
    await Deno.remove(PROFILES, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function writeProfiles(): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "queuectl-coverage-" });
  try {
    const place = { profiles: PROFILES, denoDirectory: await denoDirectory() };
    const env = {
      ...await testEnvironment({
        directory,
        marker: MARKER,
        binary: await programFromSource(join(directory, "queuectl"), place),
        denoDirectory: place.denoDirectory,
      }),
      // By a variable and not by a flag, for then what tests start from source is measured too.
      DENO_COVERAGE_DIR: PROFILES,
    };
    const test = (suites: readonly string[]) =>
      deno(
        [
          "test",
          ...FLAGS,
          "--parallel",
          "--reporter=dot",
          "--coverage-raw-data-only",
          ...suites,
        ],
        env,
      );
    if (!await test(SUITES)) throw new Error("Cannot measure coverage: tests fail");
    if (!await test(programTests())) console.log("Not all of them pass from source; what they ran counts all the same");
    await profileAllModules(PROFILES);
  } finally {
    await killLeftovers({ marker: MARKER, directory });
    await Deno.remove(directory, { recursive: true });
  }
}

function programTests(): string[] {
  return [...Deno.readDirSync(join(ROOT, PROGRAM_SUITE))]
    .map(({ name }) => name)
    .filter((name) => name.endsWith("_test.ts") && !NOT_MEASURED.includes(name))
    .map((name) => join(PROGRAM_SUITE, name))
    .sort();
}

async function deno(args: string[], env: Record<string, string>): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    clearEnv: true,
    env,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  return success;
}

if (import.meta.main) {
  try {
    Deno.exit(await main() ? 0 : 1);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(1);
  }
}
