/**
 * What becomes of a job when a run of it ends: its next state, its counters,
 * its next time, and the sentence that says why.
 *
 * The counting, in one place:
 * - `attempts` was raised when the run was claimed. It is given back when the
 *   job is not to blame: released, lost or snoozed.
 * - `crashes` counts lost runs in a row. Any run whose end its worker lived to
 *   see sets it to 0; a release neither raises nor clears it.
 * - `snoozes` counts snoozes over the job's life; beyond the limit a snooze is
 *   a failure like any other.
 * - A request to cancel outweighs every result.
 * @module
 */
import { formatDuration } from "./duration.ts";
import { type ExitRules, type Verdict, verdict } from "./exit_rules.ts";
import type { JobState } from "./job_state.ts";
import { attemptsAllowed, type Backoff, retryDelayMs } from "./retry_policy.ts";
import { describeResult, type RunOutcome, type RunResult } from "./run_result.ts";

/** A job that is put off this often waits for something that does not come. */
export const MAX_SNOOZES = 100;

/** What the rules need to know of the job whose run ended. */
export interface RunState {
  /** With this run counted. */
  readonly attempts: number;
  readonly maxRetries: number;
  readonly crashes: number;
  readonly snoozes: number;
  readonly backoff: Backoff;
  readonly exitRules: ExitRules;
  readonly cancelRequested: boolean;
  readonly maxCrashes: number;
}

/** What is to be stored. */
export interface AfterRun {
  readonly state: JobState;
  /** Of the run, not of the job. */
  readonly outcome: RunOutcome;
  /** One sentence on why the job is in this state. */
  readonly reason: string;
  /** When it is due again, for `failed` and `scheduled`; null in every other state. */
  readonly runAt: number | null;
  readonly attempts: number;
  readonly crashes: number;
  readonly snoozes: number;
}

/** Decides what becomes of a job whose run ended at `at.now`; `at.random` (0 to 1) places the retry within the jitter. */
export function afterRun(result: RunResult, state: RunState, at: { now: number; random: number }): AfterRun {
  const counted = countersAfter(result, state);
  if (state.cancelRequested || result.kind === "cancelled") return cancelled(result, counted);
  if (result.kind === "interrupted") return released(result, counted);
  if (result.kind === "lost") return lost(result, counted, state.maxCrashes);

  const decision = judged(result, state);
  switch (decision.kind) {
    case "success":
      return succeeded(result, counted);
    case "snooze":
      return snoozed(result, counted, at.now, decision.delayMs);
    case "fatal":
      return dead(result, counted, `${describeResult(result)}, ${FATAL_BECAUSE[decision.rule]}`);
    case "retry":
      return failed(result, counted, state, at);
  }
}

type Counters = Pick<AfterRun, "attempts" | "crashes" | "snoozes">;

function countersAfter(result: RunResult, { attempts, crashes, snoozes }: RunState): Counters {
  switch (result.kind) {
    case "interrupted":
      return { attempts: givenBack(attempts), crashes, snoozes };
    case "lost":
      return { attempts: givenBack(attempts), crashes: crashes + 1, snoozes };
    default:
      return { attempts, crashes: 0, snoozes };
  }
}

function givenBack(attempts: number): number {
  return Math.max(0, attempts - 1);
}

/** The verdict of the exit rules, without `snooze_on` once the snoozes are used up. */
function judged(result: RunResult, state: RunState): Verdict {
  const decision = verdict(result, state.exitRules);
  if (decision.kind !== "snooze" || state.snoozes < MAX_SNOOZES) return decision;
  return verdict(result, { ...state.exitRules, snooze_on: null });
}

const FATAL_BECAUSE = {
  fail_on: "which fail_on makes final",
  retry_on: "which retry_on does not list",
} as const;

function cancelled(result: RunResult, counters: Counters): AfterRun {
  const wasEndedForIt = result.kind === "cancelled";
  return {
    ...counters,
    state: "cancelled",
    // Nobody saw a lost run end, so its record must not claim that the cancel ended it.
    outcome: result.kind === "lost" ? "lost" : "cancelled",
    reason: wasEndedForIt ? describeResult(result) : `cancelled while running; it ${pastTense(result)}`,
    runAt: null,
  };
}

function pastTense(result: RunResult): string {
  switch (result.kind) {
    case "exited":
    case "timed_out":
    case "not_started":
      return describeResult(result);
    case "lost":
      return "was lost with its worker";
    default:
      return `was ${describeResult(result)}`;
  }
}

function released(result: RunResult & { kind: "interrupted" }, counters: Counters): AfterRun {
  return {
    ...counters,
    state: "pending",
    outcome: "interrupted",
    reason: `${describeResult(result)}; runs again`,
    runAt: null,
  };
}

function lost(result: RunResult & { kind: "lost" }, counters: Counters, maxCrashes: number): AfterRun {
  const { crashes } = counters;
  const isDead = crashes >= maxCrashes;
  const times = crashes === 1 ? "once" : `${crashes} times`;
  const detail = result.reason === undefined ? "" : `: ${result.reason}`;
  return {
    ...counters,
    state: isDead ? "dead" : "pending",
    outcome: "lost",
    reason: isDead
      ? `worker died ${times} while running it (max_crashes ${maxCrashes})${detail}`
      : `worker died while running it (crash ${crashes} of ${maxCrashes})${detail}`,
    runAt: null,
  };
}

function succeeded(result: RunResult, counters: Counters): AfterRun {
  const isPlain = result.kind === "exited" && result.code === 0;
  return {
    ...counters,
    state: "completed",
    outcome: "succeeded",
    reason: `${describeResult(result)}${isPlain ? "" : ", which counts as success"}`,
    runAt: null,
  };
}

function snoozed(result: RunResult, counters: Counters, now: number, delayMs: number): AfterRun {
  const snoozes = counters.snoozes + 1;
  return {
    ...counters,
    attempts: givenBack(counters.attempts),
    snoozes,
    state: "scheduled",
    outcome: "snoozed",
    reason: `${describeResult(result)}; snoozed for ${formatDuration(delayMs)} (${snoozes} of ${MAX_SNOOZES})`,
    runAt: now + delayMs,
  };
}

function failed(result: RunResult, counters: Counters, state: RunState, at: { now: number; random: number }): AfterRun {
  const { attempts } = counters;
  const allowed = attemptsAllowed(state.maxRetries);
  if (attempts >= allowed) {
    const which = allowed === 1 ? "only attempt" : `last of ${allowed} attempts`;
    // What kept it from starting is a sentence of its own.
    const comma = result.kind === "not_started" ? "," : "";
    return dead(result, counters, `${describeResult(result)}${comma} on the ${which}`);
  }
  const delayMs = retryDelayMs(state.backoff, attempts, at.random);
  return {
    ...counters,
    state: "failed",
    outcome: failureOutcome(result),
    reason: `${describeResult(result)}; retry ${attempts} of ${state.maxRetries} in ${formatDuration(delayMs)}`,
    runAt: at.now + delayMs,
  };
}

function dead(result: RunResult, counters: Counters, reason: string): AfterRun {
  return { ...counters, state: "dead", outcome: failureOutcome(result), reason, runAt: null };
}

function failureOutcome(result: RunResult): RunOutcome {
  switch (result.kind) {
    case "exited":
      return "failed";
    case "signalled":
      return "killed";
    default:
      return result.kind;
  }
}
