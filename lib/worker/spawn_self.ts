/**
 * Starts this same program again, in the background: in a session of its own,
 * so that it outlives the terminal, the ssh connection or the process that
 * started it.
 *
 * No stream is inherited: once the terminal is gone, writing to it fails. What
 * is started here keeps a log of its own. No other file is inherited either: it
 * would stay open, and its lock held, for as long as the process lives.
 * @module
 */
import { wholeEnvironment } from "../host/own_environment.ts";
import { QueuectlError } from "../core/errors.ts";
import { keepFilesFromChildren } from "../host/open_files.ts";
import { environmentOutsideJobs } from "./launch.ts";

/**
 * Read once, when the process is young: after the file was replaced the system
 * says `/path/queuectl (deleted)`. The path itself then leads to the new
 * version, which is what a restart is to pick up.
 */
const EXECUTABLE = Deno.execPath();

export interface SpawnSelfOptions {
  /** Added to the environment of this process, which is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: `/`, so that no directory stays in use that somebody may want to unmount. */
  readonly cwd?: string;
}

/** The process that was started; also the number of its session. */
export interface SpawnedSelf {
  readonly pid: number;
  /** Resolves at its end. Waiting for it keeps the program alive; else nothing does. */
  ended(): Promise<Deno.CommandStatus>;
}

/** Program and arguments that run queuectl with `args`, compiled or from source. */
export function selfCommand(args: readonly string[]): readonly [string, ...string[]] {
  return Deno.build.standalone
    ? [EXECUTABLE, ...args]
    : [EXECUTABLE, "run", "--allow-all", "--no-prompt", "--no-check", "--quiet", Deno.mainModule, ...args];
}

/**
 * @throws {QueuectlError} when the program is not at its place any more, or cannot be started.
 * @throws {UsageError} when the environment cannot be handed on.
 */
export function spawnSelf(args: readonly string[], options: SpawnSelfOptions = {}): SpawnedSelf {
  const [program, ...rest] = selfCommand(args);
  keepFilesFromChildren();
  const inherited = environmentOutsideJobs(wholeEnvironment());
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: rest,
      clearEnv: true,
      env: { ...inherited, ...options.env },
      cwd: options.cwd ?? "/",
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new QueuectlError("failed", `Cannot start ${program}: ${reason}`, { cause: error });
  }
  child.unref();
  return {
    pid: child.pid,
    ended: () => {
      child.ref();
      return child.status;
    },
  };
}

/**
 * What tells a process that we start which store is meant. A URL may hold a
 * password, and arguments are seen by everyone on the machine: it goes by the environment.
 */
export function sameStore(dbPath: string): { readonly args: readonly string[]; readonly env: Record<string, string> } {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(dbPath);
  return isUrl ? { args: [], env: { QUEUECTL_DB: dbPath } } : { args: ["--db", dbPath], env: {} };
}
