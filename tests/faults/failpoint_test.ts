/** A worker is stopped at each step of a job: nothing is lost, nothing runs twice at once. @module */
import { assertEquals } from "@std/assert";
import { FAILPOINTS } from "../../lib/worker/failpoints.ts";
import { sandbox } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs, withStore } from "../support/ledger.ts";

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
}
