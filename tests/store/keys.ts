/** Keys: at most one job for each, in the sense of a scope. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError } from "../../lib/core/errors.ts";
import type { NewJob } from "../../lib/core/job.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import { runClients } from "../support/store_clients.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function keys(test: DescribeCase): void {
  test("a second job with a key stays out while the first is not final", async ({ store }) => {
    const first = await enqueue(store, { id: "first", key: "k" });
    assertEquals(first.deduplicated, false);

    for (const on_conflict of [null, "skip", "attach"] as const) {
      assertEquals(await enqueue(store, { key: "k", on_conflict }), { ...first, deduplicated: true });
    }
    const [job] = await store.jobs.claim(aClaim());
    assertEquals((await enqueue(store, { key: "k" })).id, "first");
    assertEquals((await enqueue(store, { key: "other" })).deduplicated, false);

    await store.jobs.finish([aReport(job!, { result: { kind: "exited", code: 1 } })]);
    assertEquals((await enqueue(store, { key: "k" })).id, "first");
    await store.jobs.cancel({ ids: ["first"] });
    assertEquals((await enqueue(store, { id: "second", key: "k" })).id, "second");
  });

  test("a job that stays out may have the id of the one that is there", async ({ store }) => {
    await enqueue(store, { id: "nightly", key: "k" });

    assertEquals((await enqueue(store, { id: "nightly", key: "k" })).deduplicated, true);
  });

  test("on_conflict fail refuses the second job", async ({ store }) => {
    await enqueue(store, { id: "first", key: "k" });

    const error = await assertRejects(() => enqueue(store, { key: "k", on_conflict: "fail" }), ConflictError);

    assertEquals(error.message, 'Cannot enqueue: key "k" is held by job "first", pending');
    assertEquals((await store.jobs.list({})).length, 1);
  });

  test("on_conflict replace cancels a holder that waits, and nothing that runs", async ({ store }) => {
    await enqueue(store, { id: "first", key: "k", run_at: Date.parse("2100-01-01") });

    await enqueue(store, { id: "second", key: "k", on_conflict: "replace" });

    const first = await store.jobs.find("first");
    assertEquals([first.state, first.reason], ["cancelled", "replaced by second"]);
    await store.jobs.claim(aClaim());
    await assertRejects(() => enqueue(store, { key: "k", on_conflict: "replace" }), ConflictError, "processing");
    assertEquals((await store.jobs.find("second")).state, "processing");
  });

  test("in the scope waiting a running job holds no key", async ({ store }) => {
    await enqueue(store, { id: "first", key: "k", key_scope: "waiting" });
    assertEquals((await enqueue(store, { key: "k", key_scope: "waiting" })).id, "first");
    await store.jobs.claim(aClaim());

    assertEquals((await enqueue(store, { id: "second", key: "k", key_scope: "waiting" })).id, "second");
    assertEquals((await enqueue(store, { key: "k", key_scope: "waiting" })).id, "second");
  });

  test("a window holds a key for so long since creation, unless the job was cancelled", async ({ store, clock }) => {
    const window = { key: "k", key_scope: "window:1h" };
    await aJob(store, { ...window, id: "first", state: "completed" });
    clock.advance(3_599_999);
    assertEquals((await enqueue(store, window)).id, "first");
    clock.advance(1);
    assertEquals((await enqueue(store, { ...window, id: "second" })).id, "second");

    await store.jobs.cancel({ ids: ["second"] });
    assertEquals((await enqueue(store, { ...window, id: "third" })).id, "third");
    await assertRejects(
      async () => {
        await aJobEnds(store);
        await enqueue(store, { ...window, on_conflict: "replace" });
      },
      ConflictError,
      "completed",
    );
  });

  test("jobs that are added together hold keys against each other", async ({ store }) => {
    const jobs = ["a", "b", "a"].map((key) => aNewJob({ key }));
    const ids: string[] = [];

    assertEquals(await store.jobs.enqueueMany(() => jobs, (id) => ids.push(id)), 2);

    assertEquals(new Set(ids).size, 2);
    assertEquals((await store.jobs.list({})).length, 2);
  });

  test("retry of a job whose key is held is refused; by filter it is left out", async ({ store }) => {
    await aJob(store, { id: "old", key: "k", state: "dead" });
    await aJob(store, { id: "older", state: "dead" });
    await enqueue(store, { id: "new", key: "k" });

    await assertRejects(() => store.jobs.retry({ ids: ["older", "old"] }), ConflictError, 'held by job "new"');
    assertEquals((await store.jobs.find("older")).state, "dead");
    const retried = await store.jobs.retry({ filter: { states: ["dead"] } });
    assertEquals(retried.map(({ id }) => id), ["older"]);
  });

  test("of dead jobs with one key a retry brings back one", async ({ store }) => {
    await aJob(store, { id: "a", key: "k", state: "dead" });
    await aJob(store, { id: "b", key: "k", state: "dead" });

    await assertRejects(() => store.jobs.retry({ ids: ["a", "b"] }), ConflictError);
    assertEquals((await store.jobs.retry({ filter: { states: ["dead"] } })).map(({ id }) => id), ["a"]);
  });

  test("edit cannot give a job a key that is held", async ({ store }) => {
    await enqueue(store, { key: "k" });
    await enqueue(store, { id: "b", key: "other" });

    await assertRejects(() => store.jobs.edit("b", (job) => ({ ...job, id: null, key: "k" })), ConflictError);
    assertEquals((await store.jobs.edit("b", (job) => ({ ...job, id: null, key: "free" }))).key, "free");
  });

  test("processes that enqueue with one key at once make one job", async ({ store }) => {
    const writers = Array.from({ length: 6 }, () => [store.location, "enqueueKey", "deploy", "20"]);

    const ids = (await runClients(writers) as string[][]).flat();

    assertEquals(new Set(ids).size, 1);
    assertEquals((await store.jobs.list({})).length, 1);
  });
}

async function enqueue(store: Store, job: Partial<NewJob>) {
  const [enqueued] = await store.jobs.enqueue([aNewJob(job)]);
  return enqueued!;
}

/** Claims one job and completes it. */
async function aJobEnds(store: Store): Promise<void> {
  const [job] = await store.jobs.claim(aClaim());
  await store.jobs.finish([aReport(job!)]);
}
