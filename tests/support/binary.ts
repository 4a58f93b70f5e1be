/**
 * Runs the compiled binary as a user would, in a home of its own:
 *
 *     await using box = await sandbox();
 *     const id = await box.ok(["enqueue", "echo hi"]);
 *     await box.ok(["worker", "run", "--drain"]);
 *     assertEquals((await box.json(["show", id])).state, "completed");
 *
 * At the end, also when the test fails, everything the test has started with
 * `start()` is killed and the directory is removed. Processes that queuectl
 * detached are for the test to end (`box.killAll()`): one that is left is a bug
 * that tools/test.ts reports.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { findProcesses, killProcesses, type Leftover } from "../../tools/test/leftovers.ts";

/** What a command left: its exit code, and its output as text. */
export interface Ended {
  /** 128 + N when a signal killed it. */
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Default: empty. */
  readonly stdin?: string | Uint8Array;
  /** Added to the environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the sandbox's directory. */
  readonly cwd?: string;
  /** Default: the compiled binary. */
  readonly program?: string;
  /** `wait()` fails after this. Default: a minute. */
  readonly patienceMs?: number;
}

/** A program that runs beside the test. */
export interface Started {
  readonly pid: number;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Does nothing when it has ended already. */
  signal(name: Deno.Signal): void;
  /** Its end. Fails, with what it said, when that does not come in time. */
  wait(): Promise<Ended>;
  /** KILL, and its end. */
  kill(): Promise<Ended>;
}

export interface Sandbox extends AsyncDisposable {
  /** Where commands run; empty at first. */
  readonly directory: string;
  readonly home: string;
  /** The database that commands use unless told another: QUEUECTL_DB. */
  readonly db: string;
  readonly binary: string;
  /** Runs a command to its end, whatever its exit code. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Runs a command that has to succeed; its stdout without the last newline. */
  ok(args: readonly string[], options?: RunOptions): Promise<string>;
  /** Runs a command with --json that has to succeed; what it printed. */
  // deno-lint-ignore no-explicit-any -- a test says by its assertions what it expects there
  json<T = any>(args: readonly string[], options?: RunOptions): Promise<T>;
  /** Starts a command that is to run for a while. */
  start(args: readonly string[], options?: RunOptions): Promise<Started>;
  /** All processes that come from this sandbox, detached ones and jobs included; the dead do not count. */
  processes(): readonly Leftover[];
  /** KILLs all of them. */
  killAll(): Promise<void>;
}

/** For a machine that is busy with other tests; a command that takes this long hangs. */
const GIVE_UP_MS = 60_000;

/** The variable that marks every process of one sandbox. */
const MARKER = "QUEUECTL_TEST_SANDBOX";

/** What a command gets of the environment of the test. */
const INHERITED = ["PATH", "TMPDIR", "LANG", "TZ", "TERM", "QUEUECTL_TEST_RUN"];

export async function sandbox(): Promise<Sandbox> {
  const binary = await compiledBinary();
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "box-" }));
  const [directory, home, streams] = [`${root}/work`, `${root}/home`, `${root}/streams`];
  for (const folder of [directory, home, streams]) await Deno.mkdir(folder);
  const db = `${directory}/queue.db`;
  const owner = { marker: `${MARKER}=${root}`, directory };
  const running = new Set<Started>();
  let count = 0;

  const start = async (args: readonly string[], options: RunOptions = {}) => {
    const started = await startProgram(args, {
      ...options,
      program: options.program ?? binary,
      cwd: options.cwd ?? directory,
      env: environment({ HOME: home, QUEUECTL_DB: db, [MARKER]: root, ...options.env }),
      streams: `${streams}/${++count}`,
    });
    running.add(started);
    return started;
  };
  const run = async (args: readonly string[], options?: RunOptions) => {
    const started = await start(args, options);
    try {
      return await started.wait();
    } finally {
      running.delete(started);
    }
  };
  const ok = async (args: readonly string[], options?: RunOptions) => {
    const { code, stdout, stderr } = await run(args, options);
    if (code !== 0) throw new Error(`queuectl ${args.join(" ")} ended with ${code}:\n${stderr}${stdout}`);
    return stdout.replace(/\n$/, "");
  };

  return {
    directory,
    home,
    db,
    binary,
    run,
    ok,
    json: async (args, options) => JSON.parse(await ok(["--json", ...args], options)),
    start,
    processes: () => findProcesses(owner),
    killAll: () => killProcesses(owner),
    async [Symbol.asyncDispose]() {
      for (const started of running) await started.kill();
      await removeDirectory(root);
    },
  };
}

async function compiledBinary(): Promise<string> {
  const path = Deno.env.get("QUEUECTL_BIN");
  if (path === undefined) throw new Error("QUEUECTL_BIN must name the compiled binary: use tools/deno task test");
  return await Deno.realPath(path);
}

function environment(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited = INHERITED.map((name) => [name, Deno.env.get(name)] as const);
  const all = [...inherited, ...Object.entries(changes)];
  return Object.fromEntries([...new Map(all)].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

interface ProgramOptions extends RunOptions {
  readonly program: string;
  readonly env: Record<string, string>;
  /** Beginning of the names of the files that take its output. */
  readonly streams: string;
}

/**
 * Output goes to files: a pipe would be held open by whatever the program
 * leaves running, and would have to be emptied while it runs. The shell
 * replaces itself, so the pid is the program's.
 */
async function startProgram(args: readonly string[], options: ProgramOptions): Promise<Started> {
  const files = { stdout: `${options.streams}.out`, stderr: `${options.streams}.err` };
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", 'out=$1 err=$2; shift 2; exec >"$out" 2>"$err" "$@"', "sh", files.stdout, files.stderr].concat(
      options.program,
      args,
    ),
    cwd: options.cwd!,
    clearEnv: true,
    env: options.env,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  if (options.stdin !== undefined) await feed(child, options.stdin);
  // Asked for now, so that the child is reaped also when no one waits for it.
  const status = child.status;
  let isOver = false;
  void status.then(() => isOver = true);

  const signal = (name: Deno.Signal) => {
    if (isOver) return;
    try {
      child.kill(name);
    } catch (error) {
      // It ended just now.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  const ended = async (): Promise<Ended> => {
    const { code, signal } = await status;
    return { code, signal, stdout: readText(files.stdout), stderr: readText(files.stderr) };
  };
  const patienceMs = options.patienceMs ?? GIVE_UP_MS;
  const wait = async () => {
    const patience = new AbortController();
    const isInTime = await Promise.race([
      status.then(() => true),
      delay(patienceMs, false, { signal: patience.signal }).catch(() => false),
    ]);
    patience.abort();
    if (isInTime) return await ended();
    signal("SIGKILL");
    const { stdout, stderr } = await ended();
    throw new Error(`${args.join(" ")} did not end within ${patienceMs / 1_000} s:\n${stderr}${stdout}`);
  };
  return {
    pid: child.pid,
    stdout: () => readText(files.stdout),
    stderr: () => readText(files.stderr),
    signal,
    wait,
    kill() {
      signal("SIGKILL");
      return ended();
    },
  };
}

async function feed(child: Deno.ChildProcess, stdin: string | Uint8Array): Promise<void> {
  try {
    await new Blob([stdin as BlobPart]).stream().pipeTo(child.stdin);
  } catch (error) {
    // The program need not read all of it.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return ""; // The shell has not opened it yet.
    throw error;
  }
}

/** What a killed worker leaves may still be written for a moment, and a test may take permissions away. */
async function removeDirectory(path: string): Promise<void> {
  await new Deno.Command("chmod", { args: ["-R", "u+rwX", path], stderr: "null" }).output();
  for (let tries = 20; tries > 0; tries--) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (tries === 1) throw error;
      await delay(50);
    }
  }
}
