/** Pools whose processes are killed, told twice, or replaced under load. @module */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type PoolBox, poolBox } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

async function supervisorPid(box: PoolBox): Promise<number> {
  const { pools } = await box.json(["status"]);
  return pools[0].supervisor.pid;
}

function kill(...pids: number[]): void {
  for (const pid of pids) Deno.kill(pid, "SIGKILL");
}

/** Quick jobs that each write a line when they begin; gives their ids. */
async function enqueueQuick(box: PoolBox, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `quick-${i}`);
  const jobs = ids.map((id) => ({ id, command: `echo ${id} >>'${box.directory}/ledger'; sleep 0.05` }));
  await box.ok(["enqueue-batch", "-"], { stdin: jobs.map((job) => JSON.stringify(job)).join("\n") });
  return ids;
}

/** Every job completed, in one run, and wrote its line once. */
async function assertAllRanOnce(box: PoolBox, ids: readonly string[]): Promise<void> {
  await waitFor(async () => (await box.json(["status"])).jobs.completed === ids.length, "all jobs to complete");
  const jobs = await box.json(["list", "--limit", "0"]);
  assertEquals(jobs.filter((job: { run_count: number }) => job.run_count !== 1), []);
  const lines = (await Deno.readTextFile(`${box.directory}/ledger`)).trim().split("\n");
  assertEquals(lines.sort(), [...ids].sort());
}

Deno.test("without their supervisor workers go on; the next start heals the pool without doubles", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "3"]);
  const before = await box.workers();
  const killed = await supervisorPid(box);
  kill(killed, before[0]!.pid);

  const id = await box.ok(["enqueue", "true"]);
  await box.untilState(id, "completed");
  await waitFor(async () => (await box.json(["status"])).warnings.join().includes("has no supervisor"), "a warning");
  await box.ok(["worker", "start"]);

  const after = await box.untilWorking(3);
  const survivors = before.slice(1).map(({ pid }) => pid);
  assert(survivors.every((pid) => after.some((worker) => worker.pid === pid)), "the living were not adopted");
  assert(await supervisorPid(box) !== killed);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("a start with other options is refused also where only the workers live", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  kill(await supervisorPid(box));

  assertEquals((await box.run(["worker", "start", "--count", "5"])).code, 4);

  // Both bring a supervisor of their own.
  await box.ok(["worker", "scale", "1"]);
  await box.untilWorking(1);
  kill(await supervisorPid(box));
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("a worker that dies is replaced by its supervisor, also one that it adopted", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const [child] = await box.workers();
  kill(child!.pid);
  await waitFor(
    async () => !(await box.workers()).some(({ pid, state }) => pid === child!.pid && state === "running"),
    "its death",
  );
  await box.untilWorking(2);

  kill(await supervisorPid(box));
  await box.ok(["worker", "start"]);
  const [adopted] = await box.untilWorking(2);
  kill(adopted!.pid);

  await waitFor(async () => {
    const working = (await box.workers()).filter(({ state }) => state === "running");
    return working.length === 2 && working.every(({ pid }) => pid !== adopted!.pid);
  }, "another worker in its place");
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("after everything was killed the next start brings the pool and its jobs back", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const job = await box.gatedJob("long");
  await job.started();
  await box.killAll();
  assertEquals((await box.workers()).filter(({ state }) => state !== "dead"), []);

  await box.ok(["worker", "start"]);
  await box.untilWorking(2);
  await job.letGo();

  const { runs } = await box.untilState(job.id, "completed");
  assertEquals(runs.map(({ outcome }: { outcome: string }) => outcome), ["lost", "succeeded"]);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("TERM twice to a worker gives its job back at once, and the pool gets another worker", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);
  const job = await box.gatedJob("long");
  await job.started();
  const [worker] = await box.workers();

  Deno.kill(worker!.pid, "SIGTERM");
  await waitFor(
    async () => (await box.workers()).some(({ pid, state }) => pid === worker!.pid && state === "draining"),
    "it to drain",
  );
  Deno.kill(worker!.pid, "SIGTERM");

  const { runs, attempts } = await waitFor(async () => {
    const shown = await box.json(["show", job.id]);
    return shown.runs.length === 2 && shown;
  }, "the job to run again");
  assertEquals([runs[0].outcome, attempts], ["interrupted", 1]);
  await job.letGo();
  await box.untilState(job.id, "completed");
  await box.ok(["worker", "stop"]);
});

Deno.test("killing the supervisor while it stops the pool delays the stop and loses nothing", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const job = await box.gatedJob("long");
  await job.started();
  const stop = await box.start(["worker", "stop"]);
  await waitFor(async () => (await box.workers()).every(({ state }) => state === "draining"), "all workers to drain");

  kill(await supervisorPid(box));
  await job.letGo();

  assertEquals((await stop.wait()).code, 0);
  const { state, runs } = await box.json(["show", job.id]);
  assertEquals([state, runs.length], ["completed", 1]);
  await box.untilEmpty();
});

Deno.test("a rolling restart under load loses and interrupts no job, and is never without a worker", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const ids = await enqueueQuick(box, 100);

  const restart = await box.start(["worker", "restart"]);
  let fewest = Infinity;
  let isOver = false;
  const restarted = restart.wait().finally(() => isOver = true);
  while (!isOver) {
    fewest = Math.min(fewest, (await box.workers()).filter(({ state }) => state === "running").length);
  }

  assertEquals((await restarted).code, 0);
  assert(fewest >= 2, `there were only ${fewest} workers`);
  await assertAllRanOnce(box, ids);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("scaling up and down under load loses and interrupts no job", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "1"]);
  const ids = await enqueueQuick(box, 100);

  for (const count of ["4", "1", "3", "1"]) await box.ok(["worker", "scale", count]);

  await assertAllRanOnce(box, ids);
  await waitFor(async () => (await box.workers()).length === 1, "the surplus workers to end");
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("a pool outlives the terminal that it was started in", async () => {
  await using box = await poolBox();
  // script(1) gives it a terminal; when it is killed, the terminal is gone and everything in it gets HUP.
  const line = `'${box.binary}' worker start --count 2; : >'${box.directory}/ready'; sleep 1000`;
  const terminal = await box.start(["-qc", line, "/dev/null"], { program: "/usr/bin/script" });
  await waitFor(() => Deno.stat(`${box.directory}/ready`).then(() => true, () => false), "the workers to be started");

  await terminal.kill();

  const id = await box.ok(["enqueue", "echo still here"]);
  await box.untilState(id, "completed");
  assertEquals((await box.untilWorking(2)).length, 2);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("when the database is deleted under a pool, all its processes end", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);

  for (const path of [box.db, `${box.db}-wal`, `${box.db}-shm`]) await Deno.remove(path).catch(() => {});

  await box.untilEmpty();
});

Deno.test("a host that is given another name keeps its pool: it is healed, found, restarted and stopped", async () => {
  await using box = await poolBox();
  const script = `
    hostname before
    "$Q" worker start --count 2
    hostname after
    kill -KILL "$("$Q" worker status --format plain | awk 'NR == 1 { print $2 }')"
    until [ "$("$Q" worker status --json | grep -c '"state":"running"')" = 2 ]; do sleep 0.05; done
    "$Q" worker start
    "$Q" worker restart
    "$Q" worker status --json
    "$Q" worker stop
  `;

  const { code, stdout, stderr } = await box.run(["--uts", "timeout", "50", "sh", "-c", script], {
    program: "/usr/bin/unshare",
    env: { Q: box.binary },
  });

  assertEquals(code, 0, stderr);
  assertMatch(stdout, /^Already running: pool default: 2 workers/m);
  assertMatch(stdout, /^Restarted pool default: 2 workers/m);
  assertEquals(new Set(stdout.match(/"host":"\w+"/g)), new Set(['"host":"before"']));
  assertMatch(stdout, /^Stopped pool default$/m);
  await box.untilEmpty();
});

Deno.test("status tells how to bring back the supervisor of the very pool that has none", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--pool", "mail"]);
  kill(await supervisorPid(box));

  const warnings = await waitFor(async () => {
    const found: string[] = (await box.json(["status"])).warnings;
    return found.length > 0 && found.join();
  }, "a warning");

  assertMatch(warnings, /has no supervisor; queuectl worker start --pool mail brings one$/);
  assertMatch(await box.ok(["worker", "start", "--pool", "mail"]), /^Adopted pool mail/);
  await box.ok(["worker", "stop"]);
});
