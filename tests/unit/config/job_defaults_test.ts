import { assertEquals } from "@std/assert";
import { jobDefaults } from "../../../lib/config/job_defaults.ts";
import { loadSettings } from "../../../lib/config/load_settings.ts";
import { readNewJob } from "../../../lib/core/job_fields.ts";

const CALLER = { now: 1_000, cwd: "/home/ann" };

function defaultsWith(stored: Record<string, string>) {
  return jobDefaults(loadSettings({ env: () => undefined, stored: new Map(Object.entries(stored)) }), CALLER);
}

Deno.test("jobs take over the settings of the moment, in the units of a job", () => {
  const defaults = defaultsWith({
    max_retries: "7",
    backoff_strategy: "linear",
    backoff_base: "1.5",
    backoff_delay: "500ms",
    backoff_max: "1h",
    backoff_jitter: "0.25",
    job_timeout: "1m30s",
    kill_grace: "5s",
  });

  assertEquals(defaults, {
    ...CALLER,
    max_retries: 7,
    backoff: { strategy: "linear", base: 1.5, delay: 0.5, max: 3_600, jitter: 0.25 },
    timeout_ms: 90_000,
    kill_grace_ms: 5_000,
  });
});

Deno.test("with the settings untouched a job has the promised retries, and no timeout", () => {
  const { max_retries, backoff, timeout_ms, kill_grace_ms } = defaultsWith({});

  assertEquals(max_retries, 3);
  assertEquals(backoff, { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 });
  assertEquals(timeout_ms, null);
  assertEquals(kill_grace_ms, 10_000);
});

Deno.test("what a job says itself comes before the settings", () => {
  const defaults = defaultsWith({ max_retries: "1", job_timeout: "5s" });

  const job = readNewJob({ command: "true", max_retries: 9, timeout: 0 }, defaults);

  assertEquals([job.max_retries, job.timeout_ms], [9, null]);
});

Deno.test("whether the past is allowed comes from the caller", () => {
  const settings = loadSettings({ env: () => undefined, stored: new Map() });

  assertEquals(jobDefaults(settings, { ...CALLER, allowPast: true }).allowPast, true);
  assertEquals(jobDefaults(settings, CALLER).allowPast, undefined);
});
