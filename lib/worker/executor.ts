/**
 * One claimed job -> how its run ended. Prepares, starts, watches, ends; what
 * the result means for the job is not its business, and it writes nothing to
 * the store.
 * @module
 */
import type { Job } from "../core/job.ts";
import type { Clock } from "../core/clock.ts";
import { StoreUnavailableError } from "../core/errors.ts";
import type { RunResult } from "../core/run_result.ts";
import { outputBase } from "../operations/output_files.ts";
import { checkOwnFolder } from "../host/own_folder.ts";
import type { LeftGroups } from "../host/left_groups.ts";
import { type CookieStore, endLeftovers, leftReason } from "../host/leftovers.ts";
import { isGroupRunning, killProcess, membersOf, signalGroup } from "../host/process_group.ts";
import { processStart } from "../host/process_identity.ts";
import type { WorkerLock } from "../host/worker_lock.ts";
import type { Child, ExitStatus, Spawner } from "./child_process.ts";
import { failpoint } from "./failpoints.ts";
import { type LaunchSettings, prepareLaunch } from "./launch.ts";
import { NO_OUTPUT, OutputCapture, type SettledOutput } from "./output_capture.ts";
import { SpawnError } from "./posix_spawn.ts";
import { redactionFor } from "./secrets.ts";
import type { SpareFiles } from "../host/spare_files.ts";

export interface ExecutorParts {
  readonly clock: Clock;
  readonly spawner: Spawner;
  readonly lock: WorkerLock;
  /** What runs of the past left running. */
  readonly left: LeftGroups;
  readonly spares: SpareFiles;
  readonly store: CookieStore;
  /** `<db>.d` */
  readonly storeFolder: string;
  readonly launch: () => LaunchSettings;
  readonly outputLimitBytes: () => number;
  /** Tokens of the runs that the job had before this one. */
  readonly earlierClaims: (job: Job) => Promise<readonly number[]>;
  /** The setting of that name. */
  readonly redact: () => string;
  /** The run of this job goes on, because these processes cannot be ended. Told once. */
  readonly onHeld: (job: Job, pids: readonly number[]) => void;
  /** Whether the worker is about to end: it then waits no longer for what cannot be ended. */
  readonly isStopping: () => boolean;
}

/** Why a running job is to be ended; the kind of result that this makes. */
export type EndReason = "cancelled" | "interrupted";

export interface Execution {
  readonly job: Job;
  /** Asks for the end of the run. The first reason counts. */
  end(reason: EndReason): void;
  /** Undefined: a process of the run cannot be ended, and the worker stops. The job is left to rescue, as it is. */
  readonly ended: Promise<ExecutionResult | undefined>;
}

export interface ExecutionResult {
  readonly result: RunResult;
  readonly output: SettledOutput;
  readonly finishedAt: number;
  readonly durationMs: number;
  /** To be called when the result is stored: lets go of what the store has now. */
  letGo(): void;
}

/** How often a group that was told to end is looked at: most end at once, and looking takes some milliseconds. */
const MIN_GROUP_POLL_MS = 10;
const MAX_GROUP_POLL_MS = 200;
/** KILL takes effect within milliseconds. What is still there after this hangs in the kernel or is another user's. */
const HELD_AFTER_MS = 1_000;
/** Between two questions to a store that does not answer. */
const STORE_PAUSE_MS = 500;
/** Between two looks at a run that is held: they read all of /proc. */
const HELD_POLL_MS = 500;

export function execute(job: Job, parts: ExecutorParts): Execution {
  const stop = Promise.withResolvers<EndReason>();
  return { job, end: stop.resolve, ended: run(job, parts, stop.promise) };
}

/** Never fails: what goes wrong is a result, too. */
async function run(job: Job, parts: ExecutorParts, stop: Promise<EndReason>): Promise<ExecutionResult | undefined> {
  const startedAt = parts.clock.monotonic();
  const capture = prepareOutput(job, parts);
  if ("kind" in capture) return { ...neverStarted(parts.clock.now()), result: capture };
  failpoint("before-spawn");
  const result = await started(job, parts, { capture, stop });
  if (result === undefined) {
    capture.abandon();
    return undefined;
  }
  const durationMs = Math.max(0, Math.round(parts.clock.monotonic() - startedAt));
  const output = await capture.settle();
  return { result, output, finishedAt: parts.clock.now(), durationMs, letGo: () => capture.letGo() };
}

/** The end of a run that was given back before anything of it was started. */
export function neverStarted(now: number): ExecutionResult {
  return { result: { kind: "interrupted" }, output: NO_OUTPUT, finishedAt: now, durationMs: 0, letGo() {} };
}

/** @returns where its output goes, or why it cannot be started. */
function prepareOutput(job: Job, parts: ExecutorParts): OutputCapture | RunResult {
  const redaction = redactionFor(job, parts.redact());
  if ("kind" in redaction) return redaction;
  try {
    makeFolderAgain(`${parts.storeFolder}/logs`);
    return new OutputCapture({
      base: outputBase(parts.storeFolder, job.seq, job.run_count),
      stdin: job.stdin,
      isKept: job.keep_output,
      limitBytes: parts.outputLimitBytes,
      redaction,
      spares: parts.spares,
    });
  } catch (error) {
    const why = messageOf(error);
    if (EXHAUSTED.test(why)) return exhausted(why);
    return { kind: "not_started", code: 126, reason: `its input or output cannot be written: ${why}` };
  }
}

/** Somebody made room on the disk, by hand. Not where all of the queue is gone: nothing is to be left in its place. */
function makeFolderAgain(path: string): void {
  try {
    return checkOwnFolder(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another worker was quicker.
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

async function started(
  job: Job,
  parts: ExecutorParts,
  { capture, stop }: { capture: OutputCapture; stop: Promise<EndReason> },
): Promise<RunResult | undefined> {
  if (job.run_count > 1) {
    const obstacle = await endEarlierRuns(job, parts, stop);
    if (obstacle !== undefined) return obstacle;
  }
  const launch = prepareLaunch(job, capture.files, parts.launch());
  if ("kind" in launch) return launch;
  let child: Child;
  try {
    child = await parts.spawner.spawn(launch);
  } catch (error) {
    return notStarted(error, capture);
  }
  failpoint("after-spawn");
  capture.watch(parts.spawner.opensFirst);
  record(job, child, parts);
  const result = await watched(job, child, { parts, stop });
  // What is left to rescue stays recorded.
  if (result !== undefined) forget(child, parts);
  return result;
}

/** Words of the runtime, whose errors carry no number: EAGAIN, ENOMEM, ENFILE and EMFILE. */
const EXHAUSTED = /\(os error (?:11|12|23|24)\)/;

/** The host has nothing left to run it with; the job is not to blame, and another time or host will do. */
function exhausted(why: string): RunResult {
  return { kind: "interrupted", reason: `${EXHAUSTED_WORDS}: ${why}` };
}

const EXHAUSTED_WORDS = "not started because the host is exhausted";

/** The error of the system does not tell whether it is about the program or about the output, which is opened before. */
function notStarted(error: unknown, capture: OutputCapture): RunResult {
  if (!(error instanceof SpawnError)) {
    const reason = messageOf(error);
    return EXHAUSTED.test(reason) ? exhausted(reason) : { kind: "not_started", code: 126, reason };
  }
  if (error.isExhausted) return exhausted(error.why);
  if (!capture.isMade()) {
    return { kind: "not_started", code: 126, reason: `its output cannot be written: ${error.why}` };
  }
  return { kind: "not_started", code: error.isMissing ? 127 : 126, reason: error.message };
}

/** A job never has two runs at once: what an earlier one left running, detached or not, has to be gone. */
async function endEarlierRuns(
  job: Job,
  parts: ExecutorParts,
  stop: Promise<EndReason>,
): Promise<RunResult | undefined> {
  let claims: readonly number[] | undefined;
  while (claims === undefined) {
    try {
      claims = await parts.earlierClaims(job);
    } catch (error) {
      // What is wrong with the job's own rows does not go away: the job would come back again and again.
      if (!(error instanceof StoreUnavailableError)) {
        return { kind: "not_started", code: 126, reason: `its earlier runs cannot be read: ${messageOf(error)}` };
      }
      // The store does not answer. The job keeps its claim until it does: given back, it would be claimed again at once.
      if (parts.isStopping()) return { kind: "interrupted" };
      const asked = await Promise.race([stop, new Promise<undefined>((wake) => setTimeout(wake, STORE_PAUSE_MS))]);
      if (asked !== undefined) return { kind: asked };
    }
  }
  const cookies = claims.map((claim) => ({ jobId: job.id, claim }));
  const left = await endLeftovers({ store: parts.store, cookies, groups: parts.left.of(job.seq) });
  if (left.length > 0) return { kind: "not_started", code: 126, reason: leftReason(left) };
  parts.left.forget(job.seq);
  return undefined;
}

function record(job: Job, child: Child, parts: ExecutorParts): void {
  try {
    parts.lock.record(job.claim, child.pid);
  } catch {
    // A full disk, say. Rescue then finds its processes by their cookie.
  }
}

function forget(child: Child, parts: ExecutorParts): void {
  try {
    parts.lock.forget(child.pid);
  } catch {
    // It was written when there was room, and nothing more is written here: the folder is gone.
  }
}

/** Waits for the first of: it ends, its time is up, somebody wants it ended. */
async function watched(
  job: Job,
  child: Child,
  { parts, stop }: { parts: ExecutorParts; stop: Promise<EndReason> },
): Promise<RunResult | undefined> {
  const { timeout_ms: timeoutMs } = job;
  const timer = new Timer();
  const first = await Promise.race([
    child.exited,
    stop,
    ...(timeoutMs === null ? [] : [timer.after(timeoutMs, "timed_out" as const)]),
  ]);
  timer.cancel();
  if (typeof first !== "string") {
    noteLeft(job, child, parts);
    return resultOf(first);
  }
  const status = await endGroup(job, child, parts);
  if (status === undefined) return undefined;
  const how = { code: status.code, signal: status.signal ?? undefined };
  return first === "timed_out" ? { kind: first, timeoutMs: timeoutMs ?? undefined, ...how } : { kind: first, ...how };
}

function resultOf({ code, signal }: ExitStatus): RunResult {
  return signal === null ? { kind: "exited", code } : { kind: "signalled", signal, code };
}

/** What a job leaves running when it ends by itself may go on. It has to be known when the job is to run again. */
function noteLeft(job: Job, { pid }: Child, { left }: ExecutorParts): void {
  if (!signalGroup(pid, 0 as unknown as Deno.Signal)) return;
  try {
    left.note(job.seq, job.claim, pid);
  } catch {
    // A full disk, say. They are found by their cookie.
  }
}

/**
 * TERM to the group; after the grace, or when only its leader heeded it, KILL to what is left. Returns when all of it is
 * gone, whatever its user; undefined when that is not to be waited for.
 */
async function endGroup(job: Job, child: Child, parts: ExecutorParts): Promise<ExitStatus | undefined> {
  const { kill_grace_ms: graceMs } = job;
  const leaderStart = processStart(child.pid);
  signalGroup(child.pid, "SIGTERM");
  // A stopped process cannot heed TERM.
  signalGroup(child.pid, "SIGCONT");
  const deadline = performance.now() + graceMs;
  let pauseMs = MIN_GROUP_POLL_MS;
  while (isGroupRunning(child.pid) && performance.now() < deadline) {
    await new Promise((wake) => setTimeout(wake, Math.min(pauseMs, graceMs)));
    pauseMs = Math.min(2 * pauseMs, MAX_GROUP_POLL_MS);
  }
  signalGroup(child.pid, "SIGKILL");
  return await untilGone(job, child, { parts, leaderStart }) ? await child.exited : undefined;
}

/** False when the worker stops and something cannot be ended. */
async function untilGone(
  job: Job,
  { pid }: Child,
  { parts, leaderStart }: { parts: ExecutorParts; leaderStart: string },
): Promise<boolean> {
  const began = performance.now();
  let isHeld = false;
  let pauseMs = MIN_GROUP_POLL_MS;
  while (true) {
    const left = membersOf([pid]).get(pid) ?? [];
    // The number is given to another process only when nothing of the group is left.
    const isReused = left.some((member) => member.pid === pid && leaderStart !== "" && member.start !== leaderStart);
    if (left.length === 0 || isReused) return true;
    // Those of its session that left its group, too, and those that it started meanwhile.
    for (const member of left) killProcess(member.pid);
    if (performance.now() - began > HELD_AFTER_MS) {
      if (!isHeld) parts.onHeld(job, left.map((member) => member.pid));
      isHeld = true;
      if (parts.isStopping()) return false;
    }
    await new Promise((wake) => setTimeout(wake, pauseMs));
    pauseMs = Math.min(2 * pauseMs, isHeld ? HELD_POLL_MS : MAX_GROUP_POLL_MS);
  }
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
