/** Queues: made on first use, paused, resumed, forgotten. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError } from "../../lib/core/errors.ts";
import { aClaim, aJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function queues(test: DescribeCase): void {
  test("a queue is there from its first job on, open and without limits", async ({ store }) => {
    await aJob(store, { queue: "mail" });
    await aJob(store, { queue: "mail" });

    const [queue, ...others] = await store.queues.list();

    assertEquals(others, []);
    assertEquals(
      [queue?.name, queue?.paused, queue?.concurrency, queue?.rate, queue?.max_pending],
      ["mail", false, null, null, null],
    );
  });

  test("nothing of a paused queue is claimed until it is resumed", async ({ store }) => {
    await aJob(store, { id: "a", queue: "mail" });
    await store.queues.setPaused("mail", true);

    assertEquals(await store.jobs.claim(aClaim()), []);
    assertEquals((await store.queues.list())[0]?.paused, true);
    await store.queues.setPaused("mail", false);
    assertEquals((await store.jobs.claim(aClaim())).map((job) => job.id), ["a"]);
  });

  test("pausing and removing a queue that nobody has used is refused", async ({ store }) => {
    await assertRejects(() => store.queues.setPaused("nowhere", true), NotFoundError, 'No queue "nowhere"');
    await assertRejects(() => store.queues.remove("nowhere"), NotFoundError, 'No queue "nowhere"');
  });

  test("a queue is not removed while it holds a job that is not over", async ({ store }) => {
    await aJob(store, { id: "a", queue: "mail" });

    await assertRejects(() => store.queues.remove("mail"), ConflictError, "it holds 1 unfinished job");
    await store.jobs.cancel({ ids: ["a"] });
    await store.queues.remove("mail");

    assertEquals(await store.queues.list(), []);
    assertEquals((await store.jobs.find("a")).queue, "mail");
  });
}
