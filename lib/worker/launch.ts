/**
 * From a claimed job to what the system needs to start it: program, arguments,
 * environment, files. What cannot start is found out here, before anything runs.
 * @module
 */
import type { Forbids } from "../core/allowed_commands.ts";
import { currentDirectory } from "../host/current_directory.ts";
import { wholeEnvironment } from "../host/own_environment.ts";
import type { Job } from "../core/job.ts";
import { quotedPath } from "../core/errors.ts";
import { formatTime } from "../core/point_in_time.ts";
import { isTrusted, TRUST_VARIABLE } from "../host/trust.ts";
import type { RunResult } from "../core/run_result.ts";
import { SERVICE_VARIABLES } from "../core/service_variables.ts";
import type { Launch } from "./child_process.ts";
import type { OutputFiles } from "./output_capture.ts";
import { giveSecrets } from "./secrets.ts";

export interface LaunchSettings {
  readonly shell: string;
  /** As jobs see it in QUEUECTL_DB; without any password. */
  readonly db: string;
  /** Which store that is: with id and claim, the cookie by which what a run left behind is found. */
  readonly store: string;
  /** Which jobs may not run; absent: all may. */
  readonly forbids?: Forbids | undefined;
}

export type NotStarted = RunResult & { kind: "not_started" };

/** Usual search path of programs where the environment has none. */
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** @returns what to start, or why it cannot be started. */
export function prepareLaunch(job: Job, files: OutputFiles, settings: LaunchSettings): Launch | NotStarted {
  // Looked at again here: the setting, or the job, may have changed since it was enqueued.
  const reason = settings.forbids?.(job);
  if (reason !== undefined) return { kind: "not_started", code: 126, reason };
  const env = environmentOf(job, settings);
  const cwd = job.cwd;
  const trouble = cwd === null ? ownDirectoryTrouble() : undefined;
  if (trouble !== undefined) return { kind: "not_started", code: 126, reason: trouble };
  if (cwd !== null && !isDirectory(cwd)) {
    return { kind: "not_started", code: 126, reason: `directory ${quotedPath(cwd)} does not exist` };
  }
  const wanted = job.argv === null ? [settings.shell, "-c", job.command ?? ""] : [...job.argv];
  const argv = job.nice === null ? wanted : ["nice", "-n", String(job.nice), ...wanted];
  // Behind nice or a prelude the program is started by somebody else, so it is looked for here all the same.
  for (const name of new Set([wanted[0] ?? "", argv[0] ?? ""])) {
    const found = findProgram(name, env.get("PATH") ?? USUAL_PATH, cwd);
    if (typeof found !== "string") return found;
  }
  const prelude = preludeOf(job);
  const whole = prelude === "" ? argv : [PRELUDE_SHELL, "-c", `${prelude}exec "$@"`, "sh", ...argv];
  const program = findProgram(whole[0] ?? "", env.get("PATH") ?? USUAL_PATH, cwd);
  if (typeof program !== "string") return program;
  return {
    program,
    argv: whole,
    env: [...env].map(([name, value]) => `${name}=${value}`),
    cwd,
    stdin: files.stdin,
    stdout: files.stdout,
    stderr: files.stderr,
  };
}

/** Every system has one, and it knows `ulimit`, which the shell of the setting may not. */
const PRELUDE_SHELL = "/bin/sh";

/**
 * What only the process itself can set, as shell commands before it becomes the program; empty when there is none.
 * Values were checked to be numbers. A limit above what the worker may give ends the job as one that may not be run.
 */
function preludeOf({ umask, limits, kill_grace_ms }: Job): string {
  const steps: string[] = [];
  if (umask !== null) steps.push(`umask ${umask}; `);
  if (limits !== null && limits.cpu_time_ms !== null) {
    // At the soft limit the process is told (XCPU), at the hard one it is killed.
    const soft = Math.ceil(limits.cpu_time_ms / 1_000);
    const hard = soft + Math.max(1, Math.ceil(kill_grace_ms / 1_000));
    steps.push(`{ ulimit -S -t ${soft} && ulimit -H -t ${hard}; } || exit 126; `);
  }
  if (limits !== null && limits.memory !== null) {
    steps.push(`ulimit -v ${Math.ceil(limits.memory / 1_024)} || exit 126; `);
  }
  return steps.join("");
}

/** What tells a job who it is. */
const JOB_VARIABLES: readonly string[] = [
  "STORE",
  "JOB_ID",
  "RUN",
  "ATTEMPT",
  "MAX_RETRIES",
  "QUEUE",
  "CLAIM",
  "SCHEDULED_AT",
]
  .map((name) => `QUEUECTL_${name}`);

/**
 * An environment for a process that may outlive the job that starts it: one
 * with the cookie of a claim would be ended before the next run of that job.
 */
export function environmentOutsideJobs(environment: Readonly<Record<string, string>>): Record<string, string> {
  const isInJob = "QUEUECTL_CLAIM" in environment;
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) =>
      !isForServiceManager(name) && (!isInJob || !JOB_VARIABLES.includes(name))
    ),
  );
}

function isForServiceManager(name: string): boolean {
  return (SERVICE_VARIABLES as readonly string[]).includes(name);
}

/** The worker's environment does not change: read once. */
let inherited: readonly [string, string][] | undefined;

function environmentOf(job: Job, { db, store }: LaunchSettings): Map<string, string> {
  inherited ??= Object.entries(wholeEnvironment()).filter(([name]) =>
    !name.startsWith("QUEUECTL_") && !isForServiceManager(name)
  );
  const env = new Map(inherited);
  giveSecrets(env, job);
  for (const name in job.env) env.set(name, job.env[name] ?? "");
  env.set("QUEUECTL_DB", db);
  if (isTrusted(db)) env.set(TRUST_VARIABLE, db);
  env.set("QUEUECTL_STORE", store);
  env.set("QUEUECTL_JOB_ID", job.id);
  env.set("QUEUECTL_RUN", String(job.run_count));
  env.set("QUEUECTL_ATTEMPT", String(job.attempts));
  env.set("QUEUECTL_MAX_RETRIES", String(job.max_retries));
  env.set("QUEUECTL_QUEUE", job.queue);
  env.set("QUEUECTL_CLAIM", String(job.claim));
  env.set("QUEUECTL_SCHEDULED_AT", formatTime(job.created_at));
  return env;
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // Missing or out of reach: the same to somebody who wants to run there.
    return false;
  }
}

/** Why a job cannot run in the directory of this process: somebody may have removed it since. */
function ownDirectoryTrouble(): string | undefined {
  try {
    currentDirectory();
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.cause instanceof Deno.errors.NotFound) {
      return "the directory of the worker does not exist any more";
    }
    return "the directory of the worker has a path that is not valid UTF-8, or is out of reach";
  }
}

/** Finds a program as a shell would: 127 when there is none, 126 when it may not be run. */
function findProgram(name: string, path: string, cwd: string | null): string | NotStarted {
  const base = cwd ?? currentDirectory();
  if (name.includes("/")) {
    const file = name.startsWith("/") ? name : `${base}/${name}`;
    return checked(file, name);
  }
  const known = foundPrograms.get(`${path}\0${name}`);
  if (known !== undefined && typeof checked(known, name) === "string") return known;
  let refused: NotStarted | undefined;
  for (const folder of path.split(":")) {
    const file = `${folder.startsWith("/") ? folder : `${base}/${folder}`}/${name}`;
    const result = checked(file, name);
    if (typeof result === "string") {
      foundPrograms.set(`${path}\0${name}`, result);
      return result;
    }
    if (result.code === 126) refused ??= result;
  }
  return refused ?? { kind: "not_started", code: 127, reason: `program ${quotedPath(name)} was not found` };
}

/** Where programs were found before; checked again at each use. */
const foundPrograms = new Map<string, string>();

function checked(file: string, name: string): string | NotStarted {
  try {
    const info = Deno.statSync(file);
    if (info.isFile && ((info.mode ?? 0o111) & 0o111) !== 0) return file;
    const what = info.isFile ? "is not executable" : "is a directory";
    return { kind: "not_started", code: 126, reason: `program ${quotedPath(name)} ${what}` };
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) {
      return {
        kind: "not_started",
        code: 126,
        reason: `program ${quotedPath(name)} is out of reach: permission denied`,
      };
    }
    return { kind: "not_started", code: 127, reason: `program ${quotedPath(name)} was not found` };
  }
}
