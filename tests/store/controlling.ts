/** cancel(), retry(), edit(), revive(): what people do to jobs that exist. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError } from "../../lib/core/errors.ts";
import { InvalidTransitionError, type JobState } from "../../lib/core/job_state.ts";
import type { JobFilter, Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const WAITING = ["scheduled", "pending", "failed"] as const;
const FINAL = ["completed", "dead", "cancelled"] as const;

async function stateOf(store: Store, id: string): Promise<JobState> {
  return (await store.jobs.find(id)).state;
}

export function controlling(test: DescribeCase): void {
  for (const state of WAITING) {
    test(`cancel() ends a job that is ${state}, at once`, async ({ store, clock }) => {
      await aJob(store, { id: "a", state });

      const [changed] = await store.jobs.cancel({ ids: ["a"] });

      const job = await store.jobs.find("a");
      assertEquals({ from: changed?.from, to: changed?.to, id: changed?.id }, {
        from: state,
        to: "cancelled",
        id: "a",
      });
      assertEquals([job.state, job.finished_at, job.run_at], ["cancelled", clock.now(), null]);
      assertEquals(job.reason, "cancelled by a person");
    });
  }

  test("cancel() of a running job marks it for its worker, who ends it", async ({ store }) => {
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w" });

    await store.jobs.cancel({ ids: ["a"] });

    assertEquals(await store.jobs.cancelRequests("w"), [job.seq]);
    assertEquals(await stateOf(store, "a"), "processing");
    await store.jobs.finish([aReport(job, { result: { kind: "exited", code: 0 } })]);
    assertEquals(await stateOf(store, "a"), "cancelled");
    assertEquals(await store.jobs.cancelRequests("w"), []);
  });

  for (const state of FINAL) {
    test(`cancel() refuses a job that is ${state}, and cancels no other with it`, async ({ store }) => {
      await aJob(store, { id: "over", queue: "x", state });
      await aJob(store, { id: "waits" });

      await assertRejects(
        () => store.jobs.cancel({ ids: ["waits", "over"] }),
        InvalidTransitionError,
        `already ${state}`,
      );

      assertEquals(await stateOf(store, "waits"), "pending");
    });
  }

  test("cancel() and retry() of an unknown id change nothing", async ({ store }) => {
    await aJob(store, { id: "waits", state: "failed" });

    await assertRejects(() => store.jobs.cancel({ ids: ["waits", "nobody"] }), NotFoundError);
    await assertRejects(() => store.jobs.retry({ ids: ["waits", "nobody"] }), NotFoundError);

    assertEquals(await stateOf(store, "waits"), "failed");
  });

  test("cancel() of the same job twice in one call is once", async ({ store }) => {
    await aJob(store, { id: "a" });

    assertEquals((await store.jobs.cancel({ ids: ["a", "a"] })).length, 1);
  });

  test("cancel() by filter takes those that can be, and leaves the others", async ({ store }) => {
    await aJob(store, { id: "done", queue: "mail", state: "completed" });
    await aJob(store, { id: "a", queue: "mail" });
    await aJob(store, { id: "b", queue: "mail", tags: ["x"] });
    await aJob(store, { id: "other" });

    const changed = await store.jobs.cancel({ filter: { queues: ["mail"] } });

    assertEquals(changed.map((job) => job.id), ["a", "b"]);
    assertEquals(await stateOf(store, "done"), "completed");
    assertEquals(await stateOf(store, "other"), "pending");
  });

  test("a filter is gone through page by page, from the oldest on", async ({ store }) => {
    for (const id of ["a", "b", "c", "d", "e"]) await aJob(store, { id, queue: id < "c" ? "x" : "y" });
    const filter: JobFilter = { states: ["pending"] };
    const pages: string[][] = [];

    let after = 0;
    while (true) {
      const through = await store.jobs.pageEnd(filter, after, 2);
      if (through === undefined) break;
      pages.push((await store.jobs.cancel({ filter, after, through })).map(({ id }) => id));
      after = through;
    }

    assertEquals(pages, [["a", "b"], ["c", "d"], ["e"]]);
  });

  test("a page of a filter takes in what still meets it, and nothing beyond its end", async ({ store }) => {
    const jobs = await Promise.all(["a", "b", "c"].map((id) => aJob(store, { id })));
    await store.jobs.edit("a", (job) => ({ ...job, queue: "elsewhere" }));

    const changed = await store.jobs.cancel({ filter: { queues: ["default"] }, after: 0, through: jobs[1]!.seq });

    assertEquals(changed.map(({ id }) => id), ["b"]);
    assertEquals(await stateOf(store, "c"), "pending");
  });

  for (const state of ["scheduled", "failed", ...FINAL] as const) {
    test(`retry() makes a job that is ${state} run now, with a fresh count`, async ({ store }) => {
      const before = await aJob(store, { id: "a", state });

      await store.jobs.retry({ ids: ["a"] });

      const job = await store.jobs.find("a");
      assertEquals([job.state, job.attempts, job.crashes, job.snoozes], ["pending", 0, 0, 0]);
      assertEquals([job.finished_at, job.run_at, job.run_count], [null, null, before.run_count]);
      const [claimed] = await store.jobs.claim(aClaim());
      assertEquals([claimed?.id, claimed?.attempts, claimed?.run_count], ["a", 1, before.run_count + 1]);
    });
  }

  for (const state of ["pending", "processing"] as const) {
    test(`retry() refuses a job that is ${state}`, async ({ store }) => {
      await aJob(store, { id: "a", state });

      await assertRejects(() => store.jobs.retry({ ids: ["a"] }), ConflictError, "Cannot retry job");
    });
  }

  test("retry() of a cancelled running job forgets the wish to cancel it", async ({ store }) => {
    const job = await aJob(store, { id: "a", state: "processing" });
    await store.jobs.cancel({ ids: ["a"] });
    await store.jobs.finish([aReport(job)]);

    await store.jobs.retry({ ids: ["a"] });
    const [again] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(again!)]);

    assertEquals(await stateOf(store, "a"), "completed");
  });

  test("retry() by filter takes the dead of a queue", async ({ store }) => {
    await aJob(store, { id: "a", queue: "mail", state: "dead" });
    await aJob(store, { id: "b", queue: "x", state: "dead" });

    const changed = await store.jobs.retry({ filter: { states: ["dead"], queues: ["mail"] } });

    assertEquals(changed.map(({ id, from, to }) => [id, from, to]), [["a", "dead", "pending"]]);
    assertEquals(await stateOf(store, "b"), "dead");
  });

  test("edit() writes other fields to a job that waits", async ({ store }) => {
    await aJob(store, { id: "a", tags: ["x"] });
    await aJob(store, { id: "b", priority: 5 });

    const job = await store.jobs.edit("a", (old) => ({ ...old, priority: 10, queue: "default", tags: ["y"] }));

    assertEquals([job.priority, job.tags, job.state], [10, ["y"], "pending"]);
    assertEquals((await store.jobs.list({ tags: ["x"] })).length, 0);
    assertEquals((await store.jobs.list({ tags: ["y"] })).length, 1);
    assertEquals((await store.jobs.claim(aClaim()))[0]?.id, "a");
  });

  test("edit() of the time puts a pending job off, and a scheduled one forward", async ({ store, clock }) => {
    await aJob(store, { id: "a" });
    const later = clock.now() + 60_000;

    const putOff = await store.jobs.edit("a", (job) => ({ ...job, run_at: later }));
    assertEquals([putOff.state, putOff.run_at], ["scheduled", later]);
    const forward = await store.jobs.edit("a", (job) => ({ ...job, run_at: clock.now() }));
    assertEquals([forward.state, forward.run_at], ["pending", null]);
  });

  for (const state of ["processing", ...FINAL] as const) {
    test(`edit() refuses a job that is ${state}`, async ({ store }) => {
      await aJob(store, { id: "a", state });

      await assertRejects(() => store.jobs.edit("a", (job) => ({ ...job, priority: 1 })), ConflictError, "Cannot edit");

      assertEquals((await store.jobs.find("a")).priority, 0);
    });
  }

  test("count() says how many jobs a filter takes", async ({ store, clock }) => {
    await aJob(store, { id: "done", queue: "mail", tags: ["x"], state: "completed" });
    clock.advance(1_000);
    await aJob(store, { id: "a", queue: "mail", tags: ["x"] });
    await aJob(store, { id: "b", tags: ["x", "y"] });
    await aJob(store, { id: "c", queue: "p", state: "processing" });

    const filters: [JobFilter, number][] = [
      [{}, 4],
      [{ states: ["pending"] }, 2],
      [{ queues: ["mail"] }, 2],
      [{ states: ["pending", "processing"], queues: ["mail", "p"] }, 2],
      [{ tags: ["x"] }, 3],
      [{ tags: ["x", "y"] }, 1],
      [{ tags: ["x"], states: ["pending"] }, 2],
      [{ search: "true", queues: ["mail"] }, 2],
      [{ since: clock.now() }, 3],
      [{ finishedBefore: clock.now() + 1 }, 1],
      [{ finishedBefore: clock.now() + 1_000, states: ["completed", "dead"], tags: ["x"], queues: ["mail"] }, 1],
      [{ finishedBefore: 0 }, 0],
      [{ states: [] }, 0],
    ];
    for (const [filter, expected] of filters) {
      assertEquals(await store.jobs.count(filter), expected, JSON.stringify(filter));
    }
  });

  test("revive() gives the dead one more life, oldest deaths first, and not twice", async ({ store, clock }) => {
    for (const id of ["a", "b", "c"]) {
      await aJob(store, { id, state: "dead" });
      clock.advance(1_000);
    }

    const [first] = await store.jobs.revive(clock.now(), 1);
    assertEquals([first?.id, first?.to], ["a", "pending"]);
    const [claimed] = await store.jobs.claim(aClaim());
    await store.jobs.finish([aReport(claimed!, { result: { kind: "exited", code: 1 } })]);
    assertEquals(await stateOf(store, "a"), "dead");
    clock.advance(10_000);

    assertEquals((await store.jobs.revive(clock.now(), 10)).map(({ id }) => id), ["b", "c"]);
    assertEquals(await store.jobs.revive(clock.now(), 10), []);
  });

  test("many jobs are changed by one filter", async ({ store }) => {
    await store.jobs.enqueue(Array.from({ length: 2_100 }, () => aNewJob()));

    assertEquals((await store.jobs.cancel({ filter: { states: ["pending"] } })).length, 2_100);

    assert((await store.jobs.counts()).every(({ state }) => state === "cancelled"));
  });
}
