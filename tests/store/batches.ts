/** Batches: counted together, and one job when all are final. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError } from "../../lib/core/errors.ts";
import type { NewJob } from "../../lib/core/job.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aNewJob, aReport } from "../support/factories.ts";
import { runClients } from "../support/store_clients.ts";
import type { DescribeCase } from "./store_conformance.ts";

const CALLBACK = aNewJob({ id: "callback", command: "echo done", queue: "callbacks" });

export function batches(test: DescribeCase): void {
  test("a batch counts its members, and is done when it is sealed and all are final", async ({ store, clock }) => {
    await store.jobs.enqueue([aNewJob({ id: "a", batch: "night" })], { onBatchDone: CALLBACK });
    await store.jobs.enqueue([aNewJob({ id: "b", batch: "night", max_retries: 0 }), aNewJob()]);
    await finishAll(store, 3);

    const open = await store.batches.find("night");
    assertEquals([open.sealed, open.total, open.ended, open.done_at], [false, 2, 2, null]);
    assertEquals(open.states, { completed: 2 });

    const sealed = await store.batches.seal("night");
    assertEquals([sealed.sealed, sealed.done_at, sealed.done_job_id], [true, clock.now(), "callback"]);
    assertEquals((await store.jobs.find("callback")).state, "pending");
    assertEquals((await store.batches.list()).map(({ name }) => name), ["night"]);
  });

  test("jobs that are added with a batch that is sealed at once make its job when the last ends", async ({ store }) => {
    await batch(store, 3, { sealsBatches: true, onBatchDone: CALLBACK });

    await finishAll(store, 2);
    assertEquals((await store.batches.find("b")).done_job_id, null);
    await store.jobs.cancel({ filter: { states: ["pending"] } });

    const done = await store.batches.find("b");
    assertEquals([done.ended, done.done_job_id, done.states], [3, "callback", { completed: 2, cancelled: 1 }]);
  });

  test("a batch makes its job once, also when members are retried", async ({ store }) => {
    await batch(store, 2, { sealsBatches: true, onBatchDone: { ...CALLBACK, id: null } });
    await finishAll(store, 2);

    await store.jobs.retry({ ids: ["b0"] });
    assertEquals((await store.batches.find("b")).ended, 1);
    await finishAll(store, 2);

    assertEquals((await store.batches.find("b")).ended, 2);
    assertEquals((await store.jobs.list({ queues: ["callbacks"] })).length, 1);
  });

  test("members that are cancelled for their parents or replaced count too", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "root" }),
      aNewJob({ id: "child", batch: "b", after: ["root"] }),
      aNewJob({ id: "old", batch: "b", key: "k" }),
      aNewJob({ id: "new", key: "k", on_conflict: "replace", batch: "b" }),
    ], { sealsBatches: true, onBatchDone: CALLBACK });

    await store.jobs.cancel({ ids: ["root", "new"] });

    const done = await store.batches.find("b");
    assertEquals([done.total, done.ended, done.done_job_id], [3, 3, "callback"]);
  });

  test("nothing is added to a sealed batch, and a batch is sealed once", async ({ store }) => {
    await batch(store, 1, { sealsBatches: true });

    const another = () => store.jobs.enqueue([aNewJob({ batch: "b" })]);
    await assertRejects(another, ConflictError, 'Cannot add to batch "b": it is sealed');
    await assertRejects(() => store.batches.seal("b"), ConflictError, "sealed already");
    await assertRejects(() => store.batches.seal("nothing"), NotFoundError, 'No batch "nothing"');
    assertEquals((await store.jobs.list({ batch: "b" })).length, 1);
  });

  test("a batch that is done is forgotten with its last job, and its name is free", async ({ store }) => {
    await batch(store, 2, { sealsBatches: true });
    await finishAll(store, 1);
    await store.jobs.remove({}, 10);
    await finishAll(store, 1);
    assertEquals((await store.batches.find("b")).total, 2);

    await store.jobs.remove({}, 10);

    assertEquals(await store.batches.list(), []);
    await batch(store, 1);
  });

  test("a batch that others opened is not sealed by adding to it", async ({ store }) => {
    await batch(store, 1);
    await store.jobs.enqueue([aNewJob({ batch: "b" })], { sealsBatches: true });

    assertEquals((await store.batches.find("b")).sealed, false);
  });

  test("jobs can be listed, counted and cancelled by their batch", async ({ store }) => {
    await batch(store, 3);
    await store.jobs.enqueue([aNewJob()]);

    assertEquals((await store.jobs.list({ batch: "b" })).map(({ id }) => id), ["b2", "b1", "b0"]);
    assertEquals((await store.jobs.list({ batch: "b", states: ["pending"], limit: 2 })).map(({ id }) => id), [
      "b2",
      "b1",
    ]);
    assertEquals(await store.jobs.count({ batch: "b" }), 3);
    assertEquals((await store.jobs.cancel({ filter: { batch: "b" } })).length, 3);
  });

  test("processes that finish a batch together make its job once", async ({ store }) => {
    await batch(store, 60, { sealsBatches: true, onBatchDone: { ...CALLBACK, id: null } });

    await runClients(Array.from({ length: 5 }, (_, i) => [store.location, "work", `w${i}`, "4"]));

    assertEquals((await store.jobs.list({ queues: ["callbacks"] })).length, 1);
    assertEquals((await store.batches.find("b")).states, { completed: 60 });
  });
}

async function batch(store: Store, size: number, options: { sealsBatches?: boolean; onBatchDone?: NewJob } = {}) {
  await store.jobs.enqueue(Array.from({ length: size }, (_, i) => aNewJob({ id: `b${i}`, batch: "b" })), options);
}

async function finishAll(store: Store, count: number): Promise<void> {
  for (const job of await store.jobs.claim(aClaim({ slots: count }))) await store.jobs.finish([aReport(job)]);
}
