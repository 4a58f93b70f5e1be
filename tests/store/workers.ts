/** Registered workers and their heartbeats; and the store's own identity. @module */
import { assertEquals } from "@std/assert";
import type { WorkerBeat } from "../../lib/store/mod.ts";
import { aJob, aReport, aWorker } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const BEAT: WorkerBeat = { state: "running", done: 0, failed: 0, rss_bytes: null, trouble: null };

export function workers(test: DescribeCase): void {
  test("a worker that registers is listed with all that it said", async ({ store, clock }) => {
    const worker = aWorker({ id: "w1", pool: "night", queues: ["mail", "default"], slots: 8, generation: 3 });

    await store.workers.register(worker);

    assertEquals(await store.workers.list(), [{
      ...worker,
      ...BEAT,
      started_at: clock.now(),
      beat: 0,
      beat_at: clock.now(),
      jobs: [],
    }]);
  });

  test("workers are listed in the order in which they started", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "z" }));
    clock.advance(1);
    await store.workers.register(aWorker({ id: "a" }));

    assertEquals((await store.workers.list()).map((worker) => worker.id), ["z", "a"]);
  });

  test("each beat raises the counter and brings the news", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    await store.workers.register(aWorker({ id: "w2" }));
    clock.advance(5_000);

    assertEquals(await store.workers.beat("w1", BEAT), true);
    assertEquals(
      await store.workers.beat("w1", {
        state: "draining",
        done: 7,
        failed: 2,
        rss_bytes: 1_048_576,
        trouble: "log not written",
      }),
      true,
    );

    const [w1, w2] = await store.workers.list();
    assertEquals(
      [w1?.beat, w1?.beat_at, w1?.state, w1?.done, w1?.failed, w1?.rss_bytes, w1?.trouble],
      [2, clock.now(), "draining", 7, 2, 1_048_576, "log not written"],
    );
    assertEquals([w2?.beat, w2?.beat_at], [0, clock.now() - 5_000]);
  });

  test("a worker that was taken for dead learns it from its next beat", async ({ store, open }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const other = await open();
    await other.workers.unregister("w1");

    assertEquals(await store.workers.beat("w1", BEAT), false);
    assertEquals(await store.workers.list(), []);
  });

  test("unregister() takes away one worker, and none when it is unknown", async ({ store }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    await store.workers.register(aWorker({ id: "w2" }));

    await store.workers.unregister("w1");
    await store.workers.unregister("nobody");

    assertEquals((await store.workers.list()).map((worker) => worker.id), ["w2"]);
  });

  test("a worker is listed with the jobs that it runs now", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "w1", slots: 2 }));
    clock.advance(1);
    await store.workers.register(aWorker({ id: "w2" }));
    const first = await aJob(store, { id: "first", state: "processing", workerId: "w1" });
    clock.advance(1);
    await aJob(store, { id: "second", state: "processing", workerId: "w1" });
    await aJob(store, { id: "third", state: "processing", workerId: "w2" });

    const jobs = async () => (await store.workers.list()).map((worker) => worker.jobs);
    assertEquals(await jobs(), [["first", "second"], ["third"]]);

    await store.jobs.finish([aReport(first)]);
    assertEquals(await jobs(), [["second"], ["third"]]);
  });

  test("a store that nobody replaced stays the same", async ({ store, open }) => {
    const other = await open();
    await aJob(other, { state: "completed" });

    assertEquals(store.isSame(), true);
    assertEquals(other.isSame(), true);
  });

  test("close() may be called twice", async ({ open }) => {
    const other = await open();

    await other.close();
    await other.close();
  });
}
