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
import { ArgumentsError, readArguments } from "./arguments.ts";
import { denoDirectory } from "./deno_directory.ts";
import { NOT_CHECKED } from "./audit.ts";
import { readClosingLine } from "./test/closing_line.ts";
import { endMeasurement, FROM_SOURCE, type Measurement, startMeasurement } from "./test/coverage_gate.ts";
import { killLeftovers } from "./test/leftovers.ts";
import { installRequirements, lackOf } from "./test/requirements.ts";
import { failure, type Outcome, printOutcome, summarize } from "./test/outcome.ts";
import { runCommand } from "./test/run_command.ts";
import { AUDIT, COMPILE, COMPILE_FAILPOINTS, type Stage, staticStages } from "./test/stages.ts";
import { testEnvironment } from "./test/test_environment.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const BINARY = join(ROOT, "dist", "queuectl");
/** The program that a variable stops at named places; what is shipped has no such places. */
const BINARY_WITH_FAILPOINTS = join(ROOT, "dist", "queuectl-failpoints");

/** The slowest file takes well under a minute; this is for one that hangs, on a busy machine. */
const FILE_TIMEOUT_MS = 5 * 60_000;
/** Compiling may have to download first. */
const STAGE_TIMEOUT_MS = 10 * 60_000;

/** These call the sources directly; all other suites run dist/queuectl. */
const WITHOUT_BINARY = ["tests/unit", "tests/store", "tests/shape", "tests/tools"];

/** These set QUEUECTL_FAILPOINT. */
const WITH_FAILPOINTS = ["tests/faults/failpoint_test.ts"];

const USAGE = `Usage: tools/deno task test [OPTIONS] [PATH...]

  PATH         run only these test files or folders, and no static checks
  --no-static  leave out format, lint, types and shellcheck
  --install    install the Debian packages that suites need and this machine lacks
  --coverage   measure lib/ meanwhile and ask for 80 %; not with PATH
  --audit      ask for known vulnerabilities of the packages in deno.lock; not with PATH.
               When nobody answers, the end of the run says so
  --require-audit  as --audit, and when nobody answers that is a failure
  --jobs N     how many at a time (default: one per core)
  --help       this text`;

/** A test file that is to run. */
interface FileRun {
  file: string;
  /** Only for coverage: the same tests run with the compiled binary, and count there. */
  isFromSource: boolean;
}

/** What all parts of one run share. */
interface Run {
  id: string;
  directory: string;
  denoDirectory: string;
  jobs: number;
  signal: AbortSignal;
  /** Only with --coverage. */
  measurement: Measurement | undefined;
  /** An audit without an answer counts as failed. */
  isAuditRequired: boolean;
}

async function main(args: string[]): Promise<number> {
  const { switches, values, words: paths } = readArguments(args, {
    switches: ["no-static", "install", "coverage", "audit", "require-audit", "help"],
    values: ["jobs"],
    words: "PATH",
  });
  if (switches.help) {
    console.log(USAGE);
    return 0;
  }

  const files = selectFiles(await testFiles(join(ROOT, "tests")), paths);
  const isWhole = paths.length === 0;
  const stages = isWhole && !switches["no-static"] ? await staticStages(ROOT) : [];
  if (isWhole || files.some(needsBinary)) stages.push(COMPILE);
  if (files.some(needsFailpoints)) stages.push(COMPILE_FAILPOINTS);
  const jobs = jobsFrom(values.jobs);
  const isAuditRequired = switches["require-audit"];
  if (isWhole && (switches.audit || isAuditRequired)) stages.push(AUDIT);

  if (switches.install) await installRequirements([...stages.map((stage) => stage.name), ...files]);

  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(name, stop);

  const [directory, deno] = [await makeRunDirectory(), await denoDirectory()];
  const run: Run = {
    id: crypto.randomUUID(),
    directory,
    denoDirectory: deno,
    jobs,
    signal: interrupt.signal,
    measurement: isWhole && switches.coverage ? await startMeasurement(directory, deno) : undefined,
    isAuditRequired,
  };
  // The long ones first: one of them at the end would keep a single core busy.
  const measured = run.measurement === undefined ? [] : FROM_SOURCE;
  const runs = [
    ...measured.map((file) => ({ file, isFromSource: true })),
    ...files.map((file) => ({ file, isFromSource: false })),
  ];
  const outcomes: Outcome[] = [];
  try {
    outcomes.push(...await inParallel(stages, run, runStage));
    const isCompiled = outcomes.every(({ name, failed }) => failed === 0 || !name.startsWith(COMPILE.name));
    outcomes.push(...await inParallel(runs, run, (each, number) => runFile(each, number, run, isCompiled)));
    if (run.measurement !== undefined && !run.signal.aborted) outcomes.push(await coverageOutcome(run.measurement));
  } finally {
    outcomes.push(...await cleanUp(run));
  }
  return summarize(outcomes, run.signal.aborted);
}

/** @throws {ArgumentsError} for anything but a whole number from 1 */
function jobsFrom(text: string | undefined): number {
  if (text === undefined) return Math.max(2, navigator.hardwareConcurrency);
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new ArgumentsError(`--jobs takes a whole number from 1, not "${text}"`);
  return Number(text);
}

/** @throws {ArgumentsError} when a path selects nothing, for then a typing error would count as success */
function selectFiles(files: string[], paths: readonly string[]): string[] {
  if (paths.length === 0) return files;
  const wanted = paths.map((path) => relative(ROOT, resolve(Deno.env.get("INIT_CWD") ?? ".", path)));
  const isIn = (file: string, path: string) => path === "" || file === path || file.startsWith(`${path}/`);
  for (const path of wanted) {
    if (!files.some((file) => isIn(file, path))) throw new ArgumentsError(`Cannot run "${path}": no test file there`);
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

function needsFailpoints(file: string): boolean {
  return WITH_FAILPOINTS.includes(file);
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
  const lack = lackOf(stage.name);
  if (lack !== undefined) return failure(stage.name, lack);

  const { code, output, durationMs } = await runCommand(stage.command, {
    cwd: ROOT,
    env: Deno.env.toObject(),
    outputFile: join(run.directory, `${stage.name}.output`),
    timeoutMs: STAGE_TIMEOUT_MS,
    signal: run.signal,
  });
  if (code === NOT_CHECKED && !(stage === AUDIT && run.isAuditRequired)) {
    return { name: stage.name, passed: 0, failed: 0, ignored: 0, durationMs, output, unchecked: output.trim() };
  }
  const failed = code === 0 ? 0 : 1;
  const note = code === null ? `\nkilled after ${STAGE_TIMEOUT_MS / 1000} s` : "";
  return { name: stage.name, passed: 1 - failed, failed, ignored: 0, durationMs, output: output + note };
}

async function runFile(
  { file, isFromSource }: FileRun,
  number: number,
  run: Run,
  isCompiled: boolean,
): Promise<Outcome> {
  const lack = lackOf(file);
  if (lack !== undefined) return failure(file, lack);
  if (!isCompiled && needsBinary(file)) return failure(file, "cannot run: dist/queuectl could not be compiled");

  const directory = join(run.directory, String(number));
  const marker = `QUEUECTL_TEST_RUN=${run.id}:${number}:`;
  const compiled = needsFailpoints(file) ? BINARY_WITH_FAILPOINTS : BINARY;
  const binary = isFromSource && run.measurement !== undefined ? run.measurement.program : compiled;
  const env = await testEnvironment({ directory, marker, binary, denoDirectory: run.denoDirectory });
  const flags = ["--allow-all", "--no-prompt", "--no-check", "--frozen"];
  if (run.measurement !== undefined && (isFromSource || !needsBinary(file))) {
    // By a variable, so that what tests start from source is measured, too.
    env.DENO_COVERAGE_DIR = run.measurement.profiles;
    flags.push("--coverage-raw-data-only");
  }
  const { code, output, durationMs } = await runCommand(
    // Types have their own stage.
    [Deno.execPath(), "test", ...flags, file],
    { cwd: ROOT, env, outputFile: join(directory, "output"), timeoutMs: FILE_TIMEOUT_MS, signal: run.signal },
  );

  if (isFromSource) {
    await killLeftovers({ marker, directory });
    return { name: `${file} from source`, passed: 0, failed: 0, ignored: 0, durationMs, output, note: "measured" };
  }
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

async function coverageOutcome(measurement: Measurement): Promise<Outcome> {
  const started = performance.now();
  let outcome: Outcome;
  try {
    const { isEnough, report, sum } = await endMeasurement(measurement);
    const failed = isEnough ? 0 : 1;
    outcome = { ...failure("coverage", report), passed: 1 - failed, failed, note: sum };
  } catch (error) {
    outcome = failure("coverage", error instanceof Error ? error.message : String(error));
  }
  outcome.durationMs = performance.now() - started;
  printOutcome(outcome);
  return outcome;
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

if (import.meta.main) {
  let exitCode = 1;
  try {
    exitCode = await main(Deno.args);
  } catch (error) {
    console.log(error instanceof ArgumentsError ? error.message : error);
    console.log("\n0 passed, 1 failed");
  }
  Deno.exit(exitCode);
}
