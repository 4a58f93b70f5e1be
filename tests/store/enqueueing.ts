/** enqueue(): all or nothing, in order, and what is stored comes back. @module */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConflictError } from "../../lib/core/errors.ts";
import { aJob, aNewJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function enqueueing(test: DescribeCase): void {
  test("a new job is pending, with nothing counted yet", async ({ store, clock }) => {
    const job = await aJob(store, { id: "first", command: "echo hello" });

    assertEquals(job, {
      ...aNewJob({ command: "echo hello" }),
      id: "first",
      seq: job.seq,
      state: "pending",
      parked: "",
      reserved_for: null,
      parents_left: 0,
      attempts: 0,
      run_count: 0,
      crashes: 0,
      snoozes: 0,
      created_at: clock.now(),
      updated_at: clock.now(),
      started_at: null,
      finished_at: null,
      duration_ms: null,
      exit_code: null,
      signal: null,
      reason: null,
      worker_id: null,
      claim: 0,
      cancel_requested_at: null,
    });
    assertEquals(await store.jobs.runs(job.seq), []);
  });

  test("everything that a job was given comes back as it was", async ({ store, clock }) => {
    const given = aNewJob({
      id: "all:of_it-1.0",
      argv: ["/bin/echo", "", "two words", 'a "quote"', "new\nline", "ü 漢 🦕"],
      queue: "mail",
      priority: -7,
      max_retries: 0,
      timeout_ms: 1_500,
      run_at: clock.now() + 1,
      tags: ["nightly", "db:main"],
      backoff: { strategy: "linear", base: 1.5, delay: 0.25, max: 10, jitter: 0.125 },
      kill_grace_ms: 0,
      exit_rules: { ok_on: "0,3", fail_on: "64-78", snooze_on: "75:10m", retry_on: "1,timeout" },
      cwd: "/var/tmp/with space",
      env: { EMPTY: "", TEXT: "a=b\n'c'" },
      stdin: "line one\nline two\r\n\tü",
      secret_env: ["TOKEN", "KEY"],
      umask: "027",
      nice: 19,
      limits: { memory: 512 * 1024 * 1024, cpu_time_ms: 60_000 },
      keep_output: false,
      expires_at: clock.now() + 60_000,
      lock: "device 7",
      key: "nightly/ü",
      key_scope: "window:1h",
      on_conflict: "fail",
      when: "load<4 file:/run/ok",
    });

    await store.jobs.enqueue([given]);

    const { id, ...rest } = given;
    const stored = await store.jobs.find(id!);
    assertEquals(stored, { ...stored, ...rest, id: id!, state: "scheduled" });
  });

  test("a command comes back byte for byte, whatever is in it", async ({ store }) => {
    const commands = [
      "echo 'it''s'; --",
      "line\nbreak\ttab\r",
      "\x01\x1b[31m\x7f",
      "%_\\",
      "漢字 🦕 e\u0301",
      "x".repeat(120_000),
    ];

    const enqueued = await store.jobs.enqueue(commands.map((command) => aNewJob({ command })));

    for (const [i, { id }] of enqueued.entries()) assertEquals((await store.jobs.find(id)).command, commands[i]);
  });

  test("a job without an id gets 12 random lower-case base32 characters", async ({ store }) => {
    const enqueued = await store.jobs.enqueue([aNewJob(), aNewJob()]);

    for (const { id } of enqueued) assertMatch(id, /^[a-z2-7]{12}$/);
    assert(enqueued[0]!.id !== enqueued[1]!.id);
  });

  test("enqueue() answers in the order given, and seq grows in that order", async ({ store }) => {
    const first = await store.jobs.enqueue(["a", "b", "c"].map((id) => aNewJob({ id })));
    const second = await store.jobs.enqueue([aNewJob({ id: "d" })]);

    const all = [...first, ...second];
    assertEquals(all.map((job) => job.id), ["a", "b", "c", "d"]);
    assertEquals(all.map((job) => job.seq), all.map((job) => job.seq).toSorted((a, b) => a - b));
    assertEquals(new Set(all.map((job) => job.seq)).size, 4);
  });

  test("enqueue() of nothing stores nothing", async ({ store }) => {
    assertEquals(await store.jobs.enqueue([]), []);

    assertEquals(await store.jobs.list({}), []);
  });

  test("enqueue() takes thousands at once", async ({ store }) => {
    const enqueued = await store.jobs.enqueue(Array.from({ length: 5_000 }, () => aNewJob({ tags: ["many"] })));

    assertEquals(new Set(enqueued.map((job) => job.id)).size, 5_000);
    assertEquals(await store.jobs.counts(), [{ queue: "default", state: "pending", n: 5_000 }]);
  });

  test("a job with a time in the future is scheduled, with any other time it is pending", async ({ store, clock }) => {
    const runAt = (ms: number) => aJob(store, { run_at: clock.now() + ms });

    const [later, now, earlier] = [await runAt(1), await runAt(0), await runAt(-5_000)];

    assertEquals([later.state, later.run_at], ["scheduled", clock.now() + 1]);
    assertEquals(now.state, "pending");
    assertEquals(earlier.state, "pending");
  });

  test("an id in use is a conflict that names it", async ({ store }) => {
    await aJob(store, { id: "backup", command: "first" });

    const error = await assertRejects(
      () => aJob(store, { id: "backup", command: "second" }),
      ConflictError,
      '"backup"',
    );

    assertEquals(error.exitCode, 4);
    assertEquals((await store.jobs.find("backup")).command, "first");
  });

  test("an id stays in use when its job is done", async ({ store }) => {
    await aJob(store, { id: "backup", state: "completed" });

    await assertRejects(() => aJob(store, { id: "backup" }), ConflictError);
  });

  test("ids that differ in letter case are different ids", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "Backup" }), aNewJob({ id: "backup" })]);

    assertEquals((await store.jobs.find("Backup")).id, "Backup");
    assertEquals((await store.jobs.find("backup")).id, "backup");
  });

  test("one id in use among many jobs and none of them is stored", async ({ store }) => {
    const existing = await aJob(store, { id: "b" });
    const batch = ["a", "b", "c"].map((id) => aNewJob({ id, queue: "new-queue", tags: ["tagged"] }));

    await assertRejects(() => store.jobs.enqueue(batch), ConflictError, '"b"');

    assertEquals(await store.jobs.list({}), [existing]);
    assertEquals(await store.jobs.list({ tags: ["tagged"] }), []);
    assertEquals((await store.queues.list()).map((queue) => queue.name), ["default"]);
  });

  test("one id twice in the same call is a conflict, and nothing is stored", async ({ store }) => {
    const batch = [aNewJob({ id: "twin" }), aNewJob({ id: "twin" })];

    await assertRejects(() => store.jobs.enqueue(batch), ConflictError, '"twin"');

    assertEquals(await store.jobs.list({}), []);
  });

  test("a store goes on as usual after a conflict", async ({ store }) => {
    await aJob(store, { id: "a" });
    await assertRejects(() => aJob(store, { id: "a" }), ConflictError);

    await aJob(store, { id: "b" });

    assertEquals((await store.jobs.list({})).map((job) => job.id), ["b", "a"]);
  });

  test("a queue is made by the first job in it, without limits", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ queue: "mail" }), aNewJob({ queue: "default" }), aNewJob({ queue: "mail" })]);

    const unlimited = { paused: false, concurrency: null, rate: null, max_pending: null };
    assertEquals(await store.queues.list(), [{ name: "default", ...unlimited }, { name: "mail", ...unlimited }]);
  });

  test("what one connection enqueued another sees at once", async ({ store, open }) => {
    const other = await open();

    const job = await aJob(store, { id: "shared" });

    assertEquals(await other.jobs.find("shared"), job);
  });
}
