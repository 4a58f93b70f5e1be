/** Somebody holds the write lock of the database for long. A file of its own: others run while this one waits. @module */
import { assertEquals } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs } from "../support/ledger.ts";
import { startClient } from "../support/store_clients.ts";
import { waitFor } from "../support/wait_for.ts";

/** Ten leases of the workers here, and within the patience of a command (30 s). */
const HELD_MS = 20_000;

Deno.test("a writer holds the lock for 20 s: nobody is taken for dead, readers read, writers wait, and all goes on", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const go = `${box.directory}/go`;
  const command = `while [ ! -e '${go}' ]; do sleep 0.02; done; ${ledger.command()}`;
  const ids = await enqueueJobs(box, Array(4).fill({ command }));
  const env = { QUEUECTL_LEASE: "2s", QUEUECTL_HEARTBEAT_INTERVAL: "500ms" };
  const workers = [await box.start(["worker", "run"], { env }), await box.start(["worker", "run"], { env })];
  await waitFor(
    async () => (await recordedJobs(box)).filter(({ state }) => state === "processing").length === 2,
    "two jobs to run",
  );

  await using lock = await startClient([box.db, "lock"]);
  const lockedAt = performance.now();
  // Two jobs end and cannot say so; two wait and cannot be claimed.
  await Deno.writeTextFile(go, "");
  const enqueue = await box.start(["enqueue", "--id", "late", ledger.command()]);
  await waitFor(
    () => ledger.lines().filter(({ what }) => what === "end").length === 2,
    "both jobs to end, as far as they are concerned",
  );
  await waitFor(() => performance.now() - lockedAt >= HELD_MS, "the time to pass");
  const { jobs } = await box.json(["status"]);
  assertEquals([jobs.processing, jobs.pending, enqueue.stdout()], [2, 2, ""]);
  await lock.go();
  await lock.result();

  assertEquals(await enqueue.wait(), { code: 0, signal: null, stdout: "late\n", stderr: "" });
  await waitFor(async () => (await recordedJobs(box)).every(({ state }) => state === "completed"), "all jobs to end");
  for (const worker of workers) worker.signal("SIGTERM");
  for (const worker of workers) assertEquals((await worker.wait()).code, 0, worker.stderr());
  const ended = await checkLedger(box, ledger, [...ids, "late"]);
  assertEquals(ended.map(({ run_count, crashes }) => [run_count, crashes]), ended.map(() => [1, 0]));
});
