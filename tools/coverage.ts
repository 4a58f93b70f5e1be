/**
 * Measures how many lines of lib/ the unit and store tests run, and fails when
 * that is too few: `tools/deno task coverage`.
 *
 * The other suites run the compiled binary, which cannot be measured.
 * @module
 */
import { join, relative, resolve } from "node:path";
import { fileCoverage } from "./coverage/lcov.ts";
import { denoDirectory } from "./deno_directory.ts";
import { testEnvironment } from "./test/test_environment.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const PROFILES = join(ROOT, "coverage");
const SUITES = ["tests/unit", "tests/store"];

const REQUIRED_PERCENT = 85;
/** Enough to see where work would pay, few enough for one screen. */
const SHOWN_FILES = 15;

async function main(): Promise<boolean> {
  await removeOldProfiles();
  await writeProfiles();

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
    const env = await testEnvironment({
      directory,
      marker: "QUEUECTL_TEST_RUN=coverage",
      binary: join(ROOT, "dist", "queuectl"),
      denoDirectory: await denoDirectory(),
    });
    const suites = SUITES.filter((suite) => isDirectory(join(ROOT, suite)));
    const flags = ["--quiet", "--allow-all", "--no-check", "--frozen"];
    const tests = ["test", ...flags, "--parallel", "--reporter=dot", "--coverage-raw-data-only", ...suites];
    if (!await deno(tests, env)) throw new Error("Cannot measure coverage: tests fail");
    if (!await deno(["run", ...flags, "tools/coverage/import_all.ts"], env)) {
      throw new Error("Cannot measure coverage: a module of lib/ cannot be imported");
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function deno(args: string[], env: Record<string, string>): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    clearEnv: true,
    // By a variable and not by a flag, for then what tests start from source is measured too.
    env: { ...env, DENO_COVERAGE_DIR: PROFILES },
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  return success;
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

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) {
  try {
    Deno.exit(await main() ? 0 : 1);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(1);
  }
}
