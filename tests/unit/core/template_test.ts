import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/core/errors.ts";
import { expandTemplate, readTemplate, type WrittenFields } from "../../../lib/core/template.ts";
import { START } from "../../support/fake_clock.ts";

const DEFAULTS = {
  now: START,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
  timeout_ms: null,
  kill_grace_ms: 10_000,
  cwd: "/home/ann",
} as const;

function expanded(job: WrittenFields, written: WrittenFields): WrittenFields {
  return expandTemplate({ name: "t", job }, written);
}

Deno.test("what the job says goes over what the template says", () => {
  assertEquals(expanded({ priority: 5, queue: "slow" }, { priority: 9, command: "true" }), {
    priority: 9,
    queue: "slow",
    command: "true",
    template: "t",
  });
});

Deno.test("a field counts as said under any of its spellings", () => {
  assertEquals(
    expanded({ max_retries: 5, timeout: "1h", run_at: "02:00" }, { retries: 1, timeout_ms: 5, delay: "1m" }),
    {
      retries: 1,
      timeout_ms: 5,
      delay: "1m",
      template: "t",
    },
  );
});

Deno.test("a program takes the place of the template's command, and the other way round", () => {
  assertEquals(expanded({ command: "make" }, { argv: ["ls"] }), { argv: ["ls"], template: "t" });
  assertEquals(expanded({ argv: ["ls"] }, { command: "make" }), { command: "make", template: "t" });
});

Deno.test("null in a job does not take away what the template says", () => {
  assertEquals(expanded({ priority: 5, env: { A: "1" } }, { priority: null, env: null }), {
    priority: 5,
    env: { A: "1" },
    template: "t",
  });
});

Deno.test("environments are merged by name, from JSON and from options", () => {
  assertEquals(expanded({ env: { A: "1", B: "2" } }, { env: { B: "3" } }).env, { A: "1", B: "3" });
  assertEquals(expanded({ env: { A: "1" } }, { env: ["A=9", "C=3"] }).env, ["A=1", "A=9", "C=3"]);
});

Deno.test("a template may have no command, and keeps times as they were written", () => {
  assertEquals(readTemplate({ delay: "5m", priority: null }, DEFAULTS), { delay: "5m" });
});

Deno.test("a template settles where it was written: directory and environment", () => {
  assertEquals(readTemplate({ cwd: "work", env: ["A=1"] }, DEFAULTS), { cwd: "/home/ann/work", env: { A: "1" } });
});

Deno.test("a template is checked as a job is, and has no id", () => {
  assertThrows(() => readTemplate({ priority: "abc" }, DEFAULTS), UsageError, "priority");
  assertThrows(() => readTemplate({ prioritty: 1 }, DEFAULTS), UsageError, "priority");
  assertThrows(() => readTemplate({ id: "x" }, DEFAULTS), UsageError, "two jobs cannot have the same id");
  assertThrows(() => readTemplate({ template: "x" }, DEFAULTS), UsageError, "do not build on each other");
});
