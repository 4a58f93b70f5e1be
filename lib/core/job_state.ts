/**
 * The life of a job, as data: which event leads from which state to which.
 *
 * Every change of state in the program goes through this table; SQL repeats it
 * only as guards. The rules that choose between several targets live with
 * whoever raises the event (`after_run.ts` for the end of a run).
 * @module
 */
import { ConflictError, quoted } from "./errors.ts";

/** In the order in which a job may see them. */
export const STATES = [
  /** Waits for its time, `run_at`. */
  "scheduled",
  /** Waits for other jobs. */
  "blocked",
  /** Can run now. */
  "pending",
  /** Is being run by a worker. */
  "processing",
  "completed",
  /** Its last run failed; it is retried at `run_at`. */
  "failed",
  /** Failed for good: it is in the dead letter queue. */
  "dead",
  "cancelled",
] as const;

export type JobState = typeof STATES[number];

/** A job in one of these stays there until a person retries it. */
export const FINAL_STATES = ["completed", "dead", "cancelled"] as const satisfies readonly JobState[];

/** Where a new job begins: `run_at` in the future, parents unfinished, else pending. */
export const INITIAL_STATES = ["scheduled", "blocked", "pending"] as const satisfies readonly JobState[];

type Targets = Readonly<Partial<Record<JobState, readonly JobState[]>>>;

const CANCEL_WAITING: Targets = {
  scheduled: ["cancelled"],
  blocked: ["cancelled"],
  pending: ["cancelled"],
  failed: ["cancelled"],
};

/**
 * THE table: event, state it may happen in, states it may lead to. Where there
 * are several, the first is the usual one.
 */
export const TRANSITIONS = {
  /** `run_at` was reached. */
  due: { scheduled: ["pending"], failed: ["pending"] },
  /** The last parent it waited for is satisfied; it may still have to wait for its time. */
  parents_satisfied: { blocked: ["pending", "scheduled"] },
  /** A parent ended dead or cancelled. */
  parent_failed: { blocked: ["cancelled"] },
  /** A worker takes it. */
  claim: { pending: ["processing"] },
  /** Its exit code counts as success. */
  succeed: { processing: ["completed"] },
  /** The run failed and attempts remain. */
  fail: { processing: ["failed"] },
  /** The exit code asks for another try later. */
  snooze: { processing: ["scheduled"] },
  /** The run failed with attempts used up, or with a fatal exit code. */
  exhaust: { processing: ["dead"] },
  /** Its worker stops in an orderly way and gives it back. */
  release: { processing: ["pending"] },
  /** Its worker is gone: pending again, dead after too many crashes, cancelled when that had been asked for. */
  rescue: { processing: ["pending", "dead", "cancelled"] },
  /** Someone asked for it. */
  cancel: { ...CANCEL_WAITING, processing: ["cancelled"] },
  /** `expires_at` was reached before it ran. */
  expire: CANCEL_WAITING,
  /** A new job with the same key takes its place. */
  replace: CANCEL_WAITING,
  /** `edit --run-at` gave it another time, in the future or not. */
  reschedule: { scheduled: ["scheduled", "pending"], pending: ["scheduled", "pending"] },
  /** A person wants it to run, now or again; a finished one waits for parents that are unfinished. */
  retry: {
    scheduled: ["pending"],
    failed: ["pending"],
    completed: ["pending", "blocked"],
    dead: ["pending", "blocked"],
    cancelled: ["pending", "blocked"],
  },
} as const satisfies Readonly<Record<string, Targets>>;

export type JobEvent = keyof typeof TRANSITIONS;

export const EVENTS: readonly JobEvent[] = Object.keys(TRANSITIONS) as JobEvent[];

/** Completes "Cannot ... job". */
const VERBS: Readonly<Record<JobEvent, string>> = {
  due: "promote",
  parents_satisfied: "unblock",
  parent_failed: "cancel",
  claim: "claim",
  succeed: "complete",
  fail: "fail",
  snooze: "snooze",
  exhaust: "bury",
  release: "release",
  rescue: "rescue",
  cancel: "cancel",
  expire: "expire",
  replace: "replace",
  reschedule: "reschedule",
  retry: "retry",
};

/** An event does not fit the present state of the job: `Cannot cancel job "k3v9": already completed`. */
export class InvalidTransitionError extends ConflictError {
  constructor(
    readonly state: JobState,
    readonly event: JobEvent,
    options: { id?: string | undefined; to?: JobState | undefined } = {},
  ) {
    const { id, to } = options;
    super(
      `Cannot ${VERBS[event]} job${id === undefined ? "" : ` ${quoted(id)}`}: ${whyNot(state, event, to)}`,
      { hint: id === undefined ? undefined : `queuectl show ${id}` },
    );
  }
}

function whyNot(state: JobState, event: JobEvent, to: JobState | undefined): string {
  if (to !== undefined && canHappen(state, event)) return `${state} cannot become ${to}`;
  return `${isFinal(state) || leadsTo(event, state) ? "already" : "still"} ${state}`;
}

function leadsTo(event: JobEvent, state: JobState): boolean {
  const targets: Targets = TRANSITIONS[event];
  return Object.values(targets).some((states) => states.includes(state));
}

/** Whether a text names a state. */
export function isJobState(text: unknown): text is JobState {
  return (STATES as readonly unknown[]).includes(text);
}

/** Whether a job in this state is done: nothing but a person's `retry` changes it. */
export function isFinal(state: JobState): boolean {
  return (FINAL_STATES as readonly JobState[]).includes(state);
}

/** The states that `event` may lead to from `state`, the usual one first; empty when it cannot happen there. */
export function allowedTargets(state: JobState, event: JobEvent): readonly JobState[] {
  const targets: Targets = TRANSITIONS[event];
  return targets[state] ?? [];
}

/** Whether `event` may happen to a job in `state`. */
export function canHappen(state: JobState, event: JobEvent): boolean {
  return allowedTargets(state, event).length > 0;
}

/**
 * The state after `event`: `to` where the event allows it, the usual target
 * when `to` is left out. `id` is for the message only.
 * @throws {InvalidTransitionError} when the event cannot happen in `state`, or does not lead to `to`.
 */
export function transition(state: JobState, event: JobEvent, to?: JobState, id?: string): JobState {
  const targets = allowedTargets(state, event);
  const target = to ?? targets[0];
  if (target === undefined || !targets.includes(target)) throw new InvalidTransitionError(state, event, { id, to });
  return target;
}
