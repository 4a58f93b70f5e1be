/** Jobs that wait for others. @module */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError, UsageError } from "../../lib/core/errors.ts";
import type { NewJob } from "../../lib/core/job.ts";
import type { RunResult } from "../../lib/core/run_result.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import { runClients } from "../support/store_clients.ts";
import type { DescribeCase } from "./store_conformance.ts";

const DIAMOND: readonly Partial<NewJob>[] = [
  { id: "d", after: ["b", "c"] },
  { id: "b", after: ["a"] },
  { id: "c", after: ["a"] },
  { id: "a", max_retries: 0 },
];

export function dependencies(test: DescribeCase): void {
  test("a job waits until all of its parents have completed", async ({ store, clock }) => {
    await add(store, { id: "a" }, { id: "b" }, { id: "child", after: ["a", "b"] });
    const child = await store.jobs.find("child");
    assertEquals([child.state, child.parents_left], ["blocked", 2]);

    await end(store, "a");
    assertEquals((await store.jobs.find("child")).state, "blocked");
    clock.advance(1_000);
    await end(store, "b");

    assertEquals((await store.jobs.find("child")).state, "pending");
    assertEquals(await store.jobs.parents(child.seq), [
      { id: "a", needs: "completed", isSatisfied: true, state: "completed" },
      { id: "b", needs: "completed", isSatisfied: true, state: "completed" },
    ]);
    assertEquals((await store.jobs.claim(aClaim())).map(({ id }) => id), ["child"]);
  });

  test("a failed run of a parent that is retried changes nothing for its children", async ({ store }) => {
    await add(store, { id: "a" }, { id: "child", after: ["a"] });

    await end(store, "a", { kind: "exited", code: 1 });

    assertEquals((await store.jobs.find("child")).state, "blocked");
  });

  test("a job that waits for others and for a time waits for both", async ({ store, clock }) => {
    await add(store, { id: "a" }, { id: "child", after: ["a"], run_at: clock.now() + 60_000 });
    assertEquals((await store.jobs.find("child")).state, "blocked");

    await end(store, "a");

    const child = await store.jobs.find("child");
    assertEquals([child.state, child.run_at], ["scheduled", clock.now() + 60_000]);
  });

  test("a job after one that has completed is ready at once", async ({ store }) => {
    await aJob(store, { id: "a", state: "completed" });
    await add(store, { id: "child", after: ["a"] });

    assertEquals((await store.jobs.find("child")).state, "pending");
  });

  test("parents may be named by unique beginnings of generated ids", async ({ store }) => {
    const parent = await aJob(store);
    await add(store, { id: "child", after: [parent.id.slice(0, 6)] });

    assertEquals((await store.jobs.find("child")).after, [parent.id]);
  });

  test("what is satisfied stays so when the parent is removed", async ({ store }) => {
    await add(store, { id: "a" }, { id: "b" }, { id: "child", after: ["a", "b"] });
    await end(store, "a");
    await store.jobs.remove({}, 10);

    await end(store, "b");

    assertEquals((await store.jobs.find("child")).state, "pending");
  });

  for (const state of ["dead", "cancelled"] as const) {
    test(`a parent that ends ${state} cancels its children and theirs, by name`, async ({ store }) => {
      await add(store, ...DIAMOND, { id: "watcher", after_any: ["a", "d"] });

      if (state === "dead") await end(store, "a", { kind: "exited", code: 1 });
      else await store.jobs.cancel({ ids: ["a"] });

      for (const [id, parent, how] of [["b", "a", state], ["c", "a", state]]) {
        const job = await store.jobs.find(id!);
        assertEquals([job.state, job.reason], ["cancelled", `parent "${parent}" ended ${how}`]);
      }
      // Through which of the two it heard of it is all the same.
      const last = await store.jobs.find("d");
      assertEquals(last.state, "cancelled");
      assertMatch(last.reason ?? "", new RegExp(`^parent "[bc]" ended cancelled: parent "a" ended ${state}$`));
      assertEquals((await store.jobs.find("watcher")).state, "pending");
    });
  }

  test("children of a dead job wait on while it gets another life", async ({ store, clock }) => {
    await add(store, { id: "a", max_retries: 0 }, { id: "child", after: ["a"] });
    const fail: RunResult = { kind: "exited", code: 1 };

    await end(store, "a", fail, { deadAreRetried: true });
    assertEquals((await store.jobs.find("child")).state, "blocked");
    await store.jobs.settle(true);
    assertEquals((await store.jobs.find("child")).state, "blocked");

    clock.advance(10_000);
    await store.jobs.revive(clock.now(), 10);
    await end(store, "a", fail, { deadAreRetried: true });
    assertEquals((await store.jobs.find("child")).state, "cancelled");
  });

  test("when dead jobs are no longer retried, their children are cancelled", async ({ store }) => {
    await add(store, { id: "a", max_retries: 0 }, { id: "child", after: ["a"] });
    await end(store, "a", { kind: "exited", code: 1 }, { deadAreRetried: true });
    assertEquals(await store.jobs.remove({}, 10), []);

    await store.jobs.settle(false);

    assertEquals((await store.jobs.find("child")).state, "cancelled");
    assertEquals((await store.jobs.remove({}, 10)).length, 2);
  });

  test("retry brings back a child only with its parent", async ({ store }) => {
    await add(store, ...DIAMOND);
    await end(store, "a", { kind: "exited", code: 1 });

    const error = await assertRejects(() => store.jobs.retry({ ids: ["d", "b"] }), ConflictError);
    assertEquals(error.message, 'Cannot retry job "d": its parent "c" is cancelled');
    assertEquals(error.hint, "queuectl retry c a d b");
    await assertRejects(() => store.jobs.retry({ ids: ["b"] }), ConflictError, 'its parent "a" is dead');
    assertEquals(await store.jobs.retry({ filter: { states: ["cancelled"] } }), []);

    const changed = await store.jobs.retry({ ids: ["a", "b", "c", "d"] });

    assertEquals(changed.map(({ id, to }) => `${id} ${to}`), ["a pending", "b blocked", "c blocked", "d blocked"]);
    for (const id of ["a", "b", "c", "d"]) await end(store, id);
    assertEquals((await store.jobs.list({ states: ["completed"] })).length, 4);
  });

  test("a child of a parent that was retried and completed may be retried", async ({ store }) => {
    await add(store, { id: "a", max_retries: 0 }, { id: "child", after: ["a"] });
    await end(store, "a", { kind: "exited", code: 1 });
    await store.jobs.retry({ ids: ["a"] });
    await end(store, "a");
    assertEquals((await store.jobs.find("child")).state, "cancelled");
    await store.jobs.remove({ states: ["completed"] }, 10);

    await store.jobs.retry({ ids: ["child"] });

    assertEquals((await store.jobs.find("child")).state, "pending");
  });

  test("unknown parents, ended ones and cycles are refused, and nothing is stored", async ({ store }) => {
    await aJob(store, { id: "dead", state: "dead" });
    await assertRejects(() => add(store, { after: ["nobody"] }), NotFoundError, 'No job "nobody"');
    await assertRejects(() => add(store, { id: "x" }, { after: ["no-body"] }), NotFoundError, "no-body");
    await assertRejects(
      () => add(store, { after: ["dead"] }),
      ConflictError,
      'Cannot wait for job "dead": already dead',
    );
    await assertRejects(() => add(store, { id: "me", after: ["me"] }), UsageError, "me -> me");
    const cycle = [{ id: "a", after: ["c"] }, { id: "x" }, { id: "b", after: ["a", "x"] }, {
      id: "c",
      after_any: ["b"],
    }];
    const error = await assertRejects(() => add(store, ...cycle), UsageError);
    assertEquals(error.message, "Cannot enqueue jobs that wait for each other: a -> c -> b -> a");

    assertEquals((await store.jobs.list({})).map(({ id }) => id), ["dead"]);
  });

  test("a parent with more children than one transaction changes tells all of them", async ({ store }) => {
    await aJob(store, { id: "root", priority: 9 });
    const children = Array.from({ length: 1_300 }, (_, i) => aNewJob({ id: `c${i}`, after: ["root"] }));
    await store.jobs.enqueueMany(() => children);

    await end(store, "root");

    assertEquals((await store.jobs.counts()).find(({ state }) => state === "pending")?.n, 1_300);
  });

  test("a long chain is cancelled to its end", async ({ store }) => {
    const chain = Array.from(
      { length: 1_200 },
      (_, i) => aNewJob({ id: `c${i}`, after: i === 0 ? null : [`c${i - 1}`] }),
    );
    await store.jobs.enqueueMany(() => chain.toReversed());

    await store.jobs.cancel({ ids: ["c0"] });

    assertEquals((await store.jobs.counts()).map(({ state, n }) => [state, n]), [["cancelled", 1_200]]);
    assertEquals(
      (await store.jobs.find("c1199")).reason,
      'parent "c1198" ended cancelled: parent "c0" ended cancelled',
    );
  });

  test("processes together run each child after its parents", async ({ store }) => {
    const layers = Array.from(
      { length: 6 },
      (_, layer) =>
        Array.from({ length: 20 }, (_, i) =>
          aNewJob({
            id: `${layer}-${i}`,
            after: layer === 0 ? null : [`${layer - 1}-${i}`, `${layer - 1}-${(i + 7) % 20}`],
          })),
    );
    await store.jobs.enqueueMany(() => layers.flat().toReversed());

    await runClients(Array.from({ length: 4 }, (_, i) => [store.location, "work", `w${i}`, "3"]));

    const jobs = new Map((await store.jobs.list({ states: ["completed"] })).map((job) => [job.id, job]));
    assertEquals(jobs.size, 120);
    for (const job of jobs.values()) {
      for (const id of job.after ?? []) {
        assertEquals(jobs.get(id)!.finished_at! <= job.started_at!, true, `${id}, ${job.id}`);
      }
    }
  });
}

async function add(store: Store, ...jobs: readonly Partial<NewJob>[]): Promise<void> {
  await store.jobs.enqueue(jobs.map((job) => aNewJob(job)));
}

/** Claims jobs until this one comes, and ends it; the others are given back. */
async function end(
  store: Store,
  id: string,
  result: RunResult = { kind: "exited", code: 0 },
  more: { deadAreRetried?: boolean } = {},
): Promise<void> {
  const claimed = await store.jobs.claim(aClaim({ slots: 50 }));
  for (const job of claimed) {
    const report = job.id === id ? { result, ...more } : { result: { kind: "interrupted" } as const };
    await store.jobs.finish([aReport(job, report)]);
  }
  if (!claimed.some((job) => job.id === id)) throw new Error(`${id} was not to be claimed`);
}
