/** claim(): who gets which job, in which order, and how it is counted. @module */
import { assert, assertEquals, assertGreater } from "@std/assert";
import type { Job } from "../../lib/core/job.ts";
import type { ClaimRequest, Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function claiming(test: DescribeCase): void {
  test("claim() finds nothing in an empty store", async ({ store }) => {
    assertEquals(await store.jobs.claim(aClaim({ slots: 5 })), []);
  });

  test("a claimed job is processing, with its worker, token, start and attempt", async ({ store, clock }) => {
    const job = await aJob(store);
    clock.advance(10_000);

    const claimed = await store.jobs.claim(aClaim({ workerId: "w1" }));

    assertEquals(claimed, [{
      ...job,
      state: "processing",
      worker_id: "w1",
      claim: clock.now(),
      attempts: 1,
      run_count: 1,
      started_at: clock.now(),
      updated_at: clock.now(),
    }]);
    assertEquals(await store.jobs.find(job.id), claimed[0]);
  });

  test("a claim begins a run that has no outcome yet", async ({ store, clock }) => {
    const job = await aJob(store, { state: "processing", workerId: "w1" });

    assertEquals(await store.jobs.runs(job.seq), [{
      run: 1,
      attempt: 1,
      claim: job.claim,
      outcome: null,
      started_at: clock.now(),
      finished_at: null,
      duration_ms: null,
      exit_code: null,
      signal: null,
      reason: null,
      worker_id: "w1",
      stdout_bytes: 0,
      stderr_bytes: 0,
      dropped_bytes: 0,
    }]);
  });

  test("claim() takes only what is pending", async ({ store }) => {
    for (const state of ["completed", "dead", "cancelled", "processing", "scheduled"] as const) {
      await aJob(store, { state });
    }
    const failed = await aJob(store, { state: "failed" });

    assertEquals(await store.jobs.claim(aClaim({ slots: 10 })), []);
    assertEquals((await store.jobs.find(failed.id)).state, "failed");
  });

  test("claim() gives one job to only one of two workers", async ({ store, open }) => {
    await aJob(store);
    const other = await open();

    const both = await Promise.all([
      store.jobs.claim(aClaim({ workerId: "w1" })),
      other.jobs.claim(aClaim({ workerId: "w2" })),
    ]);

    assertEquals(both.flat().length, 1);
  });

  test("claim() takes the highest priority first, and the order enqueued among equals", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "c", priority: 0 }),
      aNewJob({ id: "e", priority: -5 }),
      aNewJob({ id: "a", priority: 2_147_483_647 }),
      aNewJob({ id: "b", priority: 10 }),
      aNewJob({ id: "d", priority: 0 }),
      aNewJob({ id: "f", priority: -2_147_483_647 }),
    ]);

    assertEquals(await claimedIds(store, { slots: 4 }), ["a", "b", "c", "d"]);
    assertEquals(await claimedIds(store, { slots: 4 }), ["e", "f"]);
  });

  test("equal priorities run in the order enqueued, whatever the clock says", async ({ store, clock }) => {
    await aJob(store, { id: "first" });
    clock.set(clock.now() - 3_600_000);
    await aJob(store, { id: "second" });

    assertEquals(await claimedIds(store, { slots: 2 }), ["first", "second"]);
  });

  test("a retried job keeps its place in the order", async ({ store, clock }) => {
    const first = await aJob(store, { id: "first", state: "failed" });
    await aJob(store, { id: "second" });
    clock.set(first.run_at!);

    assertEquals(await claimedIds(store, { slots: 2 }), ["first", "second"]);
  });

  test("claim() takes no more jobs than there are slots", async ({ store }) => {
    await store.jobs.enqueue(Array.from({ length: 5 }, () => aNewJob()));

    assertEquals((await store.jobs.claim(aClaim({ slots: 3 }))).length, 3);
    assertEquals((await store.jobs.claim(aClaim({ slots: 0 }))).length, 0);
    assertEquals((await store.jobs.claim(aClaim({ slots: 3 }))).length, 2);
  });

  test("a higher priority goes first across queues", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "a1", queue: "a", priority: 1 }),
      aNewJob({ id: "b1", queue: "b", priority: 3 }),
      aNewJob({ id: "b2", queue: "b", priority: 0 }),
      aNewJob({ id: "c1", queue: "c", priority: 2 }),
    ]);

    assertEquals(await claimedIds(store, { slots: 4 }), ["b1", "c1", "a1", "b2"]);
  });

  test("queues of equal priority take turns, so that a long one does not starve a short one", async ({ store }) => {
    await store.jobs.enqueue([
      ...Array.from({ length: 100 }, () => aNewJob({ queue: "long" })),
      aNewJob({ queue: "short" }),
      aNewJob({ queue: "short" }),
    ]);

    const together = await store.jobs.claim(aClaim({ slots: 4 }));

    assertEquals(together.map((job) => job.queue).toSorted(), ["long", "long", "short", "short"]);
  });

  test("queues take turns also over many claims of one job each", async ({ store }) => {
    const queues = ["a", "b", "c"];
    for (const queue of queues) await store.jobs.enqueue(Array.from({ length: 20 }, () => aNewJob({ queue })));

    for (let round = 0; round < 10; round++) {
      const served: string[] = [];
      for (let i = 0; i < queues.length; i++) served.push((await store.jobs.claim(aClaim()))[0]!.queue);
      assertEquals(served.toSorted(), queues, `round ${round}`);
    }
  });

  test("a worker with a list of queues empties them in that order, whatever the priorities", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "l1", queue: "low", priority: 100 }),
      aNewJob({ id: "h1", queue: "high", priority: 0 }),
      aNewJob({ id: "h2", queue: "high", priority: 5 }),
      aNewJob({ id: "x1", queue: "other", priority: 1_000 }),
    ]);

    const queues = ["high", "low"];
    assertEquals(await claimedIds(store, { slots: 2, queues }), ["h2", "h1"]);
    assertEquals(await claimedIds(store, { slots: 2, queues }), ["l1"]);
    assertEquals(await claimedIds(store, { slots: 2, queues }), []);
  });

  test("a queue that is named twice, or that nobody has used, does no harm to a claim", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "a", queue: "mail" }), aNewJob({ id: "b", queue: "mail" })]);

    assertEquals(await claimedIds(store, { slots: 5, queues: ["nobody", "mail", "mail"] }), ["a", "b"]);
  });

  test("a worker with an empty list of queues gets nothing", async ({ store }) => {
    await aJob(store);

    assertEquals(await claimedIds(store, { queues: [] }), []);
  });

  test("each claim of a job has a greater token", async ({ store, clock }) => {
    await aJob(store);

    const tokens = [];
    for (let i = 0; i < 5; i++) {
      tokens.push((await claimAndRelease(store)).claim);
      if (i === 2) clock.advance(60_000);
    }

    // The clock stood still for the first three and jumped before the last two.
    const [first = 0] = tokens;
    assertEquals(tokens, [first, first + 1, first + 2, first + 60_000, first + 60_001]);
  });

  test("tokens grow also when the clock is set back", async ({ store, clock }) => {
    await aJob(store);
    const before = await claimAndRelease(store);
    clock.set(clock.now() - 365 * 86_400_000);

    const after = await claimAndRelease(store);

    assertGreater(after.claim, before.claim);
    assertEquals(after.started_at, clock.now());
  });

  test("attempts are raised at each claim that counts, runs at every claim", async ({ store, clock }) => {
    const job = await aJob(store, { max_retries: 5 });
    const counters = async () => {
      const { attempts, run_count } = await store.jobs.find(job.id);
      return [attempts, run_count];
    };

    await claimAndRelease(store);
    assertEquals(await counters(), [0, 1]);

    const [claimed] = await store.jobs.claim(aClaim());
    assertEquals(await counters(), [1, 2]);
    await store.jobs.finish([aReport(claimed!, { result: { kind: "exited", code: 1 }, finishedAt: clock.now() })]);
    assertEquals(await counters(), [1, 2]);

    clock.advance(60_000);
    await store.jobs.claim(aClaim());
    assertEquals(await counters(), [2, 3]);
    assertEquals((await store.jobs.runs(job.seq)).map(({ run, attempt }) => [run, attempt]), [[1, 1], [2, 1], [3, 2]]);
  });

  test("a claim wipes what the last run left behind", async ({ store, clock }) => {
    const failed = await aJob(store, { state: "failed" });
    assert(failed.exit_code === 1 && failed.reason !== null && failed.duration_ms !== null);
    clock.set(failed.run_at!);

    const [claimed] = await store.jobs.claim(aClaim());

    const { exit_code, signal, reason, duration_ms, run_at, finished_at } = claimed!;
    assertEquals([exit_code, signal, reason, duration_ms, run_at, finished_at], [null, null, null, null, null, null]);
  });

  test("a job that took its worker down goes only to a worker with nothing else to do", async ({ store }) => {
    const crashed = await aCrashedJob(store);

    assertEquals(await claimedIds(store, { isIdle: false, slots: 5 }), []);
    assertEquals(await claimedIds(store, { isIdle: true, slots: 5 }), [crashed.id]);
  });

  test("a worker that takes a crashed job takes nothing beside it", async ({ store }) => {
    const crashed = await aCrashedJob(store);
    await store.jobs.enqueue([aNewJob({ id: "b" }), aNewJob({ id: "c" })]);

    assertEquals(await claimedIds(store, { slots: 5 }), [crashed.id]);
    assertEquals(await claimedIds(store, { slots: 5, isIdle: false }), ["b", "c"]);
  });

  test("a crashed job waits when better ones are there, which run together without it", async ({ store }) => {
    const crashed = await aCrashedJob(store);
    await store.jobs.enqueue([aNewJob({ id: "b", priority: 1 }), aNewJob({ id: "c", priority: 1 })]);

    assertEquals(await claimedIds(store, { slots: 5 }), ["b", "c"]);
    assertEquals(await claimedIds(store, { slots: 5 }), [crashed.id]);
  });

  test("crashed jobs of several queues are still taken one at a time", async ({ store }) => {
    await aCrashedJob(store, "a");
    await aCrashedJob(store, "b");

    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 1);
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 1);
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 0);
  });

  test("a crashed job that was released stays one that runs alone", async ({ store }) => {
    await aCrashedJob(store);
    const released = await claimAndRelease(store);

    assertEquals(released.crashes, 1);
    assertEquals(await claimedIds(store, { isIdle: false }), []);
    assertEquals(await claimedIds(store, { isIdle: true }), [released.id]);
  });

  test("a job whose run ended by itself after a crash runs beside others again", async ({ store, clock }) => {
    await aCrashedJob(store);
    const [again] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(again!, { result: { kind: "exited", code: 1 }, finishedAt: clock.now() })]);
    clock.advance(60_000);

    const [claimed] = await store.jobs.claim(aClaim({ isIdle: false }));

    assertEquals([claimed?.id, claimed?.crashes], [again!.id, 0]);
  });
}

async function claimedIds(store: Store, request: Partial<ClaimRequest>): Promise<string[]> {
  return (await store.jobs.claim(aClaim(request))).map((job) => job.id);
}

/** Claims the one job there is and gives it back in an orderly way. */
async function claimAndRelease(store: Store): Promise<Job> {
  const [job] = await store.jobs.claim(aClaim());
  await store.jobs.finish([aReport(job!, { result: { kind: "interrupted" } })]);
  return job!;
}

/** A pending job that lost a worker once. */
async function aCrashedJob(store: Store, queue = "default"): Promise<Job> {
  const job = await aJob(store, { queue, state: "processing" });
  await store.jobs.finish([aReport(job, { result: { kind: "lost" } })]);
  return await store.jobs.find(job.id);
}
