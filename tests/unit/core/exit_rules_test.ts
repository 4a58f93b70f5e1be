import { assertEquals, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { type ExitRules, NO_EXIT_RULES, parseExitRules, verdict } from "../../../lib/core/exit_rules.ts";
import type { RunResult } from "../../../lib/core/run_result.ts";

const KILLED: RunResult = { kind: "signalled", signal: "SIGKILL", code: 137 };
const TIMED_OUT: RunResult = { kind: "timed_out", timeoutMs: 5_000, code: 0 };
const NOT_FOUND: RunResult = { kind: "not_started", code: 127, reason: "not found" };

function exited(code: number): RunResult {
  return { kind: "exited", code };
}

/** The verdict in one word, with the rule or delay that it carries. */
function judge(result: RunResult, rules: Record<string, unknown> = {}): string {
  const decision = verdict(result, parseExitRules(rules));
  switch (decision.kind) {
    case "fatal":
      return `fatal by ${decision.rule}`;
    case "snooze":
      return `snooze ${decision.delayMs}`;
    default:
      return decision.kind;
  }
}

Deno.test("without rules 0 succeeds and everything else is retried", () => {
  assertEquals(judge(exited(0)), "success");
  for (const result of [exited(1), exited(255), KILLED, TIMED_OUT, NOT_FOUND]) assertEquals(judge(result), "retry");
});

Deno.test("a run that timed out is no success by default even if the command then exited with 0", () => {
  assertEquals(judge({ kind: "timed_out", code: 0 }), "retry");
});

Deno.test("ok_on lists exactly what is success", () => {
  assertEquals(judge(exited(3), { ok_on: "0,3" }), "success");
  assertEquals(judge(exited(0), { ok_on: "0,3" }), "success");
  assertEquals(judge(exited(1), { ok_on: "0,3" }), "retry");
  assertEquals(judge(exited(0), { ok_on: "3" }), "retry");
});

Deno.test("fail_on makes a failure final", () => {
  const rules = { fail_on: "64-78,126,127" };

  for (const code of [64, 70, 78, 126, 127]) assertEquals(judge(exited(code), rules), "fatal by fail_on");
  for (const code of [63, 79, 125, 128]) assertEquals(judge(exited(code), rules), "retry");
  assertEquals(judge(exited(0), { fail_on: "0-255" }), "success");
});

Deno.test("snooze_on asks for another try after its own delay", () => {
  const rules = { snooze_on: "75:10m,80-82:30s,timeout:1h" };

  assertEquals(judge(exited(75), rules), "snooze 600000");
  assertEquals(judge(exited(81), rules), "snooze 30000");
  assertEquals(judge(TIMED_OUT, rules), "snooze 3600000");
  assertEquals(judge(exited(76), rules), "retry");
});

Deno.test("retry_on makes every failure final that it does not list", () => {
  const rules = { retry_on: "75,timeout,signal,spawn" };

  for (const result of [exited(75), KILLED, TIMED_OUT, NOT_FOUND]) assertEquals(judge(result, rules), "retry");
  assertEquals(judge(exited(1), rules), "fatal by retry_on");
  assertEquals(judge(exited(0), rules), "success");
  assertEquals(judge(KILLED, { retry_on: "timeout" }), "fatal by retry_on");
});

Deno.test("rules are looked at in the order ok_on, fail_on, snooze_on, retry_on", () => {
  const all = { ok_on: "75", fail_on: "75", snooze_on: "75:1m", retry_on: "75" };

  assertEquals(judge(exited(75), all), "success");
  assertEquals(judge(exited(75), { ...all, ok_on: null }), "fatal by fail_on");
  assertEquals(judge(exited(75), { ...all, ok_on: null, fail_on: null }), "snooze 60000");
  assertEquals(judge(exited(75), { retry_on: "75" }), "retry");
});

Deno.test("codes match what `queuectl run` would exit with: 128+N, 124, 126 and 127", () => {
  assertEquals(judge(KILLED, { fail_on: "137" }), "fatal by fail_on");
  assertEquals(judge(TIMED_OUT, { fail_on: "124" }), "fatal by fail_on");
  assertEquals(judge(NOT_FOUND, { fail_on: "127" }), "fatal by fail_on");
  assertEquals(judge({ kind: "signalled", signal: "SIGTERM", code: 143 }, { ok_on: "0,143" }), "success");
});

Deno.test("signal means a signal, not a command that exits with 137 by itself", () => {
  assertEquals(judge(exited(137), { fail_on: "signal" }), "retry");
  assertEquals(judge(KILLED, { fail_on: "signal" }), "fatal by fail_on");
});

Deno.test("rules do not judge runs that were cancelled, interrupted or lost", () => {
  const rules = { ok_on: "0-255", fail_on: "0-255" };
  for (const kind of ["cancelled", "interrupted", "lost"] as const) assertEquals(judge({ kind }, rules), "retry");
});

Deno.test("parseExitRules() gives canonical texts that it reads back unchanged", () => {
  const rules = parseExitRules({
    ok_on: " 0, 003 ,0",
    fail_on: "64 - 78,126,127,5-5",
    snooze_on: "75:600, 80-81 : 1h30m",
    retry_on: "timeout , 75",
  });

  const expected: ExitRules = {
    ok_on: "0,3",
    fail_on: "64-78,126,127,5",
    snooze_on: "75:10m,80-81:1h30m",
    retry_on: "timeout,75",
  };
  assertEquals(rules, expected);
  assertEquals(parseExitRules(JSON.parse(JSON.stringify(rules))), expected);
});

Deno.test("parseExitRules() takes numbers and lists, as JSON has them", () => {
  assertEquals(parseExitRules({ ok_on: 3, fail_on: [64, "70-72", "spawn"], snooze_on: ["75:1m", "76:2m"] }), {
    ok_on: "3",
    fail_on: "64,70-72,spawn",
    snooze_on: "75:1m,76:2m",
    retry_on: null,
  });
});

Deno.test("parseExitRules() gives no rules for null, undefined and an empty object", () => {
  for (const value of [null, undefined, {}, { ok_on: null }]) assertEquals(parseExitRules(value), NO_EXIT_RULES);
});

Deno.test("parseExitRules() refuses codes that no process can exit with", () => {
  for (
    const value of [
      "256",
      "-1",
      "1.5",
      "",
      "a",
      ",",
      "3,",
      "9-3",
      "0-256",
      "1-2-3",
      256,
      -1,
      1.5,
      NaN,
      [],
      {},
      [[]],
      true,
    ]
  ) {
    const error = assertThrows(() => parseExitRules({ fail_on: value }), InvalidValueError);
    assertEquals(error.field, "fail_on");
  }
});

Deno.test("parseExitRules() refuses a success that is a timeout, a signal or a failed start", () => {
  for (const word of ["timeout", "signal", "spawn"]) {
    assertThrows(() => parseExitRules({ ok_on: word }), InvalidValueError, "Invalid ok_on");
  }
});

Deno.test("parseExitRules() refuses a snooze without a delay, or with none to speak of", () => {
  for (const value of ["75", "75:", "75:0s", ":10m", "75:10m:1", "75:soon", 75]) {
    assertThrows(() => parseExitRules({ snooze_on: value }), InvalidValueError, "Invalid snooze_on");
  }
});

Deno.test("parseExitRules() refuses an unknown rule and offers the nearest name", () => {
  assertThrows(() => parseExitRules({ okon: "0" }), InvalidValueError, "did you mean ok_on?");
  assertThrows(() => parseExitRules({ "fail-onn": "0" }), InvalidValueError, "did you mean fail_on?");
  for (const value of ["0", 0, ["0"]]) assertThrows(() => parseExitRules(value), InvalidValueError, "exit_rules");
});

Deno.test("verdict() stays right when more different rules are seen than it remembers", () => {
  for (let seconds = 1; seconds <= 2_500; seconds++) {
    assertEquals(judge(exited(75), { snooze_on: `75:${seconds}s` }), `snooze ${seconds * 1_000}`);
  }
});
