/** remove(): finished jobs go with all that belongs to them, and nothing else goes. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../lib/core/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const ALL = ["scheduled", "pending", "processing", "completed", "failed", "dead", "cancelled"] as const;

async function ids(store: Store): Promise<string[]> {
  return (await store.jobs.list({})).map((job) => job.id).sort();
}

export function removing(test: DescribeCase): void {
  test("remove() takes jobs that are over, never others", async ({ store }) => {
    for (const state of ALL) await aJob(store, { id: state, queue: state, state });

    const removed = await store.jobs.remove({}, 100);

    assertEquals(removed.length, 3);
    assertEquals(await ids(store), ["failed", "pending", "processing", "scheduled"]);
  });

  test("remove() of a state that is not final removes nothing", async ({ store }) => {
    for (const state of ALL) await aJob(store, { id: state, queue: state, state });

    assertEquals(await store.jobs.remove({ states: ["pending", "processing", "failed"] }, 100), []);
    assertEquals((await store.jobs.remove({ states: ["dead", "pending"] }, 100)).length, 1);

    assertEquals((await ids(store)).length, ALL.length - 1);
  });

  test("remove() takes what ended before a time, by queue and tag, up to a limit, the oldest first", async ({ store, clock }) => {
    for (const id of ["a", "b", "c", "d"]) {
      await aJob(store, {
        id,
        queue: id === "c" ? "mail" : "default",
        tags: id === "d" ? [] : ["x"],
        state: "completed",
      });
      clock.advance(1_000);
    }
    const { finished_at } = await store.jobs.find("b");

    assertEquals((await store.jobs.remove({ finishedBefore: finished_at! }, 100)).length, 1);
    assertEquals(await ids(store), ["b", "c", "d"]);
    assertEquals((await store.jobs.remove({ queues: ["mail"] }, 100)).length, 1);
    assertEquals((await store.jobs.remove({ tags: ["x"] }, 1)).length, 1);
    assertEquals(await ids(store), ["d"]);
  });

  test("remove() tells the runs whose files are to go, and takes runs, tags and output along", async ({ store }) => {
    const job = await aJob(store, { id: "a", tags: ["x"], state: "processing" });
    const output = { stdout: new Uint8Array([1]), stderr: null, stdoutBytes: 1, stderrBytes: 0, droppedBytes: 0 };
    await store.jobs.finish([aReport(job, { output })]);

    assertEquals(await store.jobs.remove({ states: ["completed"] }, 10), [{ seq: job.seq, run_count: 1 }]);

    await assertRejects(() => store.jobs.find("a"), NotFoundError);
    assertEquals(await store.jobs.runs(job.seq), []);
    assertEquals(await store.jobs.output(job.seq, 1), undefined);
    assertEquals(await store.jobs.list({ tags: ["x"] }), []);
  });

  test("an id is free again when its job is removed; its number is not", async ({ store }) => {
    const old = await aJob(store, { id: "a", state: "completed" });
    await store.jobs.remove({}, 10);

    const again = await aJob(store, { id: "a" });

    assertEquals(again.seq > old.seq, true);
  });
}
