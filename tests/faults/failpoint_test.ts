/** A worker, or who looks after it, is stopped at each step of a job: nothing is lost, nothing runs twice at once. @module */
import { assert, assertEquals } from "@std/assert";
import { FAILPOINTS } from "../../tools/compile/failpoints.ts";
import { sandbox } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs, withStore } from "../support/ledger.ts";
import { poolBox } from "../support/pool_box.ts";
import { isStopped } from "../support/process_tree.ts";
import { waitFor } from "../support/wait_for.ts";

/** At the second time, so that there is a job before and one beside. */
const TIME = 2;
const JOBS = 6;

/** What the two runs of the job that was hit are recorded as, when its worker is killed there. */
const LOSES_A_RUN: Readonly<Record<string, boolean>> = {
  "after-claim": true,
  "before-spawn": true,
  "after-spawn": true,
  "before-result": true,
  // The result is stored.
  "after-result": false,
};

for (const place of FAILPOINTS) {
  Deno.test(`a worker killed ${place}: every job ends by its rules, and no two runs of one overlap`, async () => {
    await using box = await sandbox();
    const ledger = new Ledger(box);
    const ids = await enqueueJobs(box, Array(JOBS).fill({ command: ledger.command() }));

    const { signal } = await box.run(["worker", "run", "--concurrency", "1"], {
      env: { QUEUECTL_FAILPOINT: `${place}:${TIME}` },
    });
    assertEquals(signal, "SIGKILL");
    await box.ok(["worker", "run", "--drain", "--concurrency", "2"]);

    const jobs = await checkLedger(box, ledger, ids);
    const outcomes = jobs.flatMap((job) => job.runs.map((run) => run.outcome));
    assertEquals(jobs.map(({ state }) => state), ids.map(() => "completed"));
    assertEquals(outcomes.filter((outcome) => outcome === "lost").length, LOSES_A_RUN[place] ? 1 : 0);
    assertEquals(await withStore(box.db, (store) => store.workers.list()), []);
  });

  Deno.test(`a worker told to stop ${place}: it finishes what runs, and the rest waits for the next`, async () => {
    await using box = await sandbox();
    const ledger = new Ledger(box);
    const ids = await enqueueJobs(box, Array(JOBS).fill({ command: ledger.command() }));

    const { code, stderr } = await box.run(["worker", "run", "--concurrency", "2"], {
      env: { QUEUECTL_FAILPOINT: `${place}:${TIME}:TERM` },
    });
    assertEquals(code, 0, stderr);
    assertEquals((await recordedJobs(box)).filter(({ state }) => state === "processing"), []);
    await box.ok(["worker", "run", "--drain", "--concurrency", "2"]);

    const jobs = await checkLedger(box, ledger, ids);
    assertEquals(jobs.map(({ state, run_count }) => [state, run_count]), ids.map(() => ["completed", 1]));
  });

  Deno.test(`a supervisor killed while its worker is ${place}: the worker goes on, and the next start adopts it`, async () => {
    await using box = await poolBox();
    const ledger = new Ledger(box);
    const ids = await enqueueJobs(box, Array(JOBS).fill({ command: ledger.command() }));
    // The worker stops itself there, and waits for what the test does.
    await box.ok(["worker", "start"], { env: { QUEUECTL_FAILPOINT: `${place}:${TIME}:STOP` } });
    const [worker] = await box.workers();
    await waitFor(() => isStopped(worker!.pid), `the worker to be ${place}`);

    const { supervisor } = (await box.json(["status"])).pools[0];
    Deno.kill(supervisor.pid, "SIGKILL");
    await waitFor(() => !box.processes().some(({ pid }) => pid === supervisor.pid), "the supervisor to be gone");
    Deno.kill(worker!.pid, "SIGCONT");
    assertEquals(await box.ok(["worker", "start"]), `Adopted pool default: 1 worker (pid ${worker!.pid})`);
    await box.ok(["wait", ...ids]);

    const jobs = await checkLedger(box, ledger, ids);
    assertEquals(jobs.map(({ state, run_count }) => [state, run_count]), ids.map(() => ["completed", 1]));
    await box.ok(["worker", "stop"]);
    await box.untilEmpty();
  });

  Deno.test(`a supervisor and its worker, ${place}, killed together: the next start brings all jobs home`, async () => {
    await using box = await poolBox();
    const ledger = new Ledger(box);
    const ids = await enqueueJobs(box, Array(JOBS).fill({ command: ledger.command() }));
    await box.ok(["worker", "start"], { env: { QUEUECTL_FAILPOINT: `${place}:${TIME}:STOP` } });
    const [worker] = await box.workers();
    await waitFor(() => isStopped(worker!.pid), `the worker to be ${place}`);

    const { supervisor } = (await box.json(["status"])).pools[0];
    for (const pid of [supervisor.pid, worker!.pid]) Deno.kill(pid, "SIGKILL");
    await box.ok(["worker", "start"]);
    await box.ok(["wait", ...ids]);

    const jobs = await checkLedger(box, ledger, ids);
    const lost = jobs.flatMap(({ runs }) => runs).filter(({ outcome }) => outcome === "lost");
    assertEquals(lost.length, LOSES_A_RUN[place] ? 1 : 0);
    assert(jobs.every(({ state }) => state === "completed"));
    await box.ok(["worker", "stop"]);
    await box.untilEmpty();
  });
}
