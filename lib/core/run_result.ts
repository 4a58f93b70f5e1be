/**
 * How one execution of a command ended, as a value.
 *
 * A `RunResult` says what happened to the process. What that means for the job
 * (success, retry, dead) is decided by `exit_rules.ts` and `after_run.ts`.
 * @module
 */
import { formatDuration } from "./duration.ts";

/** What is known of a process that we ended ourselves. */
interface EndedByUs {
  readonly code?: number | undefined;
  readonly signal?: string | undefined;
}

export type RunResult =
  /** It ended by itself. */
  | { readonly kind: "exited"; readonly code: number }
  /** A signal ended it that we did not send; `code` is 128 + its number, as shells report it. */
  | { readonly kind: "signalled"; readonly signal: string; readonly code: number }
  /** It ran longer than its timeout and was ended. */
  | ({ readonly kind: "timed_out"; readonly timeoutMs?: number | undefined } & EndedByUs)
  /** It could not be started: 127 not found, 126 everything else, as shells do. */
  | { readonly kind: "not_started"; readonly code: 126 | 127; readonly reason: string }
  /** It was ended because someone asked to cancel the job. */
  | ({ readonly kind: "cancelled" } & EndedByUs)
  /** It was ended because its worker was told to stop, or never begun, for a reason that is the host's. */
  | ({ readonly kind: "interrupted"; readonly reason?: string | undefined } & EndedByUs)
  /** Its worker died; nobody saw how it ended. */
  | { readonly kind: "lost"; readonly reason?: string | undefined };

/** The names under which runs are recorded. */
export const RUN_OUTCOMES = [
  "succeeded",
  "failed",
  "timed_out",
  "killed",
  "cancelled",
  "interrupted",
  "lost",
  /** It ended after its claim had been taken away, so that its result did not count. */
  "late",
  "snoozed",
  "not_started",
] as const;

export type RunOutcome = typeof RUN_OUTCOMES[number];

/** What `timeout(1)` exits with. */
const TIMED_OUT_CODE = 124;
/** What `timeout(1)`, `env(1)` and `docker run` exit with when the failure is their own. */
const OWN_FAILURE_CODE = 125;

/**
 * The one number that stands for a result: what `queuectl run` exits with when
 * the job does not complete, and what exit rules are matched against.
 */
export function shellExitCode(result: RunResult): number {
  switch (result.kind) {
    case "exited":
    case "signalled":
    case "not_started":
      return result.code;
    case "timed_out":
      return TIMED_OUT_CODE;
    case "cancelled":
    case "interrupted":
    case "lost":
      return OWN_FAILURE_CODE;
  }
}

/** The exit code that was really seen, for the run's record; null when there was none. */
export function exitCodeOf(result: RunResult): number | null {
  return result.kind === "lost" ? null : result.code ?? null;
}

/** The signal that ended the process, for the run's record; null when there was none. */
export function signalOf(result: RunResult): string | null {
  return "signal" in result ? result.signal ?? null : null;
}

/** The result in words, without a final period: `exited with code 7`, `killed by SIGKILL`, `timed out after 5s`. */
export function describeResult(result: RunResult): string {
  switch (result.kind) {
    case "exited":
      return `exited with code ${result.code}`;
    case "signalled":
      return `killed by ${result.signal}`;
    case "timed_out":
      return result.timeoutMs === undefined ? "timed out" : `timed out after ${formatDuration(result.timeoutMs)}`;
    case "not_started":
      return `could not be started: ${result.reason}`;
    case "cancelled":
      return "cancelled while running";
    case "interrupted":
      return result.reason ?? "interrupted because its worker stopped";
    case "lost":
      return result.reason === undefined ? "its worker died" : `its worker died: ${result.reason}`;
  }
}

/** Linux on x86_64 and aarch64, in order of their numbers, from 1. */
const SIGNALS: readonly string[] =
  ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU " +
    "XFSZ VTALRM PROF WINCH IO PWR SYS").split(" ").map((name) => `SIG${name}`);

/** glibc keeps 32 and 33 for itself. */
const FIRST_REAL_TIME_SIGNAL = 34;
const LAST_SIGNAL = 64;

/** The number of a signal named `SIGTERM`, `TERM` or `SIGRTMIN+2`; undefined when there is no such signal. */
export function signalNumber(name: string): number | undefined {
  const upper = name.toUpperCase();
  const full = upper.startsWith("SIG") ? upper : `SIG${upper}`;
  const realTime = /^SIGRTMIN(?:\+(\d{1,2}))?$/.exec(full);
  if (realTime === null) return SIGNALS.indexOf(full) + 1 || undefined;
  const number = FIRST_REAL_TIME_SIGNAL + Number(realTime[1] ?? 0);
  return number <= LAST_SIGNAL ? number : undefined;
}

/** The name of a signal: `SIGTERM`, `SIGRTMIN+2`; `SIG99` for a number that no signal has. */
export function signalName(number: number): string {
  const name = SIGNALS[number - 1];
  if (name !== undefined) return name;
  if (number === FIRST_REAL_TIME_SIGNAL) return "SIGRTMIN";
  const isRealTime = number > FIRST_REAL_TIME_SIGNAL && number <= LAST_SIGNAL;
  return isRealTime ? `SIGRTMIN+${number - FIRST_REAL_TIME_SIGNAL}` : `SIG${number}`;
}
