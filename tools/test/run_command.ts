/**
 * Runs one command of the test run to its end, or to its time limit.
 * @module
 */

export interface CommandResult {
  /** null when it was killed at the time limit. */
  code: number | null;
  output: string;
  durationMs: number;
}

export interface CommandOptions {
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** File for the output of the command. */
  outputFile: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * The output goes to a file: with a pipe, a process the command left behind
 * would keep us reading for as long as it lives. The command gets a process
 * group of its own, so that at the time limit all of it can be killed.
 */
export async function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const started = performance.now();
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec >"$0" 2>&1 "$@"', options.outputFile, ...command],
    cwd: options.cwd,
    clearEnv: true,
    env: options.env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();

  let timedOut = false;
  const killGroup = () => {
    try {
      Deno.kill(-child.pid, "SIGKILL");
    } catch {
      // ended meanwhile
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup();
  }, options.timeoutMs);
  options.signal.addEventListener("abort", killGroup);
  try {
    if (options.signal.aborted) killGroup();
    const { code } = await child.status;
    return {
      code: timedOut ? null : code,
      output: await readOutput(options.outputFile),
      durationMs: performance.now() - started,
    };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", killGroup);
  }
}

async function readOutput(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return ""; // killed before the shell opened it
    throw error;
  }
}
