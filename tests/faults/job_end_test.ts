/** The end of jobs and of everything that they started. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs } from "../support/ledger.ts";
import { oddSeconds, runningWith } from "../support/process_tree.ts";
import { waitFor } from "../support/wait_for.ts";

const SOON = { strategy: "fixed", base: 2, delay: 0.05, max: 1, jitter: 0 } as const;

async function stateOf(box: Sandbox, id: string): Promise<string | undefined> {
  return (await recordedJobs(box)).find((job) => job.id === id)?.state;
}

Deno.test("a job that runs longer than its timeout is ended with all its children", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const id = await box.ok([
    ...["enqueue", "--timeout", "300ms", "--max-retries", "0"],
    `sleep ${seconds} & sleep ${seconds}`,
  ]);

  await box.run(["worker", "run", "--drain"]);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.runs[0].outcome], ["dead", "timed_out"]);
  assertEquals(runningWith("sleep", seconds), []);
});

Deno.test("a job that ignores TERM is killed after its grace, with all its children", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const id = await box.ok([
    // Long enough for the shell to set its trap, also where it waits for a processor.
    ...["enqueue", "--timeout", "3s", "--kill-grace", "500ms", "--max-retries", "0"],
    `trap '' TERM; sleep ${seconds} & sleep ${seconds}`,
  ]);

  await box.run(["worker", "run", "--drain"]);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.runs[0].outcome, job.runs[0].signal], ["dead", "timed_out", "SIGKILL"]);
  assertEquals(runningWith("sleep", seconds), []);
});

Deno.test("what a run detached is gone before the second run begins", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  // It says how many of its kind it finds before it starts its own.
  const count = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c '^${seconds}$'`;
  // It says so once it has left the group of the job: what is still in there ends with the run.
  const detached = `setsid sh -c ': >"left-$0"; exec sleep ${seconds}' "$QUEUECTL_RUN" </dev/null >/dev/null 2>&1 &`;
  const command = `${count} >>found; ${detached} until [ -e "left-$QUEUECTL_RUN" ]; do sleep 0.02; done; exit 1`;
  await enqueueJobs(box, [{ command, max_retries: 2, backoff: SOON }]);

  await box.run(["worker", "run", "--drain"]);

  assertEquals(Deno.readTextFileSync(`${box.directory}/found`), "0\n0\n0\n");
  // Nothing comes after the last run: its own is left alone.
  const left = await waitFor(() => runningWith("sleep", seconds)[0], "what the last run detached");
  Deno.kill(left, "SIGKILL");
});

Deno.test("what wiped its environment but stayed in the group of its run is gone before the second run begins", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const count = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c '^${seconds}$'`;
  const command = `${count} >>found; env -i sleep ${seconds} </dev/null >/dev/null 2>&1 & sleep 0.1; exit 1`;
  await enqueueJobs(box, [{ command, max_retries: 2, backoff: SOON }]);

  await box.run(["worker", "run", "--drain"]);

  assertEquals(Deno.readTextFileSync(`${box.directory}/found`), "0\n0\n0\n");
  for (const left of runningWith("sleep", seconds)) Deno.kill(left, "SIGKILL");
});

Deno.test("a worker is killed in a long job: another runs it again, and the first tree is gone before", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const command = `echo "$QUEUECTL_RUN" >>runs; [ "$QUEUECTL_RUN" = 2 ] || sleep ${seconds} & wait`;
  const [id] = await enqueueJobs(box, [{ command }]);
  const first = await box.start(["worker", "run"]);
  await waitFor(() => runningWith("sleep", seconds).length === 1, "the job to run");
  const second = await box.start(["worker", "run"]);

  await first.kill();
  await waitFor(async () => await stateOf(box, id!) === "completed", "the job to be run by the other worker");

  assertEquals(runningWith("sleep", seconds), []);
  assertEquals(Deno.readTextFileSync(`${box.directory}/runs`), "1\n2\n");
  second.signal("SIGTERM");
  assertEquals((await second.wait()).code, 0);
  const job = await box.json(["show", id!]);
  assertEquals([job.attempts, job.crashes, job.runs.map((run: { outcome: string }) => run.outcome)], [
    1,
    0,
    ["lost", "succeeded"],
  ]);
});

Deno.test("a job that kills its worker is dead after three crashes, with a telling reason; the one beside it completes", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const [killer, beside] = await enqueueJobs(box, [
    { command: "sleep 0.2; kill -9 $PPID; sleep 5" },
    { command: ledger.command({ ticks: 20 }) },
  ]);
  for (let crash = 1; crash <= 3; crash++) {
    assertEquals((await box.run(["worker", "run", "--concurrency", "2"])).signal, "SIGKILL");
  }
  await box.run(["worker", "run", "--drain", "--concurrency", "2"]);

  const jobs = await recordedJobs(box);
  const [killed, completed] = [killer, beside].map((id) => jobs.find((job) => job.id === id)!);
  assertEquals([killed!.state, killed!.crashes, killed!.run_count], ["dead", 3, 3]);
  assertMatch(
    killed!.reason ?? "",
    /^worker died 3 times while running it \(max_crashes 3\): process \d+ on .* is gone$/,
  );
  assertEquals(completed!.state, "completed");
});

Deno.test("cancel from another terminal ends a running job and its children", async () => {
  await using box = await sandbox();
  const seconds = oddSeconds();
  const [id] = await enqueueJobs(box, [{ command: `sleep ${seconds} & sleep ${seconds}` }]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => runningWith("sleep", seconds).length === 2, "the job to run");

  await box.ok(["cancel", id!]);
  await waitFor(async () => await stateOf(box, id!) === "cancelled", "the job to be cancelled");

  assertEquals(runningWith("sleep", seconds), []);
  worker.signal("SIGTERM");
  assertEquals((await worker.wait()).code, 0);
  assertEquals((await box.json(["show", id!])).runs[0].outcome, "cancelled");
});

Deno.test("the first TERM lets jobs finish and claims nothing more", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const ids = await enqueueJobs(box, Array(3).fill({ command: ledger.command({ ticks: 15 }) }));
  const worker = await box.start(["worker", "run"]);
  await waitFor(() => ledger.starts(ids[0]!) === 1, "the first job to run");

  worker.signal("SIGTERM");
  assertEquals((await worker.wait()).code, 0);

  const states = (await recordedJobs(box)).map(({ id, state }) => [id, state]);
  assertEquals(new Map(states as [string, string][]).get(ids[0]!), "completed");
  assertEquals(ledger.lines().filter(({ what }) => what === "start").length, 1);
  await box.ok(["worker", "run", "--drain"]);
  await checkLedger(box, ledger, ids);
});

for (
  const { name, env, signals } of [
    { name: "a second signal", env: {}, signals: ["SIGTERM", "SIGINT"] },
    { name: "the end of shutdown_timeout", env: { QUEUECTL_SHUTDOWN_TIMEOUT: "200ms" }, signals: ["SIGTERM"] },
  ] as const
) {
  Deno.test(`${name} releases running jobs: pending, attempt given back, run interrupted`, async () => {
    await using box = await sandbox();
    const seconds = oddSeconds();
    const ids = await enqueueJobs(box, Array(2).fill({ command: `sleep ${seconds}` }));
    const worker = await box.start(["worker", "run", "--concurrency", "2"], { env });
    await waitFor(() => runningWith("sleep", seconds).length === 2, "the jobs to run");

    for (const signal of signals) worker.signal(signal);
    assertEquals((await worker.wait()).code, 0);

    assertEquals(runningWith("sleep", seconds), []);
    for (const job of await recordedJobs(box)) {
      assertEquals([job.state, job.attempts, job.crashes, job.worker_id], ["pending", 0, 0, null], ids.join());
      assertEquals(job.runs.map(({ outcome }) => outcome), ["interrupted"]);
    }
  });
}

Deno.test(".stop_workers stops every worker as a TERM does, and none starts while it is there", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const ids = await enqueueJobs(box, [{ command: ledger.command({ ticks: 15 }) }]);
  const workers = [await box.start(["worker", "run"]), await box.start(["worker", "run"])];
  await waitFor(() => ledger.starts(ids[0]!) === 1, "the job to run");
  await waitFor(async () => (await box.json(["worker", "status"])).length === 2, "both workers to be there");

  Deno.writeTextFileSync(`${box.db}.d/.stop_workers`, "");
  for (const worker of workers) assertEquals((await worker.wait()).code, 0, worker.stderr());
  const refused = await box.run(["worker", "run"]);

  assertEquals(refused.code, 4);
  assertMatch(refused.stderr, /^queuectl: Cannot start workers: the file .*\.stop_workers exists\nTry: rm /);
  await checkLedger(box, ledger, ids);
});
