import { assertEquals, assertThrows } from "@std/assert";
import { jobExitCode, type LastRun } from "../../../lib/core/job_end.ts";
import { type JobState, STATES } from "../../../lib/core/job_state.ts";
import { RUN_OUTCOMES, type RunOutcome } from "../../../lib/core/run_result.ts";

function aRun(outcome: RunOutcome | null, exit_code: number | null = null, signal: string | null = null): LastRun {
  return { outcome, exit_code, signal };
}

function codeOf(state: JobState, run?: LastRun): number {
  return jobExitCode({ id: "j", state }, run);
}

Deno.test("a completed job is 0, whatever code counted as success", () => {
  assertEquals(codeOf("completed", aRun("succeeded", 0)), 0);
  assertEquals(codeOf("completed", aRun("succeeded", 3)), 0);
});

Deno.test("a cancelled job is 125, whatever its last run did", () => {
  assertEquals(codeOf("cancelled"), 125);
  assertEquals(codeOf("cancelled", aRun("cancelled", 143, "SIGTERM")), 125);
  assertEquals(codeOf("cancelled", aRun("failed", 7)), 125);
});

Deno.test("a dead job is the exit code of its last run", () => {
  assertEquals(codeOf("dead", aRun("failed", 7)), 7);
  assertEquals(codeOf("dead", aRun("failed", 255)), 255);
});

Deno.test("a dead job whose code 0 was a failure is 1, never 0", () => {
  assertEquals(codeOf("dead", aRun("failed", 0)), 1);
});

Deno.test("a dead job that timed out is 124, however its process ended", () => {
  assertEquals(codeOf("dead", aRun("timed_out", 143, "SIGTERM")), 124);
  assertEquals(codeOf("dead", aRun("timed_out", 0)), 124);
});

Deno.test("a dead job killed by signal N is 128+N", () => {
  assertEquals(codeOf("dead", aRun("killed", 137, "SIGKILL")), 137);
  assertEquals(codeOf("dead", aRun("killed", null, "SIGSEGV")), 139);
});

Deno.test("a dead job that could not be started is 126 or 127, as shells do", () => {
  assertEquals(codeOf("dead", aRun("not_started", 127)), 127);
  assertEquals(codeOf("dead", aRun("not_started", 126)), 126);
});

Deno.test("a dead job that was lost with its workers is 125", () => {
  assertEquals(codeOf("dead", aRun("lost")), 125);
  assertEquals(codeOf("dead", aRun("late", 0)), 125);
  assertEquals(codeOf("dead"), 125);
});

Deno.test("a job that did not complete is never 0, whatever its last run was", () => {
  for (const state of ["dead", "cancelled"] as const) {
    for (const outcome of [...RUN_OUTCOMES, null]) {
      for (const code of [0, 1, null]) {
        assertEquals(codeOf(state, aRun(outcome, code)) === 0, false, `${state} ${outcome} ${code}`);
      }
    }
  }
});

Deno.test("a job that has not ended has no exit code", () => {
  for (const state of STATES.filter((state) => !["completed", "dead", "cancelled"].includes(state))) {
    assertThrows(() => codeOf(state), RangeError, state);
  }
});
