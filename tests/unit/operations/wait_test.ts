import { assert, assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../../lib/core/errors.ts";
import { exitCodeOfJob, pauseMs, waitForJobs, waitForMatching } from "../../../lib/operations/wait.ts";
import { aClaim, aJob, aNewJob, aReport } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

Deno.test("waitForJobs() returns at once when the job has ended", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "completed" });

  const waited = await waitForJobs(temp.store, [job.id], { clock });

  assertEquals(waited, { kind: "ended", jobs: [job], areAllCompleted: true });
});

Deno.test("waitForJobs() goes on until the last of several jobs has ended", async () => {
  await using temp = await tempStore();
  const first = await aJob(temp.store, { queue: "a", state: "processing" });
  const second = await aJob(temp.store, { queue: "b", state: "processing", max_retries: 0 });
  let looks = 0;

  const waited = await waitForJobs(temp.store, [first.id, second.id], {
    clock,
    onWaiting: async () => {
      looks++;
      if (looks === 2) await temp.store.jobs.finish([aReport(first)]);
      if (looks === 4) await temp.store.jobs.finish([aReport(second, { result: { kind: "exited", code: 1 } })]);
    },
  });

  assertEquals(looks, 4);
  assert(waited.kind === "ended");
  assertEquals(waited.jobs.map((job) => job.state), ["completed", "dead"]);
  assertEquals(waited.areAllCompleted, false);
});

Deno.test("waitForJobs() with any returns the first job that has ended", async () => {
  await using temp = await tempStore();
  const slow = await aJob(temp.store, { queue: "a", state: "processing" });
  const quick = await aJob(temp.store, { queue: "b", state: "processing" });

  const waited = await waitForJobs(temp.store, [slow.id, quick.id], {
    clock,
    any: true,
    onWaiting: async () => void await temp.store.jobs.finish([aReport(quick)]),
  });

  assert(waited.kind === "ended");
  assertEquals(waited.jobs.map((job) => job.id), [quick.id]);
});

Deno.test("waitForJobs() keeps waiting for a job that failed and will be retried", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "failed" });
  let looks = 0;

  const waited = await waitForJobs(temp.store, [job.id], {
    clock,
    onWaiting: async () => {
      if (++looks === 2) await temp.store.jobs.cancel({ ids: [job.id] });
    },
  });

  assertEquals(looks, 2);
  assert(waited.kind === "ended");
});

Deno.test("waitForJobs() gives up when its time is over", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store);
  const fake = new FakeClock();

  const waited = await waitForJobs(temp.store, [job.id], {
    clock: fake,
    timeoutMs: 60_000,
    onWaiting: () => fake.advance(30_000),
  });

  assertEquals(waited, { kind: "timed_out", job });
});

Deno.test("waitForJobs() refuses an unknown id", async () => {
  await using temp = await tempStore();

  await assertRejects(() => waitForJobs(temp.store, ["nope"], { clock }), NotFoundError);
});

Deno.test("waitForMatching() waits for every match, those added meanwhile too", async () => {
  await using temp = await tempStore();
  const { jobs } = temp.store;
  await jobs.enqueue([aNewJob({ tags: ["t"] }), aNewJob({ queue: "other" })]);
  let added = 0;

  const waited = await waitForMatching(temp.store, { tags: ["t"] }, {
    clock,
    onWaiting: async () => {
      if (added++ < 2) await jobs.enqueue([aNewJob({ tags: ["t"] })]);
      await jobs.finish((await jobs.claim(aClaim({ queues: ["default"] }))).map((job) => aReport(job)));
    },
  });

  assertEquals(waited, { kind: "ended", jobs: [], areAllCompleted: true });
  assertEquals(await jobs.count({ tags: ["t"], states: ["completed"] }), 3);
});

Deno.test("waitForMatching() says when one of them did not complete", async () => {
  await using temp = await tempStore();
  await aJob(temp.store, { queue: "q", state: "completed" });
  await aJob(temp.store, { queue: "q", state: "dead" });

  const waited = await waitForMatching(temp.store, { queues: ["q"] }, { clock });

  assertEquals(waited, { kind: "ended", jobs: [], areAllCompleted: false });
});

Deno.test("waitForMatching() has nothing to wait for when nothing matches", async () => {
  await using temp = await tempStore();
  await aJob(temp.store);

  assertEquals(await waitForMatching(temp.store, { tags: ["nope"] }, { clock }), { kind: "nothing" });
});

Deno.test("exitCodeOfJob() is the code of the run that ended the job, not of one begun since", async () => {
  await using temp = await tempStore();
  const enqueued = await aJob(temp.store, { max_retries: 0 });
  const [claimed] = await temp.store.jobs.claim(aClaim());
  await temp.store.jobs.finish([aReport(claimed!, { result: { kind: "exited", code: 7 } })]);
  const dead = await temp.store.jobs.find(enqueued.id);
  await temp.store.jobs.retry({ ids: [dead.id] });
  await temp.store.jobs.claim(aClaim());

  assertEquals(await exitCodeOfJob(temp.store, dead), 7);
});

Deno.test("pauses grow with the time waited, from 5 to 100 ms", () => {
  assertEquals([0, 50, 200, 10_000].map(pauseMs), [5, 5, 20, 100]);
});
