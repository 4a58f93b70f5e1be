import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { poolBox, type SeenWorker } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

const pids = (workers: readonly SeenWorker[]) => workers.map(({ pid }) => pid).sort((a, b) => a - b);

Deno.test("worker stop waits for running jobs and loses none", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const jobs = [await box.gatedJob("one"), await box.gatedJob("two")];
  for (const job of jobs) await job.started();
  const waiting = await box.ok(["enqueue", "true"]);

  const stop = await box.start(["worker", "stop"]);
  await waitFor(() => stop.stderr().includes("stopping pool default: 2 workers, 2 jobs still running"), "its progress");
  await waitFor(async () => (await box.workers()).every(({ state }) => state === "draining"), "all workers to drain");
  for (const job of jobs) await job.letGo();
  const ended = await stop.wait();

  assertEquals([ended.code, ended.stdout], [0, "Stopped pool default\n"]);
  for (const job of jobs) {
    const { state, attempts, runs } = await box.json(["show", job.id]);
    assertEquals([state, attempts, runs.length], ["completed", 1, 1]);
  }
  assertEquals((await box.json(["show", waiting])).state, "pending");
  await box.untilEmpty();
});

Deno.test("worker stop --timeout gives running jobs back with their attempts", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);
  const job = await box.gatedJob("long");
  await job.started();

  await box.ok(["worker", "stop", "--timeout", "300ms"]);

  const { state, attempts, runs } = await box.json(["show", job.id]);
  assertEquals([state, attempts, runs.map(({ outcome }: { outcome: string }) => outcome)], [
    "pending",
    0,
    ["interrupted"],
  ]);
  await box.untilEmpty();
});

Deno.test("worker stop --force makes a stop that waits give the jobs back now", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const job = await box.gatedJob("long");
  await job.started();
  const patient = await box.start(["worker", "stop"]);
  await waitFor(async () => (await box.workers()).some(({ state }) => state === "draining"), "the worker to drain");

  await box.ok(["worker", "stop", "--force"]);

  assertEquals((await patient.wait()).code, 0);
  const { state, attempts } = await box.json(["show", job.id]);
  assertEquals([state, attempts], ["pending", 0]);
  await box.untilEmpty();
});

Deno.test("worker stop where nothing runs is fine; of an unknown pool it is exit 3", async () => {
  await using box = await poolBox();

  const nothing = await box.run(["worker", "stop"]);
  const unknown = await box.run(["worker", "stop", "--pool", "nope"]);

  assertEquals([nothing.code, nothing.stdout, nothing.stderr], [0, "", "No pool is running\n"]);
  assertEquals(unknown.code, 3);
  assertEquals((await box.run(["worker", "scale", "2"])).code, 3);
  assertEquals((await box.run(["worker", "restart"])).code, 3);
});

Deno.test("worker scale up adds workers, down drains and interrupts nothing", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "1"]);
  const before = pids(await box.workers());

  await box.ok(["worker", "scale", "3"]);

  const three = pids(await box.workers());
  assertEquals(three.length, 3);
  assert(three.includes(before[0]!));
  const jobs = [await box.gatedJob("a"), await box.gatedJob("b"), await box.gatedJob("c")];
  for (const job of jobs) await job.started();

  const scaled = await box.ok(["worker", "scale", "1"]);

  assertMatch(scaled, /^Scaled pool default: 1 worker \(pid \d+\); 2 earlier workers finish first$/);
  for (const job of jobs) await job.letGo();
  for (const job of jobs) assertEquals((await box.untilState(job.id, "completed")).runs.length, 1);
  await waitFor(async () => (await box.workers()).length === 1, "the surplus workers to end");
  await box.ok(["worker", "stop"]);
});

Deno.test("worker restart replaces workers and supervisor; what runs is finished", async () => {
  await using box = await poolBox();
  const started = await box.json(["worker", "start", "--count", "2"]);
  const job = await box.gatedJob("long");
  await job.started();

  const restarted = await box.json(["worker", "restart"]);

  assertEquals([restarted.workers.length, restarted.generation, restarted.draining > 0], [2, 2, true]);
  const old = new Set(started.workers.map(({ pid }: SeenWorker) => pid));
  assert(restarted.workers.every(({ pid }: SeenWorker) => !old.has(pid)));
  assertNotEquals(restarted.supervisor_pid, started.supervisor_pid);
  await job.letGo();
  assertEquals((await box.untilState(job.id, "completed")).runs.length, 1);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("worker restart takes other options", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);

  await box.ok(["worker", "restart", "--count", "2", "--concurrency", "5", "--queue", "mail"]);

  const workers = await box.untilWorking(2);
  assertEquals(workers.map(({ slots, queues }) => [slots, queues]), [[5, ["mail"]], [5, ["mail"]]]);
  await box.ok(["worker", "stop"]);
});

Deno.test("worker restart picks up a program that was replaced on disk", async () => {
  await using box = await poolBox();
  const program = `${box.directory}/queuectl`;
  await Deno.copyFile(box.binary, program);
  await Deno.chmod(program, 0o755);
  await box.ok(["worker", "start"], { program });
  // As an upgrade does it: a new file in the place of the old one.
  await Deno.copyFile(box.binary, `${program}.new`);
  await Deno.chmod(`${program}.new`, 0o755);
  await Deno.rename(`${program}.new`, program);

  await box.ok(["worker", "restart"], { program });

  const [worker] = await box.untilWorking(1);
  assertEquals(Deno.readLinkSync(`/proc/${worker!.pid}/exe`), program);
  await box.ok(["worker", "stop"]);
});

Deno.test("worker restart with a program that does not run keeps the old workers, and says why", async () => {
  await using box = await poolBox();
  const program = `${box.directory}/queuectl`;
  await Deno.copyFile(box.binary, program);
  await Deno.chmod(program, 0o755);
  await box.ok(["worker", "start"], { program });
  const before = pids(await box.workers());
  await Deno.writeTextFile(`${program}.new`, "#!/bin/sh\nexit 3\n");
  await Deno.chmod(`${program}.new`, 0o755);
  await Deno.rename(`${program}.new`, program);

  const failed = await box.run(["worker", "restart"]);

  assertEquals(failed.code, 1);
  assertMatch(failed.stderr, /^queuectl: Cannot start the workers of pool "default": it ended with code 3$/m);
  assertEquals(pids(await box.workers()), before);
  const id = await box.ok(["enqueue", "true"]);
  await box.untilState(id, "completed");
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test(".stop_workers stops all pools, and nothing is started while it is there", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  await box.ok(["worker", "start", "--pool", "other"]);

  await Deno.writeTextFile(`${box.folder}/.stop_workers`, "");

  await box.untilEmpty();
  assertEquals(await box.workers(), []);
  const refused = await box.run(["worker", "start"]);
  assertEquals(refused.code, 4);
  assertMatch(refused.stderr, /^queuectl: Cannot start workers: the file .*\.stop_workers exists$/m);
  await Deno.remove(`${box.folder}/.stop_workers`);
  await box.ok(["worker", "start"]);
  await box.ok(["worker", "stop"]);
});

Deno.test("pools side by side serve their own queues, and are stopped one by one", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--pool", "mail", "--queue", "mail"]);
  await box.ok(["worker", "start", "--pool", "rest", "--queue", "urgent,default"]);
  const ids = await Promise.all(
    ["mail", "default", "urgent"].map((queue) => box.ok(["enqueue", "--queue", queue, "true"])),
  );

  const ran = await Promise.all(ids.map(async (id) => (await box.untilState(id, "completed")).worker_id));

  const poolOf = new Map((await box.workers()).map(({ id, pool }) => [id, pool]));
  assertEquals(ran.map((id) => poolOf.get(id)), ["mail", "rest", "rest"]);
  assertEquals(await box.ok(["__complete", "pool", ""]), "mail\nrest");
  await box.ok(["worker", "stop", "--pool", "mail"]);
  assertEquals((await box.workers()).map(({ pool }) => pool), ["rest"]);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});
