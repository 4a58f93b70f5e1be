import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { canonicalSetting, findSetting, SETTINGS, settingValue } from "../../../lib/config/settings.ts";
import { InvalidValueError, UsageError } from "../../../lib/core/errors.ts";

function canonical(name: string, text: string): string {
  return canonicalSetting(name, text).text;
}

function valueOf(name: string, text: string): string | number {
  return settingValue(findSetting(name).spec, text);
}

Deno.test("every default is allowed and in its canonical form", () => {
  for (const spec of SETTINGS) assertEquals(canonical(spec.key, spec.default), spec.default, spec.key);
});

Deno.test("the defaults are those that were promised", () => {
  const promised = {
    max_retries: 3,
    backoff_strategy: "exponential",
    backoff_base: 2,
    backoff_delay: 60_000,
    backoff_max: 6 * 3_600_000,
    backoff_jitter: 0,
    max_crashes: 3,
    job_timeout: 0,
    kill_grace: 10_000,
    shutdown_timeout: 0,
    worker_concurrency: 1,
    heartbeat_interval: 5_000,
    lease: 30_000,
    poll_interval: 1_000,
    output_limit: 10 * 1_048_576,
    shell: "/bin/sh",
    log_level: "info",
  };
  for (const [key, value] of Object.entries(promised)) {
    assertEquals(valueOf(key, findSetting(key).spec.default), value, key);
  }
});

Deno.test("keys are unique, in lower case with underscores, and each has a sentence", () => {
  assertEquals(new Set(SETTINGS.map((spec) => spec.key)).size, SETTINGS.length);
  for (const { key, summary } of SETTINGS) {
    assert(/^[a-z]+(_[a-z]+)*$/.test(key), key);
    assert(/^[A-Z].*[^.]$/.test(summary), `${key}: ${summary}`);
  }
});

Deno.test("findSetting() takes hyphens, underscores, camelCase and capitals", () => {
  for (const name of ["max_retries", "max-retries", "maxRetries", "MAX_RETRIES", "Max-Retries"]) {
    assertEquals(findSetting(name).spec.key, "max_retries", name);
  }
});

Deno.test("findSetting() takes the names of the designs before", () => {
  const others: Record<string, string> = {
    default_max_retries: "max_retries",
    default_max_tries: "max_retries",
    max_attempts: "max_retries",
    retry_delay_type: "backoff_strategy",
    job_retry_delay: "backoff_delay",
    fixed_retry_delay: "backoff_delay",
    worker_timeout: "lease",
    worker_heartbeat_interval: "heartbeat_interval",
    "max-concurrent-jobs": "worker_concurrency",
    maxConcurrentJobs: "worker_concurrency",
  };
  for (const [name, key] of Object.entries(others)) assertEquals(findSetting(name).spec.key, key, name);
});

Deno.test("findSetting() refuses an unknown name and hints at the nearest", () => {
  const error = assertThrows(() => findSetting("max_retrys"), UsageError, 'Unknown setting "max_retrys"');

  assertEquals(error.hint, "queuectl config get max_retries");
  assertEquals(assertThrows(() => findSetting("qqqqqqqq"), UsageError).hint, "queuectl config list");
});

Deno.test("findSetting() does not take names that every object inherits", () => {
  for (const name of ["constructor", "__proto__", "toString", "has_own_property", ""]) {
    assertThrows(() => findSetting(name), UsageError, "Unknown setting");
  }
});

Deno.test("names that count attempts store one less as retries", () => {
  assertEquals(canonical("max_attempts", "1"), "0");
  assertEquals(canonical("default-max-tries", "5"), "4");
  assertEquals(canonical("default_max_retries", "5"), "5");
  assertStringIncludes(
    assertThrows(() => canonical("max_attempts", "0"), InvalidValueError).message,
    "Invalid max_attempts",
  );
});

Deno.test("durations are stored in a form without loss and used in milliseconds", () => {
  assertEquals(canonical("lease", "90"), "1m30s");
  assertEquals(canonical("lease", "1500ms"), "1.5s");
  assertEquals(canonical("backoff_max", "1w"), "7d");
  assertEquals(valueOf("lease", "1m30s"), 90_000);
});

Deno.test("sizes are stored in a form without loss and used in bytes", () => {
  assertEquals(canonical("output_limit", "1048576"), "1MiB");
  assertEquals(canonical("output_limit", "1500"), "1500");
  assertEquals(valueOf("output_limit", "64KiB"), 65_536);
});

Deno.test("numbers are stored without what does not matter", () => {
  assertEquals(canonical("max_retries", " +007 "), "7");
  assertEquals(canonical("backoff_base", "1.50"), "1.5");
  assertEquals(canonical("backoff_jitter", ".25"), "0.25");
  assertEquals(canonical("backoff_jitter", "-0"), "0");
});

Deno.test("what is stored can always be read back, however small or large", () => {
  const allowed: [string, string][] = [
    ["backoff_jitter", "0.0000001"],
    ["backoff_base", "1000000000000000000000000"],
    ["backoff_base", "0.001"],
    ["lease", "1ms"],
    ["lease", "36525d"],
    ["output_limit", "0"],
    ["output_limit", "8191TiB"],
    ["max_retries", "1000000"],
  ];
  for (const [key, text] of allowed) {
    const stored = canonical(key, text);
    assertEquals(canonical(key, stored), stored, key);
    assertEquals(valueOf(key, stored), valueOf(key, text), key);
  }
});

Deno.test("a value that is not allowed is refused with its name and what is", () => {
  const cases: [string, string, string][] = [
    ["max_retries", "-1", "Invalid max_retries"],
    ["max_retries", "1.5", "expected a whole number from 0 to 1000000"],
    ["max_retries", "", "Invalid max_retries"],
    ["max_retries", "three", "Invalid max_retries"],
    ["max_retries", "1000001", "Invalid max_retries"],
    ["backoff_strategy", "random", "expected exponential, linear, fixed"],
    ["backoff_base", "0", "expected a number of at least 0.001"],
    ["backoff_base", "9".repeat(400), "Invalid backoff_base"],
    ["backoff_base", "NaN", "Invalid backoff_base"],
    ["backoff_base", "Infinity", "Invalid backoff_base"],
    ["backoff_jitter", "1.1", "expected a number from 0 to 1"],
    ["backoff_max", "0", "expected a duration above 0"],
    ["heartbeat_interval", "0s", "expected a duration above 0"],
    ["lease", "0", "expected a duration above 0"],
    ["poll_interval", "0", "expected a duration above 0"],
    ["poll_interval", "often", "Invalid poll_interval"],
    ["max_crashes", "0", "Invalid max_crashes"],
    ["worker_concurrency", "0", "Invalid worker_concurrency"],
    ["worker_concurrency", "257", "Invalid worker_concurrency"],
    ["output_limit", "-1", "Invalid output_limit"],
    ["output_limit", "lots", "Invalid output_limit"],
    ["shell", "bash", "expected an absolute path"],
    ["shell", "", "expected an absolute path"],
    ["log_level", "loud", "expected debug, info, warn, error"],
  ];
  for (const [key, text, message] of cases) {
    const error = assertThrows(() => canonical(key, text), InvalidValueError, message);
    assertEquals(error.field, key);
  }
});

Deno.test("0 is allowed for durations for which it means none", () => {
  for (const key of ["job_timeout", "shutdown_timeout", "kill_grace", "backoff_delay"]) {
    assertEquals(canonical(key, "0"), "0s", key);
  }
});
