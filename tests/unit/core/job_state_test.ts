import { assertEquals, assertInstanceOf, assertStringIncludes, assertThrows } from "@std/assert";
import { ConflictError } from "../../../lib/core/errors.ts";
import {
  allowedTargets,
  canHappen,
  EVENTS,
  FINAL_STATES,
  INITIAL_STATES,
  InvalidTransitionError,
  isFinal,
  isJobState,
  type JobEvent,
  type JobState,
  STATES,
  transition,
} from "../../../lib/core/job_state.ts";

/**
 * The table once more, written from the other side: for each state the events
 * that may happen to it, and where they lead; what is not listed cannot happen.
 * Kept apart from the program's table on purpose: a change of the rules has to
 * be made twice.
 */
const EXPECTED: Readonly<Record<JobState, Partial<Record<JobEvent, string>>>> = {
  scheduled: {
    due: "pending",
    cancel: "cancelled",
    expire: "cancelled",
    replace: "cancelled",
    reschedule: "scheduled pending",
    retry: "pending",
  },
  blocked: {
    parents_satisfied: "pending scheduled",
    parent_failed: "cancelled",
    cancel: "cancelled",
    expire: "cancelled",
    replace: "cancelled",
  },
  pending: {
    claim: "processing",
    cancel: "cancelled",
    expire: "cancelled",
    replace: "cancelled",
    reschedule: "scheduled pending",
  },
  processing: {
    succeed: "completed",
    fail: "failed",
    snooze: "scheduled",
    exhaust: "dead",
    release: "pending",
    rescue: "pending dead cancelled",
    cancel: "cancelled",
  },
  completed: { retry: "pending blocked" },
  failed: {
    due: "pending",
    cancel: "cancelled",
    expire: "cancelled",
    replace: "cancelled",
    retry: "pending",
  },
  dead: { retry: "pending blocked" },
  cancelled: { retry: "pending blocked" },
};

function expectedTargets(state: JobState, event: JobEvent): string[] {
  return EXPECTED[state][event]?.split(" ") ?? [];
}

const EVERY_PAIR = STATES.flatMap((state) => EVENTS.map((event) => ({ state, event })));

Deno.test("the table has 8 states and 15 events, the same as this test", () => {
  const events = new Set(Object.values(EXPECTED).flatMap((row) => Object.keys(row)));

  assertEquals([...STATES], Object.keys(EXPECTED));
  assertEquals([...EVENTS].sort(), [...events].sort());
  assertEquals(EVERY_PAIR.length, 8 * 15);
});

for (const { state, event } of EVERY_PAIR) {
  const targets = expectedTargets(state, event);
  const fate = targets.length === 0 ? "cannot happen to" : "happens to";

  Deno.test(`${event} ${fate} a ${state} job${targets.length === 0 ? "" : `, which becomes ${targets.join(" or ")}`}`, () => {
    assertEquals([...allowedTargets(state, event)], targets);
    assertEquals(canHappen(state, event), targets.length > 0);
    for (const to of STATES) {
      if (targets.includes(to)) assertEquals(transition(state, event, to), to);
      else assertThrows(() => transition(state, event, to), InvalidTransitionError);
    }
    if (targets.length === 0) assertThrows(() => transition(state, event), InvalidTransitionError);
    else assertEquals(transition(state, event), targets[0]);
  });
}

Deno.test("only completed, dead and cancelled are final", () => {
  assertEquals(STATES.filter(isFinal), ["completed", "dead", "cancelled"]);
  assertEquals([...FINAL_STATES], ["completed", "dead", "cancelled"]);
});

Deno.test("nothing but a person's retry changes a final job", () => {
  for (const state of FINAL_STATES) {
    assertEquals(EVENTS.filter((event) => canHappen(state, event)), ["retry"], state);
  }
});

Deno.test("every state can be reached, and from every state that is not final a final one can be", () => {
  const reached = reachable(INITIAL_STATES);
  assertEquals(STATES.filter((state) => !reached.has(state)), []);

  for (const state of STATES.filter((state) => !isFinal(state))) {
    assertEquals([...reachable([state])].some(isFinal), true, state);
  }
});

function reachable(from: readonly JobState[]): Set<JobState> {
  const found = new Set(from);
  for (const state of found) {
    for (const event of EVENTS) allowedTargets(state, event).forEach((to) => found.add(to));
  }
  return found;
}

Deno.test("a refused event is a conflict that says what the job is", () => {
  const cases: [JobState, JobEvent, string][] = [
    ["completed", "cancel", "Cannot cancel job: already completed"],
    ["cancelled", "cancel", "Cannot cancel job: already cancelled"],
    ["processing", "retry", "Cannot retry job: still processing"],
    ["pending", "retry", "Cannot retry job: already pending"],
    ["blocked", "claim", "Cannot claim job: still blocked"],
    ["processing", "replace", "Cannot replace job: still processing"],
    ["dead", "reschedule", "Cannot reschedule job: already dead"],
  ];
  for (const [state, event, message] of cases) {
    const error = assertThrows(() => transition(state, event), InvalidTransitionError);

    assertEquals(error.message, message);
    assertInstanceOf(error, ConflictError);
    assertEquals(error.exitCode, 4);
    assertEquals([error.state, error.event], [state, event]);
  }
});

Deno.test("a refused event names the job, and how to look at it, when it is known", () => {
  const error = assertThrows(() => transition("completed", "cancel", undefined, "k3v7"), InvalidTransitionError);

  assertEquals(error.message, 'Cannot cancel job "k3v7": already completed');
  assertEquals(error.hint, "queuectl show k3v7");
});

Deno.test("an event that may happen but not lead there says so", () => {
  const error = assertThrows(() => transition("dead", "retry", "completed"), InvalidTransitionError);

  assertStringIncludes(error.message, "dead cannot become completed");
});

Deno.test("isJobState() knows the states and nothing else", () => {
  assertEquals(STATES.every(isJobState), true);
  for (const other of ["", "Pending", "running", null, 3]) assertEquals(isJobState(other), false);
});
