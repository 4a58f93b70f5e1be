import { assertEquals } from "@std/assert";
import { NO_EXIT_RULES } from "../../../lib/core/exit_rules.ts";
import type { Job, Run } from "../../../lib/core/job.ts";
import { type JobDefaults, readNewJob } from "../../../lib/core/job_fields.ts";
import { jobToJson, runToJson } from "../../../lib/core/job_json.ts";
import { STATES } from "../../../lib/core/job_state.ts";
import { aNewJob, aStoredJob as storedJob } from "../../support/factories.ts";

const AT = Date.parse("2026-11-30T11:00:00.007Z");

function aStoredJob(overrides: Partial<Job> = {}): Job {
  return storedJob({ id: "k3v7abcdefgh", created_at: AT, updated_at: AT, ...overrides });
}

Deno.test("a job as JSON has every field, null where there is nothing", () => {
  const expected = {
    id: "k3v7abcdefgh",
    state: "pending",
    reason: "waits for a free worker",
    type: "shell",
    command: "true",
    argv: null,
    queue: "default",
    priority: 0,
    attempts: 0,
    max_retries: 3,
    run_count: 0,
    crashes: 0,
    snoozes: 0,
    exit_code: null,
    signal: null,
    run_at: null,
    created_at: "2026-11-30T11:00:00.007Z",
    updated_at: "2026-11-30T11:00:00.007Z",
    started_at: null,
    finished_at: null,
    duration_ms: null,
    timeout: null,
    kill_grace: 10,
    backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
    exit_rules: { ok_on: null, fail_on: null, snooze_on: null, retry_on: null },
    cwd: null,
    env: null,
    secret_env: null,
    stdin: null,
    umask: null,
    nice: null,
    limits: null,
    keep_output: true,
    tags: [],
    expires_at: null,
    after: null,
    after_any: null,
    key: null,
    key_scope: null,
    on_conflict: null,
    lock: null,
    when: null,
    batch: null,
    worker_id: null,
    claim: null,
    seq: 17,
  };
  const json = jobToJson(aStoredJob());

  const shown = Object.fromEntries(Object.keys(expected).map((key) => [key, json[key]]));
  assertEquals(shown, expected);
  assertEquals(Object.values(json).filter((value) => value === undefined), []);
});

Deno.test("a finished job as JSON tells times in UTC with milliseconds, and durations in seconds", () => {
  const json = jobToJson(aStoredJob({
    state: "completed",
    reason: "exited with code 0",
    timeout_ms: 1_500,
    kill_grace_ms: 250,
    run_at: AT + 1,
    started_at: AT,
    finished_at: AT + 993,
    duration_ms: 993,
    exit_code: 0,
    worker_id: "w1",
    claim: AT,
  }));

  assertEquals(json.timeout, 1.5);
  assertEquals(json.kill_grace, 0.25);
  assertEquals(json.run_at, "2026-11-30T11:00:00.008Z");
  assertEquals(json.started_at, "2026-11-30T11:00:00.007Z");
  assertEquals(json.finished_at, "2026-11-30T11:00:01.000Z");
  assertEquals(json.duration_ms, 993);
  assertEquals(json.exit_code, 0);
  assertEquals(json.claim, AT);
  assertEquals(json.reason, "exited with code 0");
});

Deno.test("a job in any state says why it is there", () => {
  for (const state of STATES) {
    const { reason } = jobToJson(aStoredJob({ state }));
    assertEquals(typeof reason === "string" && reason !== "", true, state);
  }
});

Deno.test("a running job that is to be cancelled says so", () => {
  assertEquals(jobToJson(aStoredJob({ state: "processing" })).reason, "is running");
  assertEquals(jobToJson(aStoredJob({ state: "processing", cancel_requested_at: AT })).reason, "is being cancelled");
});

Deno.test("what can be set of a job is read back from its JSON as it was", () => {
  const defaults: JobDefaults = {
    now: AT,
    max_retries: 9,
    backoff: { strategy: "fixed", base: 9, delay: 9, max: 9, jitter: 0.9 },
    timeout_ms: null,
    kill_grace_ms: 9,
    cwd: "/elsewhere",
  };
  const jobs = [
    aNewJob({ id: "plain", cwd: "/" }),
    aNewJob({
      id: "full",
      argv: ["echo", "ü", ""],
      queue: "mail",
      priority: -1,
      max_retries: 0,
      timeout_ms: 1_001,
      run_at: AT + 60_001,
      tags: ["a", "b"],
      backoff: { strategy: "linear", base: 1.1, delay: 0.1, max: 7.25, jitter: 0.3 },
      kill_grace_ms: 1,
      exit_rules: { ...NO_EXIT_RULES, ok_on: "0,3-4", snooze_on: "75:1m30s" },
      cwd: "/srv",
      env: { A: "", B: "x" },
      stdin: "in\n",
      secret_env: ["TOKEN"],
      umask: "027",
      nice: -3,
      limits: { memory: 2 ** 30, cpu_time_ms: 1_500 },
      keep_output: false,
      expires_at: AT + 90_000,
      after: ["a", "b"],
      after_any: ["c"],
      key: "deploy",
      key_scope: "window:1h",
      on_conflict: "replace",
      lock: "device",
      when: "load<4",
      batch: "night",
    }),
    aNewJob({ id: "keyed", cwd: "/", key: "k" }),
  ];
  const readOnly = new Set(
    ("type state seq attempts run_count crashes snoozes created_at updated_at started_at finished_at duration_ms " +
      "exit_code signal reason worker_id claim schedule scheduled_for deduplicated").split(" "),
  );
  for (const job of jobs) {
    const json = JSON.parse(JSON.stringify(jobToJson(aStoredJob({ ...job, id: job.id! }))));
    const settable = Object.fromEntries(Object.entries(json).filter(([name]) => !readOnly.has(name)));

    assertEquals(readNewJob(settable, defaults), job);
  }
});

Deno.test("a run as JSON has every field, null while it runs", () => {
  const run: Run = {
    run: 2,
    attempt: 1,
    claim: AT,
    outcome: null,
    started_at: AT,
    finished_at: null,
    duration_ms: null,
    exit_code: null,
    signal: null,
    reason: null,
    worker_id: "w1",
    stdout_bytes: 0,
    stderr_bytes: 0,
    dropped_bytes: 0,
  };

  assertEquals(runToJson(run), { ...run, started_at: "2026-11-30T11:00:00.007Z" });
  assertEquals(
    runToJson({ ...run, outcome: "succeeded", finished_at: AT + 1_000 }).finished_at,
    "2026-11-30T11:00:01.007Z",
  );
});
