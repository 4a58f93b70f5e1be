/** Rescue, with processes that really run. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ownIdentity, processStart } from "../../../lib/host/process_identity.ts";
import { orphanRescue } from "../../../lib/maintenance/rescue_orphans.ts";
import { aJob, aWorker } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { lockHolder } from "../../support/lock_holder.ts";
import { tempStore } from "../../support/temp_store.ts";

/** Dead, on this host: no process has this number. */
const GONE = { ...ownIdentity(), pid: 2 ** 22 + 1, process_start: "1" };

/** What a dead worker leaves in `run/`: a lock that nobody holds, and what it noted. */
function leaveFiles(folder: string, workerId: string, groups = ""): void {
  Deno.mkdirSync(`${folder}/run`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/run/worker-${workerId}.lock`, "");
  Deno.writeTextFileSync(`${folder}/run/worker-${workerId}.groups`, groups);
}

/** The first call fails as on a full disk. */
function failAt<A extends unknown[], T>(tries: number, work: (...args: A) => Promise<T>, args: A): Promise<T> {
  return tries === 0 ? Promise.reject(new Error("database or disk is full")) : work(...args);
}

Deno.test("the jobs of a worker whose lock is free are given back at once, and its files removed", async () => {
  await using temp = await tempStore();
  const context = maintenanceOf(temp);
  await temp.store.workers.register(aWorker({ ...GONE, id: "w1" }));
  const job = await aJob(temp.store, { state: "processing", workerId: "w1" });
  leaveFiles(temp.store.folder, "w1");

  assertEquals(await orphanRescue(temp).runOnce(context), { workers: 1, jobs: 1, hanging: 0 });

  assertEquals((await temp.store.jobs.find(job.id)).state, "pending");
  assertEquals([...Deno.readDirSync(`${temp.store.folder}/run`)].filter((entry) => entry.isFile), []);
});

Deno.test("when the store fails at one dead worker, the jobs of all are given back by the next look", async () => {
  await using temp = await tempStore();
  const ids = ["w1", "w2"];
  for (const id of ids) await temp.store.workers.register(aWorker({ ...GONE, id }));
  const jobs = await Promise.all(ids.map((workerId) => aJob(temp.store, { state: "processing", workerId })));
  for (const id of ids) leaveFiles(temp.store.folder, id);
  const { jobs: working } = temp.store;
  const rescue = working.rescue;
  let tries = 0;
  const failing = { ...working, rescue: (...args: Parameters<typeof rescue>) => failAt(tries++, rescue, args) };
  const context = { ...maintenanceOf(temp), store: { ...temp.store, jobs: failing } };
  const task = orphanRescue(context);

  await assertRejects(() => Promise.resolve(task.runOnce(context)), Error, "full");
  assertEquals(await task.runOnce(context), { workers: 2, jobs: 2, hanging: 0 });

  for (const { id } of jobs) assertEquals((await temp.store.jobs.find(id)).state, "pending");
});

Deno.test("what runs of a lost job left, in their group or detached, is gone before the job is given back", async () => {
  await using temp = await tempStore();
  const context = maintenanceOf(temp);
  await temp.store.workers.register(aWorker({ ...GONE, id: "w1" }));
  const job = await aJob(temp.store, { state: "processing", workerId: "w1" });
  // One that was recorded and wiped its environment, one that carries the cookie, one that an earlier version started.
  const recorded = new Deno.Command("sleep", { args: ["60"], clearEnv: true, detached: true }).spawn();
  const claimed = { QUEUECTL_CLAIM: String(job.claim), QUEUECTL_JOB_ID: job.id };
  const cookie = { ...claimed, QUEUECTL_STORE: temp.store.identity };
  const [detached, earlier] = [cookie, { ...claimed, QUEUECTL_DB: temp.store.location }].map((env) =>
    new Deno.Command("sleep", { args: ["60"], env, detached: true }).spawn()
  ) as [Deno.ChildProcess, Deno.ChildProcess];
  leaveFiles(temp.store.folder, "w1", `${job.claim} ${recorded.pid} ${processStart(recorded.pid)}\n`);

  await orphanRescue(temp).runOnce(context);

  for (const process of [recorded, detached, earlier]) assertEquals((await process.status).signal, "SIGKILL");
  assertEquals((await temp.store.jobs.find(job.id)).state, "pending");
});

Deno.test("a process that has the number of a recorded one, or the cookie of another job or store, is left alone", async () => {
  await using temp = await tempStore();
  await temp.store.workers.register(aWorker({ ...GONE, id: "w1" }));
  const job = await aJob(temp.store, { state: "processing", workerId: "w1" });
  const cookie = {
    QUEUECTL_CLAIM: String(job.claim),
    QUEUECTL_JOB_ID: job.id,
    QUEUECTL_STORE: temp.store.identity,
    QUEUECTL_DB: temp.store.location,
  };
  const { QUEUECTL_STORE: _, ...fromEarlierVersion } = cookie;
  const cookies = [
    { ...cookie, QUEUECTL_JOB_ID: `${job.id}x` },
    { ...cookie, QUEUECTL_CLAIM: String(job.claim + 1) },
    { ...cookie, QUEUECTL_STORE: crypto.randomUUID() },
    { ...fromEarlierVersion, QUEUECTL_DB: `${temp.store.location}.copy` },
  ];
  const others = cookies.map((env) => new Deno.Command("sleep", { args: ["60"], env, detached: true }).spawn());
  leaveFiles(temp.store.folder, "w1", `${job.claim} ${others[0]!.pid} 1\n`);

  await orphanRescue(temp).runOnce(maintenanceOf(temp));

  for (const other of others) {
    assert(processStart(other.pid) !== "", "it was killed");
    other.kill("SIGKILL");
    assertEquals((await other.status).signal, "SIGKILL");
  }
  assertEquals((await temp.store.jobs.find(job.id)).state, "pending");
});

Deno.test("a worker on another host keeps its jobs for a lease, whatever its clock says, and no longer", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const context = maintenanceOf(temp);
  const rescue = orphanRescue(temp);
  await temp.store.workers.register(aWorker({ id: "far", host: "web2", pid: 7 }));
  const job = await aJob(temp.store, { state: "processing", workerId: "far" });
  const look = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000);
      await rescue.runOnce(context);
    }
    return (await temp.store.jobs.find(job.id)).state;
  };

  assertEquals(await look(15), "processing");
  clock.set(clock.now() + 3_600_000);
  assertEquals(await look(15), "processing");
  clock.set(clock.now() - 7_200_000);
  assertEquals(await look(1), "pending");
  const { reason } = await temp.store.jobs.find(job.id);
  assertEquals(reason, "worker died while running it (crash 1 of 3): no sign of life of process 7 on web2 for 30s");
});

Deno.test("a job whose worker is not registered is given back after a lease", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const context = maintenanceOf(temp, { lease: "10s" });
  const rescue = orphanRescue(temp);
  const job = await aJob(temp.store, { state: "processing", workerId: "nobody" });

  for (let second = 0; second <= 9; second++) {
    await rescue.runOnce(context);
    clock.advance(1_000);
  }
  assertEquals((await temp.store.jobs.find(job.id)).state, "processing");
  await rescue.runOnce(context);

  assertEquals((await temp.store.jobs.find(job.id)).state, "pending");
});

Deno.test("a worker of this host that hangs is killed", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const context = maintenanceOf(temp, { lease: "10s" });
  const rescue = orphanRescue(temp);
  const child = await lockHolder(`${temp.store.folder}/run`, "w1");
  const identity = { ...ownIdentity(), pid: child.pid, process_start: processStart(child.pid) };
  await temp.store.workers.register(aWorker({ ...identity, id: "w1" }));
  const job = await aJob(temp.store, { state: "processing", workerId: "w1" });

  for (let second = 0; second <= 10; second++) {
    await rescue.runOnce(context);
    clock.advance(1_000);
  }

  assertEquals((await child.status).signal, "SIGKILL");
  await rescue.runOnce(context);
  assertEquals((await temp.store.jobs.find(job.id)).state, "pending");
});
