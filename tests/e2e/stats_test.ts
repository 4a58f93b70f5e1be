/** Statistics and metrics. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { parsePrometheus } from "../support/prometheus.ts";

/** One job that succeeds, one that dies, one that times out in another queue; all of them run. */
async function someRuns(box: Sandbox): Promise<void> {
  await box.ok(["enqueue", "--id", "good", "true"]);
  await box.ok(["enqueue", "--id", "bad", "--max-retries", "0", "exit 3"]);
  await box.ok(["enqueue", "--id", "slow", "--queue", "mail", "--timeout", "200ms", "--max-retries", "0", "sleep 60"]);
  await box.run(["worker", "run", "--drain"]);
}

Deno.test("stats tells how runs ended, how long they took, and the slowest", async () => {
  await using box = await sandbox();
  await someRuns(box);

  const stats = await box.json(["stats"]);

  assertEquals([stats.since, stats.queue, stats.enqueued, stats.jobs.total], [null, null, 3, 3]);
  assertEquals([stats.runs, stats.succeeded, stats.failed, stats.timed_out, stats.dead], [3, 1, 2, 1, 2]);
  assertEquals([stats.duration_ms.count, stats.wait_ms.count], [3, 3]);
  for (const name of ["avg", "median", "p95", "p99", "min", "max"]) {
    assertEquals(typeof stats.duration_ms[name], "number", name);
  }
  assert(stats.duration_ms.max >= 200, "the timeout is the longest");
  assertEquals(stats.slowest[0].id, "slow");
  assertEquals(stats.by_queue.map((group: { queue: string }) => group.queue), ["default", "mail"]);
  assertEquals(stats.by_priority.map((group: { priority: number }) => group.priority), [0]);
  assert(stats.workers.utilization > 0, "the worker was busy");
});

Deno.test("stats --since and --queue narrow what is counted", async () => {
  await using box = await sandbox();
  await someRuns(box);

  assertEquals((await box.json(["stats", "--since", "1h"])).runs, 3);
  assertEquals((await box.json(["stats", "--since", "1h", "--queue", "mail"])).runs, 1);
  const long = await box.run(["stats", "--since", "30d", "--json"]);
  assertEquals([long.code, JSON.parse(long.stdout).since], [0, null]);
  assertStringIncludes(long.stderr, "warning");
});

Deno.test("stats of a queue that nobody has used is exit 3, of nothing at all a page", async () => {
  await using box = await sandbox();

  const page = await box.run(["stats"]);
  const unknown = await box.run(["stats", "--queue", "nope"]);

  assertEquals([page.code, page.stderr], [0, ""]);
  assertEquals([unknown.code, unknown.stdout], [3, ""]);
  assertStringIncludes(unknown.stderr, 'No queue "nope"');
});

Deno.test("stats for people shows the same numbers and no control character of a command", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true '\x1b[2J'"]);
  await box.ok(["worker", "run", "--drain"]);

  const page = await box.ok(["stats"]);
  const plain = await box.ok(["stats", "--format", "plain"]);

  assertStringIncludes(page, "1 succeeded");
  assertStringIncludes(plain, "duration_ms.count\t1\n");
  assert(!page.includes("\x1b") && !plain.includes("\x1b"));
});

Deno.test("metrics --prometheus is what Prometheus reads, and counts the runs", async () => {
  await using box = await sandbox();
  await someRuns(box);

  const families = parsePrometheus(await box.ok(["metrics", "--prometheus"]) + "\n");

  const total = families.get("queuectl_runs_total")!.samples.reduce((sum, { value }) => sum + value, 0);
  assertEquals(total, 3);
  assertEquals(families.get("queuectl_jobs_enqueued_total")!.samples.map(({ value }) => value), [3]);
});

Deno.test("metrics is one object for scripts, and lines for people", async () => {
  await using box = await sandbox();
  await someRuns(box);
  await box.ok(["enqueue", "true"]);

  const metrics = await box.json(["metrics"]);

  assertEquals([metrics.jobs.pending, metrics.jobs.dead, metrics.runs, metrics.workers.running], [1, 2, 3, 0]);
  assert(metrics.queues[0].oldest_pending_ms >= 0);
  assertStringIncludes(await box.ok(["metrics", "--format", "plain"]), "jobs.pending\t1\n");
});

Deno.test("metrics cannot be both JSON and Prometheus", async () => {
  await using box = await sandbox();

  const { code, stdout } = await box.run(["metrics", "--prometheus", "--json"]);

  assertEquals([code, stdout], [2, ""]);
});
