/** Limits of queues, locks, expiry and gates. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { mostAtOnce } from "../support/overlap.ts";
import { waitFor } from "../support/wait_for.ts";

interface ShownRun {
  readonly started_at: string;
  readonly finished_at: string;
}

/** Start and end of every run, in milliseconds, by the lock of its job. */
async function runsOf(box: Sandbox): Promise<{ lock: string | null; started_at: number; finished_at: number }[]> {
  const jobs = await box.json<{ id: string; lock: string | null }[]>(["list", "--limit", "0"]);
  const runs = [];
  for (const { id, lock } of jobs) {
    const shown = await box.json<{ runs: ShownRun[] }>(["show", id]);
    for (const run of shown.runs) {
      runs.push({ lock, started_at: Date.parse(run.started_at), finished_at: Date.parse(run.finished_at) });
    }
  }
  return runs;
}

/** Several workers that end when nothing is left. */
async function drainWith(box: Sandbox, workers: number, concurrency: number): Promise<void> {
  const args = ["worker", "run", "--drain", "--concurrency", String(concurrency)];
  const started = await Promise.all(Array.from({ length: workers }, () => box.start(args)));
  for (const { code, stderr } of await Promise.all(started.map((worker) => worker.wait()))) {
    assertEquals(code, 0, stderr);
  }
}

Deno.test("queue set keeps limits, shows them, and takes them away", async () => {
  await using box = await sandbox();

  const set = await box.run(["queue", "set", "api", "--concurrency", "2", "--rate", "10/s", "--max-pending", "50"]);
  assertEquals([set.code, set.stdout], [0, ""]);
  assertStringIncludes(set.stderr, "Queue api is open: concurrency 2, rate 10/1s, max pending 50");
  assertStringIncludes(await box.ok(["queue", "list"]), "concurrency 2, rate 10/1s, max pending 50");
  const [queue] = await box.json<Record<string, unknown>[]>(["queue", "list"]);
  assertEquals([queue!.concurrency, queue!.rate, queue!.max_pending], [2, "10/1s", 50]);

  const rest = await box.json(["queue", "set", "api", "--rate", "none", "--max-pending", "0", "--paused"]);
  assertEquals(rest, { name: "api", paused: true, concurrency: 2, rate: null, max_pending: null });
  assertEquals((await box.json(["queue", "set", "api", "--no-paused"])).paused, false);
  assertEquals(await box.json(["queue", "pause", "api"]), rest);
  assertEquals(await box.json(["queue", "resume", "api"]), { ...rest, paused: false });
  assertEquals(await box.json(["queue", "remove", "api"]), { removed: "api" });
});

Deno.test("queue set refuses what is no limit, and asks what to set", async () => {
  await using box = await sandbox();
  for (const args of [["--concurrency", "-1"], ["--rate", "10"], ["--rate", "0/1s"], ["--max-pending", "x"], []]) {
    const { code, stderr } = await box.run(["queue", "set", "api", ...args]);
    assertEquals(code, 2, stderr);
  }
  assertEquals((await box.run(["queue", "set", "a/b", "--paused"])).code, 2);
  assertEquals(await box.json(["queue", "list"]), []);
});

Deno.test("many workers keep to the concurrency and the rate of a queue", async () => {
  await using box = await sandbox();
  await box.ok(["queue", "set", "api", "--concurrency", "2", "--rate", "10/1s"]);
  await box.ok(["enqueue-batch", "--lines", "--queue", "api", "-"], { stdin: "sleep 0.02\n".repeat(35) });

  await drainWith(box, 4, 2);

  const runs = await runsOf(box);
  assertEquals(runs.length, 35);
  assert(mostAtOnce(runs) <= 2, `${mostAtOnce(runs)} at once`);
  const starts = runs.map((run) => run.started_at).sort((a, b) => a - b);
  for (let i = 10; i < starts.length; i++) assert(starts[i]! - starts[i - 10]! >= 1_000, `start ${i} came too early`);
});

Deno.test("jobs with one lock never overlap, whoever runs them", async () => {
  await using box = await sandbox();
  const jobs = Array.from({ length: 80 }, (_, i) => JSON.stringify({ command: "sleep 0.02", lock: `l${i % 5}` }));
  await box.ok(["enqueue-batch", "-"], { stdin: jobs.join("\n") });

  await drainWith(box, 3, 4);

  const runs = await runsOf(box);
  assertEquals(runs.length, 80);
  for (let i = 0; i < 5; i++) assertEquals(mostAtOnce(runs.filter(({ lock }) => lock === `l${i}`)), 1, `lock l${i}`);
});

Deno.test("max_pending is exit 4 beyond, for one job and for a batch of which nothing is stored", async () => {
  await using box = await sandbox();
  await box.ok(["queue", "set", "api", "--max-pending", "2"]);
  await box.ok(["enqueue", "--queue", "api", "true"]);

  const batch = await box.run(["enqueue-batch", "--lines", "--queue", "api", "-"], { stdin: "true\ntrue\n" });
  assertEquals(batch.code, 4);
  assertStringIncludes(batch.stderr, 'queue "api": its max_pending is 2');
  await box.ok(["enqueue", "--queue", "api", "true"]);
  assertEquals((await box.run(["enqueue", "--queue", "api", "true"])).code, 4);
  assertEquals((await box.json(["list"])).length, 2);
});

Deno.test("a job that waited past --expires is cancelled, and says so", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--expires", "1s", "--queue", "held", "true"]);
  await box.ok(["queue", "pause", "held"]);
  const worker = await box.start(["worker", "run"]);

  const job = await waitFor(async () => {
    const shown = await box.json(["show", id]);
    return shown.state === "cancelled" ? shown : false;
  }, "the job to expire");

  assertEquals(job.reason, "expired");
  assertMatch(job.expires_at, /^\d{4}-.*Z$/);
  worker.signal("SIGTERM");
  await worker.wait();
  assertEquals((await box.run(["enqueue", "--expires", "2001-01-01 00:00", "true"])).code, 2);
});

Deno.test("a job with --when runs where its gate is open, and tells what was seen", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--when", `file:${box.directory}/ready load<10000`, "echo ran >>out"]);
  const worker = await box.start(["worker", "run", "--drain"]);
  await waitFor(
    async () => (await box.json(["show", id])).reason.includes("there is no such file"),
    "the gate to be seen",
  );
  assertEquals((await box.json(["show", id])).state, "pending");

  await Deno.writeTextFile(`${box.directory}/ready`, "");
  await worker.wait();

  assertEquals(await Deno.readTextFile(`${box.directory}/out`), "ran\n");
  assertEquals((await box.run(["enqueue", "--when", "load=4", "true"])).code, 2);
});

Deno.test("jobs behind a gate let others pass, and go by priority when it opens", async () => {
  await using box = await sandbox();
  const when = `file:${box.directory}/ready`;
  for (const priority of ["0", "5", "9"]) {
    await box.ok(["enqueue", "--when", when, "--priority", priority, `echo ${priority} >>out`]);
  }
  await box.ok(["enqueue", "--priority", "-1", "echo free >>out"]);
  const worker = await box.start(["worker", "run", "--drain", "--concurrency", "1"]);
  await waitFor(async () => (await box.json(["list", "--state", "completed"])).length === 1, "the free job");

  await Deno.writeTextFile(`${box.directory}/ready`, "");
  await worker.wait();

  assertEquals(await Deno.readTextFile(`${box.directory}/out`), "free\n9\n5\n0\n");
});
