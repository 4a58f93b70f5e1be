/** What becomes of the job of `queuectl run` when its worker, or its client, or both are killed. */
import { assertEquals } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Writes a line at each start, and ends when the file `go` is there. */
const JOB = "echo start >> ledger; while ! [ -e go ]; do sleep 0.05; done; echo end >> ledger";

interface Worker {
  readonly id: string;
  readonly pid: number;
}

async function workerOfJob(box: Sandbox, not?: Worker): Promise<Worker> {
  return await waitFor(async () => {
    const workers: (Worker & { jobs: string[]; state: string })[] = await box.json(["worker", "status"]);
    return workers.find((worker) => worker.jobs.length > 0 && worker.state === "running" && worker.id !== not?.id);
  }, "a worker that runs the job");
}

async function begun(box: Sandbox, times: number): Promise<void> {
  await waitFor(() => ledger(box).filter((line) => line === "start").length >= times, `start ${times} of the job`);
}

function ledger(box: Sandbox): string[] {
  try {
    return Deno.readTextFileSync(`${box.directory}/ledger`).trim().split("\n");
  } catch {
    return [];
  }
}

async function go(box: Sandbox): Promise<void> {
  await Deno.writeTextFile(`${box.directory}/go`, "");
}

async function nothingRuns(box: Sandbox): Promise<void> {
  await waitFor(() => box.processes().length === 0, "all processes to end");
}

Deno.test("the client of run starts another worker when that of its job is killed", async () => {
  await using box = await sandbox();
  const client = await box.start(["run", "--id", "j", JOB]);
  const first = await workerOfJob(box);
  await begun(box, 1);

  Deno.kill(first.pid, "SIGKILL");
  await workerOfJob(box, first);
  await begun(box, 2);
  await go(box);

  assertEquals((await client.wait()).code, 0);
  const job = await box.json(["show", "j"]);
  assertEquals(job.runs.map((run: { outcome: string }) => run.outcome), ["lost", "succeeded"]);
  assertEquals(ledger(box), ["start", "start", "end"]);
  await nothingRuns(box);
});

Deno.test("the job of run is for everyone when its worker and its client are killed", async () => {
  await using box = await sandbox();
  const client = await box.start(["run", "--id", "j", JOB]);
  const own = await workerOfJob(box);
  await begun(box, 1);

  await client.kill();
  Deno.kill(own.pid, "SIGKILL");
  await go(box);
  const drained = await box.run(["worker", "run", "--drain"]);

  assertEquals(drained.code, 0);
  assertEquals((await box.json(["show", "j"])).state, "completed");
  await nothingRuns(box);
});

Deno.test("a worker of run that is told to stop gives its job to everyone", async () => {
  await using box = await sandbox();
  const client = await box.start(["run", "--id", "j", "--kill-grace", "1s", JOB]);
  const own = await workerOfJob(box);
  await begun(box, 1);

  await client.kill();
  Deno.kill(own.pid, "SIGTERM");
  await waitFor(
    async () => (await box.json(["worker", "status"]))[0]?.state !== "running",
    "the first TERM to be heard",
  );
  Deno.kill(own.pid, "SIGTERM");
  await nothingRuns(box);

  const job = await box.json(["show", "j"]);
  assertEquals([job.state, job.attempts], ["pending", 0]);
  await go(box);
  await box.ok(["worker", "run", "--drain"]);
  assertEquals((await box.json(["show", "j"])).state, "completed");
});
