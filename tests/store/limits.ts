/** Limits of queues: concurrency, rate, max_pending. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConflictError } from "../../lib/core/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import { mostAtOnce } from "../support/overlap.ts";
import { runClients } from "../support/store_clients.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function limits(test: DescribeCase): void {
  test("the limits of a queue are kept, one by one", async ({ store }) => {
    const none = { name: "api", paused: false, concurrency: null, rate: null, max_pending: null };

    assertEquals(await store.queues.set("api", {}), none);
    assertEquals(await store.queues.set("api", { concurrency: 2 }), { ...none, concurrency: 2 });
    const rate = { count: 10, ms: 1_000 };
    assertEquals(await store.queues.set("api", { rate, paused: true }), {
      ...none,
      concurrency: 2,
      rate,
      paused: true,
    });
    assertEquals(await store.queues.set("api", { concurrency: null, rate: null, paused: false, max_pending: 7 }), {
      ...none,
      max_pending: 7,
    });
    assertEquals((await store.queues.list()).map(({ max_pending }) => max_pending), [7]);
  });

  test("no more jobs of a queue run at once than its concurrency says, however many slots there are", async ({ store }) => {
    await store.queues.set("api", { concurrency: 2 });
    await store.jobs.enqueue(many(5, "api"));

    const [first] = await store.jobs.claim(aClaim({ slots: 1 }));
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 1);
    assertEquals(await store.jobs.claim(aClaim({ slots: 5 })), []);

    await store.jobs.finish([aReport(first!)]);
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 1);
  });

  test("a full queue does not hold up others", async ({ store }) => {
    await store.queues.set("api", { concurrency: 1 });
    await store.jobs.enqueue([...many(3, "api", 9), aNewJob({ id: "free", queue: "other" })]);

    const claimed = await store.jobs.claim(aClaim({ slots: 5 }));

    assertEquals(claimed.map((job) => job.queue), ["api", "other"]);
  });

  test("a run that fails, is released or lost gives its place back", async ({ store }) => {
    await store.queues.set("api", { concurrency: 1 });
    for (const kind of ["interrupted", "lost", "cancelled"] as const) {
      const job = await aJob(store, { queue: "api", state: "processing" });
      await store.jobs.finish([aReport(job, { result: { kind } })]);
      await store.jobs.cancel({ filter: { states: ["pending"] } });
    }
    await aJob(store, { queue: "api" });

    assertEquals((await store.jobs.claim(aClaim())).length, 1);
  });

  test("a rate allows so many starts in any window, and nextDue() says when the next", async ({ store, clock }) => {
    await store.queues.set("api", { rate: { count: 3, ms: 1_000 } });
    await store.jobs.enqueue(many(8, "api"));
    const claims = async () => (await store.jobs.claim(aClaim({ slots: 5 }))).length;

    const begin = clock.now();
    assertEquals((await store.jobs.claim(aClaim({ slots: 2 }))).length, 2);
    clock.advance(400);
    assertEquals(await claims(), 1);
    assertEquals(await store.jobs.nextDue(), begin + 1_000);
    assertEquals(await store.queues.rateFreeAt("api"), begin + 1_000);
    clock.advance(599);
    assertEquals(await claims(), 0);
    clock.advance(1);
    assertEquals(await claims(), 2);
    assertEquals(await store.jobs.nextDue(), begin + 1_400);
    clock.advance(400);
    assertEquals(await claims(), 1);
    clock.advance(10_000);
    assertEquals(await claims(), 2);
    assertEquals(await store.jobs.nextDue(), undefined);
  });

  test("after the clock went back, starts in the future hold nobody up", async ({ store, clock }) => {
    await store.queues.set("api", { rate: { count: 2, ms: 60_000 } });
    await store.jobs.enqueue(many(6, "api"));
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 2);

    clock.set(clock.now() - 3_600_000);

    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 2);
    assertEquals((await store.jobs.claim(aClaim({ slots: 5 }))).length, 0);
    assertEquals(await store.jobs.nextDue(), clock.now() + 60_000);
  });

  test("another rate counts the starts that are known", async ({ store, clock }) => {
    await store.queues.set("api", { rate: { count: 4, ms: 1_000 } });
    await store.jobs.enqueue(many(9, "api"));
    const claims = async () => (await store.jobs.claim(aClaim({ slots: 9 }))).length;
    assertEquals(await claims(), 4);

    await store.queues.set("api", { rate: { count: 2, ms: 1_000 } });
    assertEquals(await claims(), 0);
    await store.queues.set("api", { rate: { count: 5, ms: 1_000 } });
    clock.advance(1_000);
    assertEquals(await claims(), 5);
  });

  test("nextDue() does not name a rate while something else holds the queue up", async ({ store, clock }) => {
    await store.queues.set("api", { rate: { count: 1, ms: 1_000 }, concurrency: 1 });
    await store.jobs.enqueue(many(2, "api"));
    await store.jobs.claim(aClaim());
    clock.advance(5_000);

    assertEquals(await store.jobs.claim(aClaim()), []);
    assertEquals(await store.jobs.nextDue(), undefined);
  });

  test("max_pending refuses what is beyond, and nothing of it is stored", async ({ store, clock }) => {
    await store.queues.set("api", { max_pending: 3 });
    await store.jobs.enqueue(many(2, "api"));

    const error = await assertRejects(() => store.jobs.enqueue(many(2, "api")), ConflictError);
    assertEquals(error.message, 'Cannot enqueue into queue "api": its max_pending is 3');
    await assertRejects(() => store.jobs.enqueueMany(() => many(2, "api")), ConflictError);
    assertEquals(await pending(store, "api"), 2);

    await store.jobs.enqueue([...many(1, "api"), aNewJob({ queue: "api", run_at: clock.now() + 1_000 })]);
    await store.jobs.enqueue(many(5, "other"));
    assertEquals(await pending(store, "api"), 3);
  });

  test("processes together keep to concurrency and rate", async ({ store }) => {
    await store.queues.set("api", { concurrency: 2, rate: { count: 10, ms: 200 } });
    await store.jobs.enqueue(many(60, "api"));

    await runClients(Array.from({ length: 5 }, (_, i) => [store.location, "work", `w${i}`, "3"]));

    const jobs = await store.jobs.list({ states: ["completed"] });
    assertEquals(jobs.length, 60);
    const runs = (await Promise.all(jobs.map((job) => store.jobs.runs(job.seq)))).flat();
    assert(mostAtOnce(runs) <= 2, `${mostAtOnce(runs)} at once`);
    const starts = runs.map((run) => run.started_at).sort((a, b) => a - b);
    for (let i = 10; i < starts.length; i++) assert(starts[i]! - starts[i - 10]! >= 200, `start ${i} came too early`);
  });
}

function many(count: number, queue: string, priority = 0) {
  return Array.from({ length: count }, () => aNewJob({ queue, priority }));
}

async function pending(store: Store, queue: string): Promise<number> {
  return (await store.jobs.counts()).find((count) => count.queue === queue && count.state === "pending")?.n ?? 0;
}
