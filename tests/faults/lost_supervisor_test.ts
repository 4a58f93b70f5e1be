/** Supervisors that are killed, or hang: their workers see to it, and so does whoever stops the pool. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

async function supervisorOf(box: PoolBox): Promise<{ pid: number }> {
  const [pool] = (await box.json(["status"])).pools;
  return { pid: pool?.supervisor?.pid ?? 0 };
}

async function anotherThan(box: PoolBox, before: number): Promise<number> {
  return await waitFor(async () => {
    const { pid } = await supervisorOf(box);
    return pid !== before && pid !== 0 && pid;
  }, "another supervisor");
}

async function shortLease(box: PoolBox): Promise<void> {
  await box.ok(["config", "set", "lease", "2s"]);
  await box.ok(["config", "set", "heartbeat_interval", "500ms"]);
}

Deno.test("supervisor and worker are killed together with jobs waiting: the pool is whole again by itself", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "3"]);
  const job = await box.gatedJob("long");
  await job.started();
  const workers = await box.workers();
  const { pid } = await supervisorOf(box);
  const holder = workers.find(({ jobs }) => jobs.length > 0)!;

  Deno.kill(pid, "SIGKILL");
  Deno.kill(holder.pid, "SIGKILL");
  const began = performance.now();
  await anotherThan(box, pid);
  await box.untilWorking(3);
  const seconds = (performance.now() - began) / 1_000;

  assert(seconds < 25, `it took ${seconds} s`);
  await job.letGo();
  await box.untilState(job.id, "completed");
  assertMatch(await box.ok(["worker", "logs", "--level", "warn"]), /supervisor_restarted/);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("a supervisor that hangs is killed and replaced by its workers, and what died meanwhile is, too", async () => {
  await using box = await poolBox();
  await shortLease(box);
  await box.ok(["worker", "start", "--count", "2"]);
  const { pid } = await supervisorOf(box);
  const [worker] = await box.workers();

  Deno.kill(pid, "SIGSTOP");
  Deno.kill(worker!.pid, "SIGKILL");

  await anotherThan(box, pid);
  await box.untilWorking(2);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

for (const how of [["--force"], ["--timeout", "1s"], []]) {
  Deno.test(`worker stop ${how.join(" ")} says that the supervisor does not answer, ends it, and stops the pool`, async () => {
    await using box = await poolBox();
    await box.ok(["worker", "start"]);
    const { pid } = await supervisorOf(box);
    Deno.kill(pid, "SIGSTOP");

    const { code, stderr } = await box.run(["worker", "stop", ...how]);

    assertEquals(code, 0, stderr);
    assertMatch(stderr, new RegExp(`its supervisor \\(pid ${pid}\\) does not answer`));
    await box.untilEmpty();
  });
}

Deno.test("a pool that was told to stop gets no other supervisor from its workers", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);
  const job = await box.gatedJob("long");
  await job.started();
  const stop = await box.start(["worker", "stop"]);
  await waitFor(async () => (await box.workers()).every(({ state }) => state === "draining"), "the worker to drain");
  const { pid } = await supervisorOf(box);
  await stop.kill();
  Deno.kill(pid, "SIGKILL");

  await job.letGo();
  await box.untilEmpty();
});

Deno.test("the supervisor dies while a pool without workers is scaled: scale starts another", async () => {
  await using box = await poolBox();
  const { pid } = await poolWithoutWorkers(box);

  const scale = await box.start(["worker", "scale", "2"], { patienceMs: 120_000 });
  await waitFor(() => scale.stderr().includes("waiting for workers"), "the command to wait");
  Deno.kill(pid, "SIGKILL");

  assertEquals((await scale.wait()).code, 0, scale.stderr());
  await box.untilWorking(2);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("the supervisor of a pool without workers hangs: scale ends it and starts another", async () => {
  await using box = await poolBox();
  await shortLease(box);
  const { pid } = await poolWithoutWorkers(box);

  const scale = await box.run(["worker", "scale", "2"], { patienceMs: 120_000 });

  assertEquals(scale.code, 0, scale.stderr);
  assert((await supervisorOf(box)).pid !== pid);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

/** Its supervisor is stopped, and its only worker was killed. */
async function poolWithoutWorkers(box: PoolBox): Promise<{ pid: number }> {
  await box.ok(["worker", "start"]);
  const [worker] = await box.workers();
  const supervisor = await supervisorOf(box);
  Deno.kill(supervisor.pid, "SIGSTOP");
  Deno.kill(worker!.pid, "SIGKILL");
  return supervisor;
}
