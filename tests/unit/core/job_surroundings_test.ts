import { assert, assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkEnv, parseLimits, parseSecretEnv, withLimit } from "../../../lib/core/job_surroundings.ts";

Deno.test("secrets are names, given as a list or with commas, each once", () => {
  assertEquals(parseSecretEnv(["A", "B,C", " A "]), ["A", "B", "C"]);
  assertEquals(parseSecretEnv("TOKEN"), ["TOKEN"]);
  assertEquals(parseSecretEnv([]), null);
});

Deno.test("a secret may name the file that has its value", () => {
  assertEquals(parseSecretEnv(["A@/run/a,b@c", "B"]), ["A@/run/a,b@c", "B"]);
  assertEquals(parseSecretEnv("A@/run/a,B"), ["A@/run/a", "B"]);
  for (const bad of [["A@relative"], ["1@/x"], ["A", "A@/x"], ["A@/x", "A@/y"], ["QUEUECTL_A@/x"], ["A@/x\0"]]) {
    assertThrows(() => parseSecretEnv(bad), UsageError, "Invalid secret_env");
  }
  assertThrows(() => checkEnv({ env: { A: "1" }, secret_env: ["A@/x"] }), UsageError, 'Cannot set "A" in both');
});

Deno.test("a secret that is given with its value is refused without repeating it", () => {
  const error = assertThrows(() => parseSecretEnv("TOKEN=hunter2"), UsageError);
  assert(!`${error.message} ${error.hint}`.includes("hunter2"));
  assertEquals(error.hint, "--secret-env TOKEN");
  assertEquals(assertThrows(() => parseSecretEnv("aHVudGVyMg=="), UsageError).hint, "--secret-env NAME");
  assertEquals(assertThrows(() => parseSecretEnv("HUNTER2="), UsageError).hint, "--secret-env NAME");
});

for (const bad of ["1A", "A B", "QUEUECTL_DB", 5, "ä"]) {
  Deno.test(`${JSON.stringify(bad)} is no name of a secret`, () => {
    const error = assertThrows(() => parseSecretEnv(bad), UsageError, "Invalid secret_env: ");
    if (bad !== "QUEUECTL_DB") assert(!error.message.includes(String(bad)), error.message);
  });
}

Deno.test("a variable cannot be both a secret and written down", () => {
  assertThrows(() => checkEnv({ env: { A: "1" }, secret_env: ["A"] }), UsageError, 'Cannot set "A" in both');
  checkEnv({ env: { A: "1" }, secret_env: ["B"] });
});

Deno.test("limits are sizes and durations; 0 and null are none", () => {
  assertEquals(parseLimits({ memory: "512MiB", cpu_time: "1m" }), { memory: 512 * 1024 * 1024, cpu_time_ms: 60_000 });
  assertEquals(parseLimits({ memory: 2_000_000, cpu_time: null }), { memory: 2_000_000, cpu_time_ms: null });
  assertEquals(parseLimits({ memory: 0 }), null);
  assertEquals(parseLimits({}), null);
});

Deno.test("one limit can be changed without the other", () => {
  const limits = parseLimits({ memory: "1GiB", cpu_time: 5 });
  assertEquals(withLimit(limits, "memory", 0), { memory: null, cpu_time_ms: 5_000 });
  assertEquals(withLimit(null, "cpu_time", "2s"), { memory: null, cpu_time_ms: 2_000 });
});

for (
  const [bad, words] of [
    ["5", "Invalid limits"],
    [[1], "Invalid limits"],
    [{ memroy: 1 }, 'Unknown limit "memroy": did you mean "memory"?'],
    [{ memory: "64K" }, "Invalid memory"],
    [{ memory: "lots" }, "Invalid memory"],
    [{ cpu_time: -1 }, "Invalid cpu_time"],
  ] as const
) {
  Deno.test(`limits ${JSON.stringify(bad)} are refused`, () => {
    assertThrows(() => parseLimits(bad), UsageError, words);
  });
}
