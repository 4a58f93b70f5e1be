/** Jobs that belong to one worker: claimed by no other as long as it is there. @module */
import { assertEquals } from "@std/assert";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport, aWorker } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";
import type { NewJob } from "../../lib/core/job.ts";

const MINE = "mine";

async function reserved(store: Store, overrides: Partial<NewJob> = {}): Promise<number> {
  const [job] = await store.jobs.enqueue([aNewJob(overrides)], { reserveFor: MINE });
  return job!.seq;
}

async function claimedBy(store: Store, workerId: string, only?: number): Promise<number[]> {
  return (await store.jobs.claim(aClaim({ workerId, only }))).map(({ seq }) => seq);
}

export function reserving(test: DescribeCase): void {
  test("a reserved job is claimed by its worker and by no other", async ({ store }) => {
    const seq = await reserved(store, { priority: 9 });
    const free = await aJob(store);

    assertEquals(await claimedBy(store, "other"), [free.seq]);
    assertEquals(await claimedBy(store, "other"), []);
    assertEquals(await claimedBy(store, "other", seq), []);
    assertEquals(await claimedBy(store, MINE, seq), [seq]);
  });

  test("a claim of one job takes that job or none", async ({ store }) => {
    await aJob(store, { priority: 9 });
    const wanted = await aJob(store);

    assertEquals(await claimedBy(store, MINE, wanted.seq), [wanted.seq]);
    assertEquals(await claimedBy(store, MINE, wanted.seq), []);
  });

  test("a claim of one job waits for its time and for its queue to be open", async ({ store, clock }) => {
    const seq = await reserved(store, { queue: "q", run_at: clock.now() + 1_000 });
    assertEquals(await claimedBy(store, MINE, seq), []);
    clock.advance(1_000);
    await store.queues.setPaused("q", true);
    assertEquals(await claimedBy(store, MINE, seq), []);
    await store.queues.setPaused("q", false);

    assertEquals(await claimedBy(store, MINE, seq), [seq]);
  });

  test("a claim of one job heeds the limits of its queue", async ({ store, clock }) => {
    await store.queues.set("q", { concurrency: 1, rate: { count: 1, ms: 1_000 } });
    const other = await aJob(store, { queue: "q", state: "processing" });
    const seq = await reserved(store, { queue: "q" });

    assertEquals(await claimedBy(store, MINE, seq), [], "the queue is full");
    await store.jobs.finish([aReport(other)]);
    assertEquals(await claimedBy(store, MINE, seq), [], "its rate is used up");
    clock.advance(1_000);
    assertEquals(await claimedBy(store, MINE, seq), [seq]);
  });

  test("a claim of one job heeds its lock, its gate and its end of waiting", async ({ store, clock }) => {
    const holder = await aJob(store, { queue: "a", lock: "disk", state: "processing" });
    const locked = await reserved(store, { lock: "disk" });
    const gated = await reserved(store, { when: "load<4" });
    const expiring = await reserved(store, { id: "late", expires_at: clock.now() + 1_000 });

    assertEquals(await claimedBy(store, MINE, locked), []);
    await store.jobs.finish([aReport(holder)]);
    assertEquals(await claimedBy(store, "other"), [], "the lock is free, but the job is reserved");
    assertEquals(await claimedBy(store, MINE, locked), [locked]);
    assertEquals(await claimedBy(store, MINE, gated), []);
    const judgeGate = () => ({ isOpen: true }) as const;
    assertEquals((await store.jobs.claim(aClaim({ workerId: MINE, only: gated, judgeGate }))).length, 1);
    clock.advance(1_000);
    assertEquals(await claimedBy(store, MINE, expiring), []);
    assertEquals((await store.jobs.find("late")).reason, "expired");
  });

  test("a reserved job stays reserved for its retries, also when others promote it", async ({ store, clock }) => {
    const seq = await reserved(store);
    const [job] = await store.jobs.claim(aClaim({ workerId: MINE, only: seq }));
    await store.jobs.finish([aReport(job!, { result: { kind: "exited", code: 1 } })]);
    clock.advance(60_000);

    assertEquals(await claimedBy(store, "other"), []);
    assertEquals(await claimedBy(store, MINE, seq), [seq]);
  });

  test("a reserved job that is lost or released is for everyone", async ({ store }) => {
    for (const kind of ["lost", "interrupted"] as const) {
      const seq = await reserved(store);
      const [job] = await store.jobs.claim(aClaim({ workerId: MINE, only: seq }));
      await store.jobs.finish([aReport(job!, { result: { kind } })]);

      assertEquals(await claimedBy(store, "other"), [seq], kind);
    }
  });

  test("a reserved job that a person retries is for everyone", async ({ store }) => {
    const seq = await reserved(store, { id: "j" });
    await store.jobs.cancel({ ids: ["j"] });
    await store.jobs.retry({ ids: ["j"] });

    assertEquals(await claimedBy(store, "other"), [seq]);
  });

  test("freeReserved() gives the jobs of workers that are not registered to everyone", async ({ store, clock }) => {
    const seq = await reserved(store);

    assertEquals(await store.jobs.freeReserved({ untouchedSince: clock.now() }), 0, "its worker may still be starting");
    clock.advance(10_000);
    assertEquals(await store.jobs.freeReserved({ untouchedSince: clock.now() }), 1);
    assertEquals(await claimedBy(store, "other"), [seq]);
  });

  test("freeReserved() of one job leaves the others", async ({ store, clock }) => {
    const [first, second] = [await reserved(store), await reserved(store)];
    const untouchedSince = clock.now() + 1;

    assertEquals(await store.jobs.freeReserved({ untouchedSince, only: second }), 1);
    assertEquals(await claimedBy(store, "other"), [second]);
    assertEquals(await claimedBy(store, MINE, first), [first]);
  });

  test("freeReserved() leaves the jobs of workers that are registered", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: MINE }));
    await reserved(store);
    clock.advance(60_000);

    assertEquals(await store.jobs.freeReserved({ untouchedSince: clock.now() }), 0);
    assertEquals(await claimedBy(store, "other"), []);
  });

  test("freeReserved() keeps the time of a job that waits for its retry", async ({ store, clock }) => {
    const seq = await reserved(store);
    const [job] = await store.jobs.claim(aClaim({ workerId: MINE, only: seq }));
    await store.jobs.finish([aReport(job!, { result: { kind: "exited", code: 1 } })]);
    clock.advance(500);

    assertEquals(await store.jobs.freeReserved({ untouchedSince: clock.now() + 60_000 }), 1);
    assertEquals(await claimedBy(store, "other"), []);
    clock.advance(60_000);
    assertEquals(await claimedBy(store, "other"), [seq]);
  });
}
