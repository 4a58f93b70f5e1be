/** Jobs that come back from an export. */
import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/core/errors.ts";
import { readImportedJob } from "../../../lib/core/imported_job.ts";
import { jobToJson } from "../../../lib/core/job_json.ts";
import { aJob } from "../../support/factories.ts";
import { START } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const DEFAULTS = {
  now: START,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 } as const,
  timeout_ms: null,
  kill_grace_ms: 10_000,
  cwd: "/elsewhere",
};

Deno.test("what a person may set survives export and import", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, {
    id: "a",
    argv: ["echo", "a b"],
    queue: "mail",
    priority: -3,
    max_retries: 7,
    timeout_ms: 1_500,
    run_at: START + 60_000,
    expires_at: START + 120_000,
    tags: ["x", "y"],
    lock: "l",
    key: "k",
    key_scope: "waiting",
    backoff: { strategy: "linear", base: 2, delay: 5, max: 50, jitter: 0.5 },
    kill_grace_ms: 2_500,
    cwd: "/srv",
    env: { A: "1" },
    stdin: "in\n",
    umask: "027",
    nice: 5,
    keep_output: false,
  });

  const { job: back, end } = readImportedJob(JSON.parse(JSON.stringify(jobToJson(job))), DEFAULTS);

  assertEquals(end, undefined);
  const { id, queue, priority, max_retries, timeout_ms, run_at, expires_at, tags, lock, key, key_scope } = job;
  assertEquals(
    [back.id, back.queue, back.priority, back.max_retries, back.timeout_ms, back.run_at, back.expires_at],
    [id, queue, priority, max_retries, timeout_ms, run_at, expires_at],
  );
  assertEquals([back.tags, back.lock, back.key, back.key_scope], [tags, lock, key, key_scope]);
  for (const name of ["argv", "type", "backoff", "kill_grace_ms", "cwd", "env", "stdin", "umask", "nice"] as const) {
    assertEquals(back[name], job[name], name);
  }
  assertEquals(back.keep_output, false);
});

Deno.test("a job without a directory does not get that of the one who imports", () => {
  const { job } = readImportedJob({ id: "a", state: "pending", command: "true", cwd: null }, DEFAULTS);

  assertEquals(job.cwd, null);
});

Deno.test("a job that was over keeps how it ended", () => {
  const { end } = readImportedJob({
    id: "a",
    state: "dead",
    command: "false",
    reason: "exited with code 1",
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: "2026-01-01T00:01:00.000Z",
    finished_at: "2026-01-01T00:02:00.000Z",
    duration_ms: 60_000,
    exit_code: 1,
    attempts: 4,
    run_count: 4,
  }, DEFAULTS);

  assertEquals(end, {
    state: "dead",
    reason: "exited with code 1",
    created_at: Date.parse("2026-01-01T00:00:00Z"),
    started_at: Date.parse("2026-01-01T00:01:00Z"),
    finished_at: Date.parse("2026-01-01T00:02:00Z"),
    duration_ms: 60_000,
    exit_code: 1,
    signal: null,
    attempts: 4,
    run_count: 4,
  });
});

Deno.test("parents that a job no longer waits for do not come back", () => {
  const after = (state: string) =>
    readImportedJob({ id: "a", state, command: "true", after: ["p"] }, DEFAULTS).job.after;

  assertEquals(after("blocked"), ["p"]);
  assertEquals(after("pending"), null);
});

Deno.test("what no export wrote is refused", () => {
  const refused: [Record<string, unknown>, string][] = [
    [{ command: "true" }, "state"],
    [{ state: "odd", id: "a", command: "true" }, "state"],
    [{ state: "pending", command: "true" }, "id"],
    [{ state: "pending", id: "a", command: "true", colour: "red" }, "colour"],
    [{ state: "completed", id: "a", command: "true" }, "finished_at"],
    [{ state: "dead", id: "a", command: "true", finished_at: "2026-01-01T00:00:00Z", attempts: -1 }, "attempts"],
  ];
  for (const [record, field] of refused) {
    assertThrows(() => readImportedJob(record, DEFAULTS), UsageError, field);
  }
});
