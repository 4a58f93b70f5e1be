/**
 * Measures how many lines of lib/ tests run, and fails when that is too few:
 * `tools/deno task coverage`.
 *
 * The compiled binary cannot be measured, so the end-to-end tests get a script
 * in its place that runs the sources. Whether they pass is not asked here: some
 * are about the compiled program itself, and `tools/deno task test` runs them all.
 * @module
 */
import { join, relative, resolve } from "node:path";
import { fileCoverage } from "./coverage/lcov.ts";
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
/** Enough to see where work would pay, few enough for one screen. */
const SHOWN_FILES = 15;

async function main(): Promise<boolean> {
  await removeOldProfiles();
  await writeProfiles();
  await removeBrokenProfiles();

  const files = fileCoverage(await lcovReport())
    .map((file) => ({ ...file, path: relative(ROOT, file.path) }))
    .filter(({ path, lines }) => path.startsWith("lib/") && lines > 0)
    .sort((a, b) => a.hit / a.lines - b.hit / b.lines || a.path.localeCompare(b.path));
  const hit = files.reduce((sum, file) => sum + file.hit, 0);
  const lines = files.reduce((sum, file) => sum + file.lines, 0);

  console.log("\n     %   lines run  file");
  for (const file of files.slice(0, SHOWN_FILES)) {
    const fraction = `${file.hit}/${file.lines}`;
    console.log(`${percent(file.hit, file.lines).padStart(6)}  ${fraction.padStart(10)}  ${file.path}`);
  }
  console.log(
    `\n${percent(hit, lines)} % of ${lines} lines in ${files.length} files; ${REQUIRED_PERCENT} % are required`,
  );
  return lines > 0 && (100 * hit) / lines >= REQUIRED_PERCENT;
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
    const env = {
      ...await testEnvironment({
        directory,
        marker: MARKER,
        binary: await programFromSource(directory),
        denoDirectory: await denoDirectory(),
      }),
      // By a variable and not by a flag, for then what tests start from source is measured too.
      DENO_COVERAGE_DIR: PROFILES,
    };
    const flags = ["--quiet", "--allow-all", "--no-check", "--frozen"];
    const test = (suites: readonly string[]) =>
      deno(
        [
          "test",
          ...flags,
          "--parallel",
          "--reporter=dot",
          "--coverage-raw-data-only",
          ...suites,
        ],
        env,
      );
    if (!await test(SUITES)) throw new Error("Cannot measure coverage: tests fail");
    if (!await test(programTests())) console.log("Not all of them pass from source; what they ran counts all the same");
    if (!await deno(["run", ...flags, "tools/coverage/import_all.ts"], env)) {
      throw new Error("Cannot measure coverage: a module of lib/ cannot be imported");
    }
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

/** What tests take for the compiled binary. It brings its own variables, for tests start it with few. */
async function programFromSource(directory: string): Promise<string> {
  const path = join(directory, "queuectl");
  const script = `#!/bin/sh
DENO_DIR='${await denoDirectory()}' DENO_COVERAGE_DIR='${PROFILES}' DENO_NO_UPDATE_CHECK=1
export DENO_DIR DENO_COVERAGE_DIR DENO_NO_UPDATE_CHECK
exec '${Deno.execPath()}' run --quiet --allow-all --no-check --frozen '${join(ROOT, "main.ts")}' "$@"
`;
  await Deno.writeTextFile(path, script, { mode: 0o755 });
  return path;
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

/** A process that a test killed may have left half a profile, over which the report would stumble. */
async function removeBrokenProfiles(): Promise<void> {
  for await (const { name } of Deno.readDir(PROFILES)) {
    const path = join(PROFILES, name);
    if (name.endsWith(".json") && !(await Deno.readTextFile(path)).trimEnd().endsWith("}")) await Deno.remove(path);
  }
}

async function lcovReport(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["coverage", "--quiet", "--lcov", PROFILES],
    cwd: ROOT,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the coverage profiles: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** Rounded down, so that 84.99 does not look like 85. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "0.0" : (Math.floor((1000 * part) / whole) / 10).toFixed(1);
}

if (import.meta.main) {
  try {
    Deno.exit(await main() ? 0 : 1);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(1);
  }
}
