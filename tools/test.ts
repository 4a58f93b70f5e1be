/**
 * Runs every check and test of the project: `tools/deno task test`.
 *
 * First the stages (types, format, lint, shellcheck, compile), then the files
 * `tests/**\/*_test.ts`, each in a process, a home and a temporary directory of
 * its own, as many at a time as there are cores. What cannot run has failed.
 * The last line is `N passed, N failed`.
 * @module
 */
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { denoDirectory } from "./deno_directory.ts";
import { readClosingLine, stripColour } from "./test/closing_line.ts";
import { killLeftovers } from "./test/leftovers.ts";
import { installRequirements, missingFor } from "./test/requirements.ts";
import { runCommand } from "./test/run_command.ts";
import { COMPILE, type Stage, staticStages } from "./test/stages.ts";
import { testEnvironment } from "./test/test_environment.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const BINARY = join(ROOT, "dist", "queuectl");

/** The slowest file takes well under a minute; this is for one that hangs, on a busy machine. */
const FILE_TIMEOUT_MS = 5 * 60_000;
/** Compiling may have to download first. */
const STAGE_TIMEOUT_MS = 10 * 60_000;

/** These call the sources directly; all other suites run dist/queuectl. */
const WITHOUT_BINARY = ["tests/unit", "tests/store", "tests/shape", "tests/tools"];

const USAGE = `Usage: tools/deno task test [OPTIONS] [PATH...]

  PATH         run only these test files or folders, and no static checks
  --no-static  leave out format, lint, types and shellcheck
  --jobs N     how many at a time (default: one per core)
  --help       this text`;

/** What became of one stage or test file. */
interface Outcome {
  name: string;
  passed: number;
  failed: number;
  ignored: number;
  durationMs: number;
  /** Shown when something failed. */
  output: string;
}

/** What all parts of one run share. */
interface Run {
  id: string;
  directory: string;
  denoDirectory: string;
  jobs: number;
  signal: AbortSignal;
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      "no-static": { type: "boolean", default: false },
      jobs: { type: "string", default: String(Math.max(2, navigator.hardwareConcurrency)) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }

  const files = selectFiles(await testFiles(join(ROOT, "tests")), positionals);
  const isWhole = positionals.length === 0;
  const stages = isWhole && !values["no-static"] ? await staticStages(ROOT) : [];
  if (isWhole || files.some(needsBinary)) stages.push(COMPILE);

  await installRequirements([...stages.map((stage) => stage.name), ...files]);

  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(name, stop);

  const run: Run = {
    id: crypto.randomUUID(),
    directory: await makeRunDirectory(),
    denoDirectory: await denoDirectory(),
    jobs: Math.max(1, Number(values.jobs) || 1),
    signal: interrupt.signal,
  };
  const outcomes: Outcome[] = [];
  try {
    outcomes.push(...await inParallel(stages, run, runStage));
    const isCompiled = outcomes.every(({ name, failed }) => name !== COMPILE.name || failed === 0);
    outcomes.push(...await inParallel(files, run, (file, number) => runFile(file, number, run, isCompiled)));
  } finally {
    outcomes.push(...await cleanUp(run));
  }
  return summarize(outcomes, run);
}

/** For a mistake in the arguments: the message alone tells enough. */
class UsageError extends Error {}

/** @throws {UsageError} when a path selects nothing, for then a typing error would count as success */
function selectFiles(files: string[], paths: string[]): string[] {
  if (paths.length === 0) return files;
  const wanted = paths.map((path) => relative(ROOT, resolve(Deno.env.get("INIT_CWD") ?? ".", path)));
  const isIn = (file: string, path: string) => path === "" || file === path || file.startsWith(`${path}/`);
  for (const path of wanted) {
    if (!files.some((file) => isIn(file, path))) throw new UsageError(`Cannot run "${path}": no test file there`);
  }
  return files.filter((file) => wanted.some((path) => isIn(file, path)));
}

async function testFiles(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory) found.push(...await testFiles(path));
    else if (entry.name.endsWith("_test.ts")) found.push(relative(ROOT, path));
  }
  return found.sort();
}

function needsBinary(file: string): boolean {
  return !WITHOUT_BINARY.some((suite) => file.startsWith(`${suite}/`));
}

/** Short, because the path of a socket below it may have 107 characters only. */
async function makeRunDirectory(): Promise<string> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "queuectl-test-" }));
  // A test that starts something as another user needs to get through, not to look around.
  await Deno.chmod(directory, 0o711);
  return directory;
}

/** Calls `work` for every item, at most `run.jobs` at a time, and prints each outcome as it comes. */
async function inParallel<T>(
  items: readonly T[],
  run: Run,
  work: (item: T, number: number, run: Run) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [number, item] of queue) {
      if (run.signal.aborted) return;
      const outcome = await work(item, number, run);
      outcomes.push(outcome);
      if (!run.signal.aborted) printOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: run.jobs }, lane));
  return outcomes;
}

async function runStage(stage: Stage, _number: number, run: Run): Promise<Outcome> {
  const missing = missingFor(stage.name);
  if (missing.length > 0) return failure(stage.name, `cannot run without ${missing.join(", ")}`);

  const { code, output, durationMs } = await runCommand(stage.command, {
    cwd: ROOT,
    env: Deno.env.toObject(),
    outputFile: join(run.directory, `${stage.name}.output`),
    timeoutMs: STAGE_TIMEOUT_MS,
    signal: run.signal,
  });
  const failed = code === 0 ? 0 : 1;
  const note = code === null ? `\nkilled after ${STAGE_TIMEOUT_MS / 1000} s` : "";
  return { name: stage.name, passed: 1 - failed, failed, ignored: 0, durationMs, output: output + note };
}

async function runFile(file: string, number: number, run: Run, isCompiled: boolean): Promise<Outcome> {
  const missing = missingFor(file);
  if (missing.length > 0) return failure(file, `cannot run without ${missing.join(", ")}`);
  if (!isCompiled && needsBinary(file)) return failure(file, "cannot run: dist/queuectl could not be compiled");

  const directory = join(run.directory, String(number));
  const marker = `QUEUECTL_TEST_RUN=${run.id}:${number}:`;
  const env = await testEnvironment({ directory, marker, binary: BINARY, denoDirectory: run.denoDirectory });
  const { code, output, durationMs } = await runCommand(
    // Types have their own stage.
    [Deno.execPath(), "test", "--allow-all", "--no-prompt", "--no-check", "--frozen", file],
    { cwd: ROOT, env, outputFile: join(directory, "output"), timeoutMs: FILE_TIMEOUT_MS, signal: run.signal },
  );

  const counts = readClosingLine(output) ?? { passed: 0, failed: 0, ignored: 0 };
  const complaints: string[] = [];
  if (code === null) complaints.push(`killed after ${FILE_TIMEOUT_MS / 1000} s`);
  else if (code !== 0 && counts.failed === 0) complaints.push(`ended with exit code ${code}`);
  else if (code === 0 && counts.passed === 0) complaints.push("has no test that ran");
  const leftovers = await killLeftovers({ marker, directory });
  if (leftovers.length > 0) {
    complaints.push(`left running: ${leftovers.map(({ pid, command }) => `\n  ${pid} ${command}`).join("")}`);
  }
  return {
    ...counts,
    name: file,
    failed: counts.failed + complaints.length,
    durationMs,
    output: [output, ...complaints.map((complaint) => `${file} ${complaint}`)].join("\n"),
  };
}

function failure(name: string, output: string): Outcome {
  return { name, passed: 0, failed: 1, ignored: 0, durationMs: 0, output };
}

/** Tests may leave directories without permissions, and mounts; what resists is a failure. */
async function cleanUp(run: Run): Promise<Outcome[]> {
  // Each file was asked about its own already; this is for an interrupted run.
  await killLeftovers({ marker: `QUEUECTL_TEST_RUN=${run.id}`, directory: run.directory });
  try {
    await new Deno.Command("chmod", { args: ["-R", "u+rwX", run.directory], stderr: "null" }).output();
    await Deno.remove(run.directory, { recursive: true });
    return [];
  } catch (error) {
    const outcome = failure("clean-up", `${run.directory} could not be removed: ${error}`);
    printOutcome(outcome);
    return [outcome];
  }
}

function printOutcome({ name, passed, failed, ignored, durationMs, output }: Outcome): void {
  const counts = [`${passed} passed`];
  if (failed > 0) counts.push(`${failed} failed`);
  if (ignored > 0) counts.push(`${ignored} ignored`);
  console.log(`${failed > 0 ? "FAIL" : "ok  "} ${name}: ${counts.join(", ")} (${(durationMs / 1000).toFixed(1)} s)`);
  if (failed > 0) console.log(`${Deno.stdout.isTerminal() ? output : stripColour(output)}\n`);
}

function summarize(outcomes: Outcome[], run: Run): number {
  const failures = outcomes.filter(({ failed }) => failed > 0);
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(({ name }) => `  ${name}`).join("\n")}`);
  if (run.signal.aborted) console.log("\nInterrupted");
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 || run.signal.aborted ? 1 : 0;
}

if (import.meta.main) {
  let exitCode = 1;
  try {
    exitCode = await main(Deno.args);
  } catch (error) {
    console.log(error instanceof UsageError ? error.message : error);
    console.log("\n0 passed, 1 failed");
  }
  Deno.exit(exitCode);
}
