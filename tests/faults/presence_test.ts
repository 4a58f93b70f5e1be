/** Workers that stop, hang, or are seen from another pid namespace. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { MAINTENANCE_LEASE } from "../../lib/maintenance/maintainer.ts";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs, withStore } from "../support/ledger.ts";
import { oddSeconds, runningWith } from "../support/process_tree.ts";
import { waitFor } from "../support/wait_for.ts";

/** Short, so that silence is noticed within a test; beats come four times as often. */
const LEASE = { QUEUECTL_LEASE: "2s", QUEUECTL_HEARTBEAT_INTERVAL: "500ms" };

/** A worker that sees no process but its own; `pid` is the number that we see. */
async function startInNamespace(box: Sandbox): Promise<{ readonly pid: number; readonly outer: Started }> {
  const before = workersOf(box);
  const outer = await box.start(["-pf", "--mount-proc", box.binary, "worker", "run"], {
    program: "/usr/bin/unshare",
    env: LEASE,
  });
  const pid = await waitFor(() => workersOf(box).find((pid) => !before.includes(pid)), "the worker to start");
  return { pid, outer };
}

/** The first process of each namespace: what a worker is about to start looks like the worker until it is something else. */
function workersOf(box: Sandbox): number[] {
  return box.processes()
    .filter(({ pid, command }) => command === `${box.binary} worker run` && isFirstOfNamespace(pid))
    .map(({ pid }) => pid);
}

function isFirstOfNamespace(pid: number): boolean {
  try {
    return /^NSpid:.*\s1$/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false; // it ended just now
  }
}

/** Stopped in the middle of a transaction, it would keep everybody from writing, and nobody there could end it. */
async function stopBetweenWrites(box: Sandbox, pid: number): Promise<void> {
  await withStore(box.db, (store) =>
    waitFor(() => {
      Deno.kill(pid, "SIGSTOP");
      if (store.blocker() !== pid) return true;
      Deno.kill(pid, "SIGCONT");
      return false;
    }, "a moment between two writes"));
}

/** It must be writing again and again. */
async function stopInsideWrite(box: Sandbox, pid: number): Promise<void> {
  await withStore(box.db, (store) =>
    waitFor(() => {
      Deno.kill(pid, "SIGSTOP");
      if (store.blocker() === pid) return true;
      Deno.kill(pid, "SIGCONT");
      return false;
    }, "a moment inside a write"));
}

async function outcomesOf(box: Sandbox, id: string): Promise<(string | null)[]> {
  const job = (await recordedJobs(box)).find((job) => job.id === id);
  return job?.runs.map(({ outcome }) => outcome) ?? [];
}

async function stateOf(box: Sandbox, id: string): Promise<string | undefined> {
  return (await recordedJobs(box)).find((job) => job.id === id)?.state;
}

Deno.test("workers in separate pid namespaces do not take each other for dead", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  // Longer than the lease.
  const ids = await enqueueJobs(box, Array(2).fill({ command: ledger.command({ ticks: 200 }) }));

  const workers = [await startInNamespace(box), await startInNamespace(box), await startInNamespace(box)];
  await waitFor(
    async () => (await recordedJobs(box)).every(({ state }) => state === "completed"),
    "all jobs to end",
    { timeoutMs: 60_000 },
  );
  for (const { pid } of workers) Deno.kill(pid, "SIGTERM");
  for (const { outer } of workers) await outer.wait();

  const jobs = await checkLedger(box, ledger, ids);
  assertEquals(jobs.map(({ run_count, crashes }) => [run_count, crashes]), [[1, 0], [1, 0]]);
});

Deno.test("a worker that was stopped beyond its lease is late: the job's state is untouched, its processes are gone", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const [id] = await enqueueJobs(box, [{ command: `[ "$QUEUECTL_RUN" = 2 ] || sleep ${seconds}` }]);
  const stopped = await startInNamespace(box);
  await waitFor(() => runningWith("sleep", seconds).length === 1, "the job to run");

  await stopBetweenWrites(box, stopped.pid);
  const other = await startInNamespace(box);
  await waitFor(async () => await stateOf(box, id!) === "completed", "the job to be run elsewhere");
  assertEquals(await outcomesOf(box, id!), ["lost", "succeeded"]);
  Deno.kill(stopped.pid, "SIGCONT");
  await stopped.outer.wait();

  assertEquals(await outcomesOf(box, id!), ["late", "succeeded"]);
  assertEquals(await stateOf(box, id!), "completed");
  assertEquals(runningWith("sleep", seconds), []);
  assertMatch(stopped.outer.stderr(), /registration lost/);
  Deno.kill(other.pid, "SIGTERM");
  await other.outer.wait();
});

Deno.test("a worker of this host that hangs beyond its lease is killed, and its job runs again", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const [id] = await enqueueJobs(box, [{ command: `[ "$QUEUECTL_RUN" = 2 ] || sleep ${seconds}` }]);
  const hanging = await box.start(["worker", "run"], { env: LEASE });
  await waitFor(() => runningWith("sleep", seconds).length === 1, "the job to run");

  await stopBetweenWrites(box, hanging.pid);
  const other = await box.start(["worker", "run"], { env: LEASE });
  await waitFor(async () => await stateOf(box, id!) === "completed", "the job to be run by the other");

  assertEquals((await hanging.wait()).signal, "SIGKILL");
  assertEquals(await outcomesOf(box, id!), ["lost", "succeeded"]);
  assertEquals(runningWith("sleep", seconds), []);
  other.signal("SIGTERM");
  assertEquals((await other.wait()).code, 0);
});

Deno.test("a worker that hangs inside a write is killed by one that cannot even register before", async () => {
  await using box = await sandbox();
  const ids = await enqueueJobs(box, Array(600).fill({ command: "true" }));
  const hanging = await box.start(["worker", "run", "--concurrency", "2"], { env: LEASE });
  await waitFor(async () => (await recordedJobs(box)).some(({ state }) => state === "completed"), "the first results");

  await stopInsideWrite(box, hanging.pid);
  const other = await box.start(["worker", "run", "--drain"], { env: LEASE });

  assertEquals((await hanging.wait()).signal, "SIGKILL");
  assertEquals((await other.wait()).code, 0);
  assertEquals((await recordedJobs(box)).filter(({ state }) => state !== "completed"), []);
  assertEquals((await recordedJobs(box)).length, ids.length);
});

Deno.test("when the one who does maintenance and another are killed together, a busy third rescues the jobs of both", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const ids = await enqueueJobs(box, Array(3).fill({ command: `sleep ${seconds}` }));
  const workers: Started[] = [];
  // So long that nothing can be owed to silence: within seconds only their locks tell that they are gone.
  const env = { QUEUECTL_LEASE: "1h" };
  for (let n = 1; n <= 3; n++) {
    workers.push(await box.start(["worker", "run"], { env }));
    await waitFor(() => runningWith("sleep", seconds).length === n, `job ${n} to run`);
  }
  const holder = await waitFor(
    () => withStore(box.db, async (store) => (await store.leases.get(MAINTENANCE_LEASE))?.holder.pid),
    "somebody to do maintenance",
  );
  const [first, second] = workers.filter(({ pid }) => pid !== holder);

  for (const pid of [holder, first!.pid]) Deno.kill(pid, "SIGKILL");
  const pending = async () => (await recordedJobs(box)).filter(({ state }) => state === "pending");
  await waitFor(async () => (await pending()).length === 2, "both jobs to be given back");

  assertEquals((await pending()).map(({ crashes }) => crashes), [1, 1]);
  assertEquals(runningWith("sleep", seconds).length, 1);
  for (const signal of ["SIGTERM", "SIGINT"] as const) second!.signal(signal);
  assertEquals((await second!.wait()).code, 0, ids.join());
});

Deno.test("a worker and its guardian are killed at once: what the job left is gone before it runs again", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const command = `[ "$QUEUECTL_RUN" = 2 ] || { setsid sleep ${seconds} & sleep ${seconds}; }`;
  const [id] = await enqueueJobs(box, [{ command }]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => runningWith("sleep", seconds).length === 2, "the job to run");
  const guardian = box.processes().find(({ command }) => command.includes("while read -r _ p start _"))!;

  for (const pid of [guardian.pid, worker.pid]) Deno.kill(pid, "SIGKILL");
  await worker.wait();
  assertEquals(runningWith("sleep", seconds).length, 2, "without a guardian they go on");
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(runningWith("sleep", seconds), []);
  assertEquals(await outcomesOf(box, id!), ["lost", "succeeded"]);
});

Deno.test("a worker that can start no other guardian at the moment goes on, and gets one later", async () => {
  await using box = await sandbox();
  const seconds = `1.${Deno.pid}`;
  const [id] = await enqueueJobs(box, [{ command: `sleep ${seconds}` }]);
  const worker = await box.start(["worker", "run"]);
  const openFiles = async (limit: string) => {
    await box.ok(["--pid", String(worker.pid), `--nofile=${limit}:`], { program: "prlimit" });
  };
  const guardian = () => box.processes().find(({ command }) => command.includes("while read -r _ p start _"))?.pid;
  await waitFor(() => runningWith("sleep", seconds).length === 1, "the job to run");

  await openFiles("3");
  Deno.kill(guardian()!, "SIGKILL");
  // Several tries are over by then.
  await waitFor(() => runningWith("sleep", seconds).length === 0, "the job to end");
  await openFiles("1024");
  await waitFor(() => guardian() !== undefined, "another guardian");
  worker.signal("SIGTERM");

  assertEquals((await worker.wait()).code, 0);
  assertEquals(await outcomesOf(box, id!), ["succeeded"]);
});

Deno.test("what died leaves no file behind in run/", async () => {
  await using box = await sandbox();
  await enqueueJobs(box, [{ command: "kill -9 $PPID" }]);
  await box.run(["worker", "run"]);
  // Registered by nobody: it died before that.
  Deno.writeTextFileSync(`${box.db}.d/run/worker-stale.lock`, "");

  await box.run(["worker", "run", "--idle-exit", "0s"]);
  await box.run(["worker", "run", "--idle-exit", "0s", "--queue", "other"]);

  const files = [...Deno.readDirSync(`${box.db}.d/run`)].filter((entry) => entry.isFile).map(({ name }) => name);
  assertEquals(files.filter((name) => !/^worker-/.test(name) || /stale/.test(name)), []);
});
