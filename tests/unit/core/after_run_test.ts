import { assertEquals } from "@std/assert";
import { type AfterRun, afterRun, MAX_SNOOZES, type RunState } from "../../../lib/core/after_run.ts";
import { NO_EXIT_RULES } from "../../../lib/core/exit_rules.ts";
import { EVENTS, type JobEvent, STATES, transition } from "../../../lib/core/job_state.ts";
import type { RunResult } from "../../../lib/core/run_result.ts";

const NOW = Date.parse("2026-11-30T11:00:00Z");

const EVERY_RESULT: readonly RunResult[] = [
  { kind: "exited", code: 0 },
  { kind: "exited", code: 7 },
  { kind: "signalled", signal: "SIGKILL", code: 137 },
  { kind: "timed_out", timeoutMs: 5_000 },
  { kind: "not_started", code: 127, reason: "not found: nope" },
  { kind: "cancelled" },
  { kind: "interrupted" },
  { kind: "lost" },
];

function aState(changes: Partial<RunState> = {}): RunState {
  return {
    attempts: 1,
    maxRetries: 3,
    crashes: 0,
    snoozes: 0,
    backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
    exitRules: NO_EXIT_RULES,
    cancelRequested: false,
    maxCrashes: 3,
    ...changes,
  };
}

function after(result: RunResult, changes: Partial<RunState> = {}): AfterRun {
  return afterRun(result, aState(changes), { now: NOW, random: 0.5 });
}

function exited(code: number): RunResult {
  return { kind: "exited", code };
}

Deno.test("a successful run completes its job", () => {
  assertEquals(after(exited(0), { attempts: 2 }), {
    state: "completed",
    outcome: "succeeded",
    reason: "exited with code 0",
    runAt: null,
    attempts: 2,
    crashes: 0,
    snoozes: 0,
  });
});

Deno.test("a success that only ok_on makes one says so", () => {
  const result = after(exited(3), { exitRules: { ...NO_EXIT_RULES, ok_on: "0,3" } });

  assertEquals(result.state, "completed");
  assertEquals(result.reason, "exited with code 3, which counts as success");
});

Deno.test("a failed run with attempts left is retried after the delay of its attempt", () => {
  assertEquals(after(exited(7), { attempts: 2 }), {
    state: "failed",
    outcome: "failed",
    reason: "exited with code 7; retry 2 of 3 in 4s",
    runAt: NOW + 4_000,
    attempts: 2,
    crashes: 0,
    snoozes: 0,
  });
});

Deno.test("a failed run on the last attempt is dead", () => {
  assertEquals(after(exited(1), { attempts: 4 }), {
    state: "dead",
    outcome: "failed",
    reason: "exited with code 1 on the last of 4 attempts",
    runAt: null,
    attempts: 4,
    crashes: 0,
    snoozes: 0,
  });
});

Deno.test("a job without retries has one attempt", () => {
  const result = after(exited(1), { maxRetries: 0 });

  assertEquals(result.state, "dead");
  assertEquals(result.reason, "exited with code 1 on the only attempt");
});

Deno.test("a job that always fails runs R + 1 times and then is dead", () => {
  for (const maxRetries of [0, 1, 3, 10]) {
    let runs = 0;
    let job: Pick<AfterRun, "state" | "attempts"> = { state: "pending", attempts: 0 };
    while (job.state !== "dead") {
      runs++;
      job = after(exited(1), { attempts: job.attempts + 1, maxRetries });
    }

    assertEquals(runs, maxRetries + 1);
  }
});

Deno.test("a job whose retries were lowered below its attempts is dead at its next failure", () => {
  assertEquals(after(exited(1), { attempts: 5, maxRetries: 2 }).state, "dead");
});

Deno.test("every kind of failure has its own outcome and words", () => {
  const cases: [RunResult, string, string][] = [
    [exited(7), "failed", "exited with code 7; retry 1 of 3 in 2s"],
    [{ kind: "signalled", signal: "SIGSEGV", code: 139 }, "killed", "killed by SIGSEGV; retry 1 of 3 in 2s"],
    [{ kind: "timed_out", timeoutMs: 5_000 }, "timed_out", "timed out after 5s; retry 1 of 3 in 2s"],
    [
      { kind: "not_started", code: 127, reason: "not found: nope" },
      "not_started",
      "could not be started: not found: nope; retry 1 of 3 in 2s",
    ],
  ];
  for (const [result, outcome, reason] of cases) {
    const { state, outcome: actual, reason: sentence } = after(result);
    assertEquals([state, actual, sentence], ["failed", outcome, reason]);
  }
});

Deno.test("a fatal exit code is dead at once and says which rule made it so", () => {
  const byFailOn = after(exited(64), { exitRules: { ...NO_EXIT_RULES, fail_on: "64-78" } });
  assertEquals([byFailOn.state, byFailOn.outcome, byFailOn.attempts], ["dead", "failed", 1]);
  assertEquals(byFailOn.reason, "exited with code 64, which fail_on makes final");

  const byRetryOn = after(exited(2), { exitRules: { ...NO_EXIT_RULES, retry_on: "75" } });
  assertEquals(byRetryOn.state, "dead");
  assertEquals(byRetryOn.reason, "exited with code 2, which retry_on does not list");
});

Deno.test("a snoozed job is scheduled again and gets its attempt back", () => {
  assertEquals(after(exited(75), { attempts: 2, exitRules: { ...NO_EXIT_RULES, snooze_on: "75:10m" } }), {
    state: "scheduled",
    outcome: "snoozed",
    reason: "exited with code 75; snoozed for 10m (1 of 100)",
    runAt: NOW + 600_000,
    attempts: 1,
    crashes: 0,
    snoozes: 1,
  });
});

Deno.test("the 100th snooze is granted, the 101st is a failure", () => {
  const exitRules = { ...NO_EXIT_RULES, snooze_on: "75:10m" };

  const last = after(exited(75), { snoozes: MAX_SNOOZES - 1, exitRules });
  assertEquals([last.state, last.snoozes], ["scheduled", 100]);

  const refused = after(exited(75), { snoozes: MAX_SNOOZES, exitRules });
  assertEquals([refused.state, refused.outcome, refused.attempts, refused.snoozes], ["failed", "failed", 1, 100]);
});

Deno.test("a snooze that is no longer granted is judged by the rules that follow it", () => {
  const exitRules = { ...NO_EXIT_RULES, snooze_on: "75:10m", retry_on: "1" };

  assertEquals(after(exited(75), { snoozes: MAX_SNOOZES, exitRules }).state, "dead");
});

Deno.test("a released job is pending at once, with its attempt given back and its crashes as they were", () => {
  assertEquals(after({ kind: "interrupted", signal: "SIGTERM" }, { attempts: 4, crashes: 2, snoozes: 5 }), {
    state: "pending",
    outcome: "interrupted",
    reason: "interrupted because its worker stopped; runs again",
    runAt: null,
    attempts: 3,
    crashes: 2,
    snoozes: 5,
  });
});

Deno.test("a lost job is pending at once, with its attempt given back and one crash more", () => {
  assertEquals(after({ kind: "lost" }, { attempts: 4, snoozes: 5 }), {
    state: "pending",
    outcome: "lost",
    reason: "worker died while running it (crash 1 of 3)",
    runAt: null,
    attempts: 3,
    crashes: 1,
    snoozes: 5,
  });
});

Deno.test("a job that takes its worker down max_crashes times in a row is dead and says why", () => {
  assertEquals(after({ kind: "lost" }, { crashes: 2 }), {
    state: "dead",
    outcome: "lost",
    reason: "worker died 3 times while running it (max_crashes 3)",
    runAt: null,
    attempts: 0,
    crashes: 3,
    snoozes: 0,
  });
  assertEquals(
    after({ kind: "lost", reason: "host rebooted" }, { maxCrashes: 1 }).reason,
    "worker died once while running it (max_crashes 1): host rebooted",
  );
});

Deno.test("crashes go to 0 whenever a run ends by itself", () => {
  const exitRules = { ...NO_EXIT_RULES, snooze_on: "75:10m", fail_on: "64" };
  const ends: RunResult[] = [...EVERY_RESULT.slice(0, 5), exited(75), exited(64)];

  for (const result of ends) assertEquals(after(result, { crashes: 2, exitRules }).crashes, 0, result.kind);
});

Deno.test("a given back attempt never makes the count negative", () => {
  for (const kind of ["lost", "interrupted"] as const) assertEquals(after({ kind }, { attempts: 0 }).attempts, 0);
});

Deno.test("a request to cancel outweighs every result", () => {
  for (const result of EVERY_RESULT) {
    const { state, outcome, runAt } = after(result, { cancelRequested: true });

    assertEquals([state, outcome, runAt], ["cancelled", result.kind === "lost" ? "lost" : "cancelled", null]);
  }
});

Deno.test("a run that was ended by a cancel cancels its job", () => {
  const result = after({ kind: "cancelled", signal: "SIGTERM" });

  assertEquals([result.state, result.outcome, result.reason], ["cancelled", "cancelled", "cancelled while running"]);
});

Deno.test("a cancelled job says how its run ended when the cancel did not end it", () => {
  const reasons = EVERY_RESULT.map((result) => after(result, { cancelRequested: true }).reason);

  assertEquals(reasons, [
    "cancelled while running; it exited with code 0",
    "cancelled while running; it exited with code 7",
    "cancelled while running; it was killed by SIGKILL",
    "cancelled while running; it timed out after 5s",
    "cancelled while running; it could not be started: not found: nope",
    "cancelled while running",
    "cancelled while running; it was interrupted because its worker stopped",
    "cancelled while running; it was lost with its worker",
  ]);
});

Deno.test("a job is due again exactly when it is failed or scheduled", () => {
  const exitRules = { ...NO_EXIT_RULES, snooze_on: "7:1m" };
  for (const result of EVERY_RESULT) {
    for (const changes of [{}, { attempts: 4 }, { exitRules }, { crashes: 2 }, { cancelRequested: true }]) {
      const { state, runAt } = after(result, changes);
      assertEquals(runAt !== null, state === "failed" || state === "scheduled", `${result.kind} ${state}`);
    }
  }
});

Deno.test("every decision is a transition that a processing job may make", () => {
  const exitRules = { ...NO_EXIT_RULES, snooze_on: "7:1m" };
  const seen = new Set<string>();
  for (const result of EVERY_RESULT) {
    for (const changes of [{}, { attempts: 4 }, { exitRules }, { crashes: 2 }, { cancelRequested: true }]) {
      const { state } = after(result, changes);
      assertEquals(EVENTS.some((event) => leads(event, state)), true, `${result.kind} ${state}`);
      seen.add(state);
    }
  }

  assertEquals(STATES.filter((state) => !seen.has(state)), ["blocked", "processing"]);
});

function leads(event: JobEvent, to: AfterRun["state"]): boolean {
  try {
    return transition("processing", event, to) === to;
  } catch {
    // Not this event; another one may lead there.
    return false;
  }
}

Deno.test("jitter moves the retry by the random number that is handed in", () => {
  const state = aState({ backoff: { strategy: "fixed", base: 2, delay: 10, max: 100, jitter: 0.5 } });
  const runAt = (random: number) => afterRun(exited(1), state, { now: NOW, random }).runAt;

  assertEquals([runAt(0), runAt(0.5), runAt(1)], [NOW + 5_000, NOW + 10_000, NOW + 15_000]);
});
