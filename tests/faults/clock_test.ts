/** Somebody sets the clocks of hosts on which workers run. @module */
import { assertEquals } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs } from "../support/ledger.ts";
import { waitFor } from "../support/wait_for.ts";

const HOUR_MS = 60 * 60 * 1_000;
const CLOCKED = new URL("../support/clocked_queuectl.ts", import.meta.url).pathname;

/** Short, so that a worker that is taken for dead is so within the test. */
const LEASE = { QUEUECTL_LEASE: "2s", QUEUECTL_HEARTBEAT_INTERVAL: "500ms" };

interface ClockedWorker {
  /** Makes its clock wrong by this much. */
  set(offsetMs: number): void;
  readonly process: Started;
}

/**
 * A worker with a clock of its own, in a pid namespace of its own: the others can judge it by its heartbeats alone, as
 * if it were on another host.
 */
async function startClocked(box: Sandbox, name: string): Promise<ClockedWorker> {
  const file = `${box.directory}/${name}.offset`;
  // Replaced as a whole: the worker reads it at any moment.
  const set = (offsetMs: number) => {
    Deno.writeTextFileSync(`${file}.new`, String(offsetMs));
    Deno.renameSync(`${file}.new`, file);
  };
  set(0);
  const deno = [Deno.execPath(), "run", "--allow-all", "--no-check", "--quiet", CLOCKED, file];
  const process = await box.start(["-pf", "--mount-proc", ...deno, "worker", "run", "--drain"], {
    program: "/usr/bin/unshare",
    env: { ...LEASE, DENO_DIR: Deno.env.get("DENO_DIR") },
  });
  await waitFor(() => process.stderr().includes("worker started"), `worker ${name} to start`);
  return { set, process };
}

Deno.test("clocks are set forward and back by an hour: nobody is taken for dead, and nothing stalls", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const go = `${box.directory}/go`;
  // A rate knows the times of the last starts: those of an hour ahead must hold up nothing.
  await box.ok(["queue", "set", "default", "--rate", "20/1s"]);
  const command = `until [ -e '${go}' ]; do sleep 0.02; done; ${ledger.command()}`;
  const long = await enqueueJobs(box, [{ command }, { command }]);
  const [one, other] = [await startClocked(box, "one"), await startClocked(box, "other")];
  const running = async () => (await recordedJobs(box)).filter(({ state }) => state === "processing").length;
  await waitFor(async () => await running() === 2, "both to run a job");

  for (const [first, second] of [[HOUR_MS, -HOUR_MS], [-HOUR_MS, HOUR_MS], [0, 0]] as const) {
    one.set(first);
    other.set(second);
    const setAt = performance.now();
    await waitFor(() => performance.now() - setAt > 3_000, "more than a lease to pass");
    assertEquals(await running(), 2, "a living worker was taken for dead");
  }
  one.set(HOUR_MS);
  other.set(-HOUR_MS);
  const late = await enqueueJobs(box, Array(6).fill({ command: ledger.command() }));
  await Deno.writeTextFile(go, "");

  for (const { process } of [one, other]) assertEquals((await process.wait()).code, 0, process.stderr());
  const jobs = await checkLedger(box, ledger, [...long, ...late]);
  assertEquals(jobs.map((job) => [job.state, job.run_count, job.crashes]), jobs.map(() => ["completed", 1, 0]));
});
