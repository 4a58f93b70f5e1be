/** Locks: at most one processing job for each, and nobody waits for nothing. @module */
import { assertEquals } from "@std/assert";
import type { ClaimRequest, Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import { mostAtOnce } from "../support/overlap.ts";
import { runClients } from "../support/store_clients.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function locks(test: DescribeCase): void {
  test("of jobs with the same lock one runs at a time, best first", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "c", lock: "x" }),
      aNewJob({ id: "d", lock: "x" }),
      aNewJob({ id: "a", lock: "x", priority: 9 }),
      aNewJob({ id: "b", lock: "x", priority: 5 }),
      aNewJob({ id: "other", lock: "y", priority: -1 }),
    ]);

    assertEquals(await claimedIds(store, { slots: 5 }), ["a", "other"]);
    assertEquals(await claimedIds(store, { slots: 5 }), []);
    assertEquals(await store.jobs.lockHolder("x"), "a");
    assertEquals(await inOrder(store, "a", 3), ["a", "b", "c", "d"]);
    assertEquals(await store.jobs.lockHolder("x"), undefined);
  });

  test("a job that comes while its lock is held waits, and is not in anybody's way", async ({ store }) => {
    await aJob(store, { id: "holder", lock: "x", state: "processing" });
    await aJob(store, { id: "waiter", lock: "x", priority: 9 });
    await aJob(store, { id: "free" });

    assertEquals((await store.jobs.find("waiter")).parked, "lock");
    assertEquals(await claimedIds(store, { slots: 5 }), ["free"]);
  });

  for (const kind of ["exited", "interrupted", "lost", "cancelled"] as const) {
    test(`a lock is free again when its run was ${kind}`, async ({ store }) => {
      const holder = await aJob(store, { id: "holder", lock: "x", state: "processing", max_retries: 5 });
      await aJob(store, { id: "next", lock: "x", priority: 9 });

      await store.jobs.finish([aReport(holder, { result: kind === "exited" ? { kind, code: 1 } : { kind } })]);

      assertEquals(await claimedIds(store, { slots: 5 }), ["next"]);
    });
  }

  test("a job that was lost keeps its turn before others of its priority", async ({ store }) => {
    const holder = await aJob(store, { id: "holder", lock: "x", state: "processing" });
    await aJob(store, { id: "next", lock: "x" });

    await store.jobs.finish([aReport(holder, { result: { kind: "lost" } })]);

    assertEquals(await claimedIds(store, { slots: 5, isIdle: false }), []);
    assertEquals(await claimedIds(store, { slots: 5, isIdle: true }), ["holder"]);
  });

  test("when the first in line is cancelled, expires, is put off or gets another lock, the next is", async ({ store, clock }) => {
    const line = ["cancelled", "expired", "later", "elsewhere", "unlocked", "last"];
    await store.jobs.enqueue(
      line.map((id) => aNewJob({ id, lock: "x", expires_at: id === "expired" ? clock.now() + 1_000 : null })),
    );
    clock.advance(2_000);
    await store.jobs.cancel({ ids: ["cancelled"] });
    await store.jobs.expire(10);
    await store.jobs.edit("later", (job) => ({ ...job, id: null, run_at: clock.now() + 60_000 }));
    await store.jobs.edit("elsewhere", (job) => ({ ...job, id: null, lock: "y" }));
    await store.jobs.edit("unlocked", (job) => ({ ...job, id: null, lock: null }));

    assertEquals(await claimedIds(store, { slots: 5 }), ["elsewhere", "unlocked", "last"]);
    clock.advance(120_000);
    assertEquals(await claimedIds(store, { slots: 5 }), []);
    assertEquals((await store.jobs.find("later")).parked, "lock");
  });

  test("a better job that comes later, or becomes better, goes first", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "a", lock: "x" }), aNewJob({ id: "b", lock: "x" })]);
    await aJob(store, { id: "c", lock: "x", priority: 5 });
    await store.jobs.edit("b", (job) => ({ ...job, id: null, priority: 9 }));

    assertEquals(await claimedIds(store, { slots: 5 }), ["b"]);
    assertEquals(await inOrder(store, "b", 2), ["b", "c", "a"]);
  });

  test("a waiter in a paused queue does not hold up those of other queues", async ({ store }) => {
    await store.queues.set("paused", { paused: true });
    const holder = await aJob(store, { id: "holder", lock: "x", state: "processing" });
    await aJob(store, { id: "stuck", queue: "paused", lock: "x", priority: 9 });
    await aJob(store, { id: "free", queue: "open", lock: "x" });
    await store.jobs.finish([aReport(holder)]);

    assertEquals(await claimedIds(store, { slots: 5 }), ["free"]);
    await store.queues.setPaused("paused", false);
    assertEquals(await claimedIds(store, { slots: 5 }), []);
    assertEquals(await inOrder(store, "free", 1), ["free", "stuck"]);
  });

  test("waiters of two queues that a worker takes together do not run together", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "a", queue: "a", lock: "x" }),
      aNewJob({ id: "b", queue: "b", lock: "x" }),
      aNewJob({ id: "b2", queue: "b" }),
    ]);

    assertEquals(await claimedIds(store, { slots: 5 }), ["a", "b2"]);
    assertEquals(await inOrder(store, "a", 1), ["a", "b"]);
  });

  test("a job that becomes due, or is retried, waits for its lock like others", async ({ store, clock }) => {
    await aJob(store, { id: "due", lock: "x", run_at: clock.now() + 1_000 });
    await aJob(store, { id: "retried", lock: "x", queue: "dead", state: "dead" });
    const holder = await aJob(store, { id: "holder", lock: "x", queue: "now", state: "processing" });
    clock.advance(5_000);
    await store.jobs.retry({ ids: ["retried"] });

    assertEquals(await claimedIds(store, { slots: 5 }), []);
    assertEquals((await store.jobs.find("due")).state, "pending");
    await store.jobs.finish([aReport(holder)]);
    assertEquals((await claimedIds(store, { slots: 5 })).length, 1);
  });

  test("a reserved job waits for its lock without holding up others, and is given on when its worker is gone", async ({ store, clock }) => {
    const holder = await aJob(store, { id: "holder", lock: "x", state: "processing" });
    await store.jobs.enqueue([aNewJob({ id: "mine", lock: "x", priority: 9 })], { reserveFor: "w1" });
    await aJob(store, { id: "next", lock: "x" });
    const mine = (await store.jobs.find("mine")).seq;
    assertEquals(await claimedIds(store, { workerId: "w1", only: mine }), []);

    await store.jobs.finish([aReport(holder)]);
    assertEquals(await claimedIds(store, { slots: 5 }), ["next"]);
    assertEquals(await claimedIds(store, { workerId: "w1", only: mine }), []);

    clock.advance(60_000);
    assertEquals(await store.jobs.freeReserved({ untouchedSince: clock.now() }), 1);
    assertEquals((await store.jobs.find("mine")).parked, "lock");
    assertEquals(await inOrder(store, "next", 1), ["next", "mine"]);
  });

  test("a reserved job is claimed by its own worker when its lock and its queue let it", async ({ store }) => {
    await store.queues.set("api", { concurrency: 1 });
    const first = await aJob(store, { queue: "api", state: "processing" });
    await store.jobs.enqueue([aNewJob({ id: "mine", queue: "api", lock: "x" })], { reserveFor: "w1" });
    const only = (await store.jobs.find("mine")).seq;

    assertEquals(await claimedIds(store, { workerId: "w1", only }), []);
    await store.jobs.finish([aReport(first)]);
    assertEquals(await claimedIds(store, { slots: 5 }), []);
    assertEquals(await claimedIds(store, { workerId: "w1", only }), ["mine"]);
    assertEquals(await store.jobs.lockHolder("x"), "mine");
  });

  test("processes together never run two jobs with one lock at a time", async ({ store }) => {
    await store.jobs.enqueue(
      Array.from({ length: 400 }, (_, i) => aNewJob({ lock: `lock-${i % 8}`, queue: `q${i % 3}`, priority: i % 4 })),
    );

    await runClients(Array.from({ length: 5 }, (_, i) => [store.location, "work", `w${i}`, "4"]));

    const jobs = await store.jobs.list({ states: ["completed"] });
    assertEquals(jobs.length, 400);
    for (let lock = 0; lock < 8; lock++) {
      const ofLock = jobs.filter((job) => job.lock === `lock-${lock}`);
      const runs = (await Promise.all(ofLock.map((job) => store.jobs.runs(job.seq)))).flat();
      assertEquals({ runs: runs.length, atOnce: mostAtOnce(runs) }, { runs: 50, atOnce: 1 });
    }
  });
}

async function claimedIds(store: Store, request: Partial<ClaimRequest>): Promise<string[]> {
  return (await store.jobs.claim(aClaim(request))).map((job) => job.id);
}

/** Ends a running job, claims the next, and so on; gives the ids in their order. */
async function inOrder(store: Store, first: string, more: number): Promise<string[]> {
  const ids = [first];
  await store.jobs.finish([aReport(await store.jobs.find(first))]);
  for (let i = 0; i < more; i++) {
    const [job] = await store.jobs.claim(aClaim({ slots: 5 }));
    ids.push(job?.id ?? "nothing");
    if (job !== undefined) await store.jobs.finish([aReport(job)]);
  }
  return ids;
}
