/** What waits for a time becomes pending when it comes. @module */
import { assertEquals } from "@std/assert";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

/** A claim promotes this many at most. */
const MAX_PROMOTED = 500;

export function promoting(test: DescribeCase): void {
  test("a scheduled job is claimed at its time and not a millisecond before", async ({ store, clock }) => {
    await aJob(store, { id: "later", run_at: clock.now() + 5_000 });

    clock.advance(4_999);
    assertEquals(await store.jobs.claim(aClaim()), []);
    assertEquals((await store.jobs.find("later")).state, "scheduled");

    clock.advance(1);
    assertEquals((await store.jobs.claim(aClaim())).map((job) => job.id), ["later"]);
  });

  test("a failed job is claimed when its retry is due", async ({ store, clock }) => {
    const job = await aJob(store, { state: "processing" });
    await store.jobs.finish([aReport(job, { result: { kind: "exited", code: 1 }, finishedAt: clock.now() })]);

    clock.advance(1_999);
    assertEquals(await store.jobs.claim(aClaim()), []);

    clock.advance(1);
    assertEquals((await store.jobs.claim(aClaim())).map(({ id, attempts }) => [id, attempts]), [[job.id, 2]]);
  });

  test("what is due but not claimed is pending afterwards", async ({ store, clock }) => {
    await aJob(store, { id: "high", run_at: clock.now() + 1, priority: 1 });
    await aJob(store, { id: "low", run_at: clock.now() + 1 });
    clock.advance(1);

    await store.jobs.claim(aClaim());

    const { state, run_at, reason, updated_at } = await store.jobs.find("low");
    assertEquals({ state, run_at, reason, updated_at }, {
      state: "pending",
      run_at: null,
      reason: null,
      updated_at: clock.now(),
    });
  });

  test("jobs that became due compete by priority, then seq, not by their time", async ({ store, clock }) => {
    await aJob(store, { id: "second", run_at: clock.now() + 30 });
    await aJob(store, { id: "third", run_at: clock.now() + 10 });
    await aJob(store, { id: "first", run_at: clock.now() + 20, priority: 1 });
    await aJob(store, { id: "fourth" });
    clock.advance(60);

    const claimed = await store.jobs.claim(aClaim({ slots: 10 }));

    assertEquals(claimed.map((job) => job.id), ["first", "second", "third", "fourth"]);
  });

  test("when too many are due for one claim the highest priority is promoted first", async ({ store, clock }) => {
    const runAt = clock.now() + 1_000;
    await store.jobs.enqueue([
      ...Array.from({ length: MAX_PROMOTED + 100 }, () => aNewJob({ run_at: runAt, priority: 0 })),
      // Due last, enqueued last, and still before all others.
      aNewJob({ id: "urgent", run_at: runAt + 10, priority: 9 }),
      aNewJob({ id: "not-due", run_at: runAt + 60_000, priority: 10 }),
    ]);
    clock.advance(2_000);

    const claimed = await store.jobs.claim(aClaim());

    assertEquals(claimed.map((job) => job.id), ["urgent"]);
    assertEquals((await store.jobs.find("not-due")).state, "scheduled");
  });

  test("what one claim did not promote the next ones do, until none is left", async ({ store, clock }) => {
    const total = 2 * MAX_PROMOTED + 100;
    await store.jobs.enqueue(Array.from({ length: total }, (_, i) => aNewJob({ run_at: clock.now() + 1 + i % 7 })));
    clock.advance(10);

    const claimed: number[] = [];
    for (let i = 0; i < 5; i++) {
      claimed.push(...(await store.jobs.claim(aClaim({ slots: total }))).map((job) => job.seq));
    }

    assertEquals(claimed.length, total);
    assertEquals(new Set(claimed).size, total);
  });

  test("waiting() tells whether any job is pending, and when the next is due or over", async ({ store, clock }) => {
    const start = clock.now();
    assertEquals(await store.jobs.waiting(), { isPending: false, nextAt: undefined });

    await aJob(store, { run_at: start + 3_000 });
    assertEquals(await store.jobs.waiting(), { isPending: false, nextAt: start + 3_000 });

    await aJob(store, { run_at: start + 9_000, expires_at: start + 1_000 });
    assertEquals(await store.jobs.waiting(), { isPending: false, nextAt: start + 1_000 });

    await aJob(store, { queue: "paused" });
    await store.queues.setPaused("paused", true);
    assertEquals(await store.jobs.waiting(), { isPending: true, nextAt: start + 1_000 });
  });

  test("nextDue() is the earliest time that anything waits for", async ({ store, clock }) => {
    const start = clock.now();
    assertEquals(await store.jobs.nextDue(), undefined);

    const failing = await aJob(store, { state: "processing" });
    assertEquals(await store.jobs.nextDue(), undefined);

    await aJob(store, { run_at: start + 9_000 });
    await aJob(store, { run_at: start + 3_000 });
    assertEquals(await store.jobs.nextDue(), start + 3_000);

    await store.jobs.finish([aReport(failing, { result: { kind: "exited", code: 1 }, finishedAt: start })]);
    assertEquals(await store.jobs.nextDue(), start + 2_000);
  });

  test("nextDue() lies in the past while something due has not been promoted", async ({ store, clock }) => {
    const { run_at } = await aJob(store, { run_at: clock.now() + 1_000 });
    clock.advance(5_000);

    assertEquals(await store.jobs.nextDue(), run_at);
  });
}
