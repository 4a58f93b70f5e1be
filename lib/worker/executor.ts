/**
 * One claimed job -> how its run ended. Prepares, starts, watches, ends; what
 * the result means for the job is not its business, and it writes nothing to
 * the store.
 * @module
 */
import type { Job } from "../core/job.ts";
import type { Clock } from "../core/clock.ts";
import type { RunResult } from "../core/run_result.ts";
import { outputBase } from "../operations/output_files.ts";
import { type Child, type ExitStatus, groupExists, signalGroup, type Spawner } from "./child_process.ts";
import { failpoint } from "./failpoints.ts";
import type { Guardian } from "./guardian.ts";
import { type LaunchSettings, prepareLaunch } from "./launch.ts";
import { OutputCapture, type SettledOutput } from "./output_capture.ts";
import { SpawnError } from "./posix_spawn.ts";
import { processStart } from "./process_identity.ts";
import type { WorkerLock } from "./worker_lock.ts";

export interface ExecutorParts {
  readonly clock: Clock;
  readonly spawner: Spawner;
  readonly guardian: Guardian;
  readonly lock: WorkerLock;
  /** `<db>.d` */
  readonly storeFolder: string;
  readonly launch: () => LaunchSettings;
  readonly outputLimitBytes: () => number;
}

/** Why a running job is to be ended; the kind of result that this makes. */
export type EndReason = "cancelled" | "interrupted";

export interface Execution {
  readonly job: Job;
  /** Asks for the end of the run. The first reason counts. */
  end(reason: EndReason): void;
  readonly ended: Promise<ExecutionResult>;
}

export interface ExecutionResult {
  readonly result: RunResult;
  readonly output: SettledOutput;
  readonly finishedAt: number;
  readonly durationMs: number;
  /** To be called when the result is stored: lets go of what the store has now. */
  letGo(): void;
}

/** How often a group that was told to end is looked at. */
const GROUP_POLL_MS = 25;

export function execute(job: Job, parts: ExecutorParts): Execution {
  const stop = Promise.withResolvers<EndReason>();
  return { job, end: stop.resolve, ended: run(job, parts, stop.promise) };
}

async function run(job: Job, parts: ExecutorParts, stop: Promise<EndReason>): Promise<ExecutionResult> {
  const startedAt = parts.clock.monotonic();
  const capture = new OutputCapture({
    base: outputBase(parts.storeFolder, job.seq, job.run_count),
    stdin: job.stdin,
    isKept: job.keep_output,
    limitBytes: parts.outputLimitBytes,
  });
  failpoint("before-spawn");
  const result = await started(job, parts, { capture, stop });
  const durationMs = Math.max(0, Math.round(parts.clock.monotonic() - startedAt));
  const output = await capture.settle();
  return { result, output, finishedAt: parts.clock.now(), durationMs, letGo: () => capture.letGo() };
}

async function started(
  job: Job,
  parts: ExecutorParts,
  { capture, stop }: { capture: OutputCapture; stop: Promise<EndReason> },
): Promise<RunResult> {
  const launch = prepareLaunch(job, capture.files, parts.launch());
  if ("kind" in launch) return launch;
  let child: Child;
  try {
    child = parts.spawner.spawn(launch);
  } catch (error) {
    const isMissing = error instanceof SpawnError && error.isMissing;
    return { kind: "not_started", code: isMissing ? 127 : 126, reason: messageOf(error) };
  }
  failpoint("after-spawn");
  capture.watch();
  parts.guardian.guard(child.pid);
  parts.lock.record(job.claim, child.pid, processStart(child.pid));
  try {
    return await watched(job, child, stop);
  } finally {
    parts.guardian.forget(child.pid);
  }
}

/** Waits for the first of: it ends, its time is up, somebody wants it ended. */
async function watched(job: Job, child: Child, stop: Promise<EndReason>): Promise<RunResult> {
  const { timeout_ms: timeoutMs } = job;
  const timer = new Timer();
  const first = await Promise.race([
    child.exited,
    stop,
    ...(timeoutMs === null ? [] : [timer.after(timeoutMs, "timed_out" as const)]),
  ]);
  timer.cancel();
  if (typeof first !== "string") return resultOf(first);
  const status = await endGroup(child, job.kill_grace_ms);
  const how = { code: status.code, signal: status.signal ?? undefined };
  return first === "timed_out" ? { kind: first, timeoutMs: timeoutMs ?? undefined, ...how } : { kind: first, ...how };
}

function resultOf({ code, signal }: ExitStatus): RunResult {
  return signal === null ? { kind: "exited", code } : { kind: "signalled", signal, code };
}

/** TERM to the group; after the grace, or when only its leader heeded it, KILL to what is left. */
async function endGroup(child: Child, graceMs: number): Promise<ExitStatus> {
  signalGroup(child.pid, "SIGTERM");
  // A stopped process cannot heed TERM.
  signalGroup(child.pid, "SIGCONT");
  const deadline = performance.now() + graceMs;
  while (groupExists(child.pid) && performance.now() < deadline) {
    await new Promise((wake) => setTimeout(wake, Math.min(GROUP_POLL_MS, graceMs)));
  }
  signalGroup(child.pid, "SIGKILL");
  return await child.exited;
}

/** Longest delay a timer takes; beyond it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A delay that can be called off. */
class Timer {
  #handle: number | undefined;

  after<T>(ms: number, value: T): Promise<T> {
    return new Promise((resolve) => {
      const arm = (left: number) => {
        this.#handle = setTimeout(
          () => left > MAX_TIMER_MS ? arm(left - MAX_TIMER_MS) : resolve(value),
          Math.min(left, MAX_TIMER_MS),
        );
      };
      arm(ms);
    });
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
