/** How a worker in the foreground is stopped: by its first signal after the running jobs, by its second at once. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** A job that says that it runs, and goes on until the file `go` is there. */
const UNTIL_TOLD = "touch started; until test -e go; do sleep 0.02; done";

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** A worker that runs the job for certain. */
async function workerInJob(box: Sandbox, command: string): Promise<Awaited<ReturnType<Sandbox["start"]>>> {
  await box.ok(["enqueue", "--id", "long", command]);
  await box.ok(["enqueue", "--id", "next", "true"]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => exists(`${box.directory}/started`), "the job to run");
  return worker;
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`the first ${signal} lets the running job finish and starts no other`, async () => {
    await using box = await sandbox();
    const worker = await workerInJob(box, UNTIL_TOLD);

    worker.signal(signal);
    await waitFor(() => worker.stderr().includes("stopping after running jobs"), "the worker to notice");
    assertEquals((await box.json(["show", "long"])).state, "processing");
    await Deno.writeTextFile(`${box.directory}/go`, "");
    const { code, stderr } = await worker.wait();

    assertEquals(code, 0);
    assertMatch(stderr, new RegExp(`worker stopped \\(stopped by ${signal}\\): 1 completed`));
    assertEquals((await box.json(["show", "long"])).state, "completed");
    assertEquals((await box.json(["show", "next"])).state, "pending");
  });
}

Deno.test("a second signal releases the running job at once, with its attempt given back", async () => {
  await using box = await sandbox();
  const worker = await workerInJob(box, "touch started; sleep 300");

  worker.signal("SIGTERM");
  await waitFor(() => worker.stderr().includes("stopping after running jobs"), "the worker to notice");
  worker.signal("SIGTERM");
  const { code } = await worker.wait();

  assertEquals(code, 0);
  const job = await box.json(["show", "long"]);
  assertEquals([job.state, job.attempts, job.run_count, job.crashes], ["pending", 0, 1, 0]);
  assertEquals(job.runs.map((run: { outcome: string }) => run.outcome), ["interrupted"]);
  assertEquals(box.processes(), []);
});

Deno.test("shutdown_timeout ends the patience of a stopping worker", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "shutdown_timeout", "100ms"]);
  const worker = await workerInJob(box, "touch started; sleep 300");

  worker.signal("SIGTERM");
  await worker.wait();

  const job = await box.json(["show", "long"]);
  assertEquals([job.state, job.attempts, job.runs[0].outcome], ["pending", 0, "interrupted"]);
});

Deno.test("an idle worker stops at the first signal", async () => {
  await using box = await sandbox();
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => worker.stderr().includes("worker started"), "the worker to start");

  worker.signal("SIGTERM");
  const { code, stderr } = await worker.wait();

  assertEquals(code, 0);
  assertMatch(stderr, /worker stopped \(stopped by SIGTERM\): 0 completed, 0 failed, 0 dead/);
  assertEquals((await box.json(["status"])).workers, []);
});

Deno.test("an idle worker picks up a job that is enqueued meanwhile", async () => {
  await using box = await sandbox();
  const worker = await box.start(["worker", "run", "--max-jobs", "1"]);
  await waitFor(() => worker.stderr().includes("worker started"), "the worker to start");

  const id = await box.ok(["enqueue", "true"]);
  await worker.wait();

  assertEquals((await box.json(["show", id])).state, "completed");
});

Deno.test("a worker follows changed settings without a restart", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "heartbeat_interval", "100ms"]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => worker.stderr().includes("worker started"), "the worker to start");
  await box.ok(["config", "set", "worker_concurrency", "2"]);
  const meet = (mine: string, other: string) => `touch ${mine}; until test -e ${other}; do sleep 0.02; done`;

  await box.ok(["enqueue", "--id", "x", meet("x", "y")]);
  await box.ok(["enqueue", "--id", "y", meet("y", "x")]);
  await waitFor(
    async () => (await box.json(["status"])).jobs.completed === 2,
    "two jobs that wait for each other to complete",
  );

  worker.signal("SIGTERM");
  assertEquals((await worker.wait()).code, 0);
});
