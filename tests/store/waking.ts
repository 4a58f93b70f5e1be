/** wake: whoever waits for a job hears of it. @module */
import { assertEquals } from "@std/assert";
import { aJob, aNewJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function waking(test: DescribeCase): void {
  test("who watches is woken when another connection enqueues", async ({ store, open }) => {
    const other = await open();
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const watch = store.wake.watch(resolve);

    await other.jobs.enqueue([aNewJob()]);

    await woken;
    await watch.close();
  });

  const FREEING = {
    "its queue has a limit": { queue: "api" },
    "another waits for its lock": { lock: "x" },
    "another waits for it": {},
  } as const;
  for (const [when, job] of Object.entries(FREEING)) {
    test(`who watches is woken when a run ends and ${when}`, async ({ store, open }) => {
      const other = await open();
      await store.queues.set("api", { concurrency: 1 });
      const first = await aJob(store, { ...job, id: "first", state: "processing" });
      await aJob(store, { ...job, after: when === "another waits for it" ? ["first"] : null });
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      const watch = other.wake.watch(resolve);

      await store.jobs.finish([aReport(first)]);

      await woken;
      await watch.close();
    });
  }

  test("a wake-up that nobody watches for does no harm", async ({ store }) => {
    store.wake.poke();

    await aJob(store);
  });

  test("who stopped watching is not called any more", async ({ store }) => {
    let calls = 0;
    const watch = store.wake.watch(() => calls++);
    await watch.close();
    const before = calls;

    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const another = store.wake.watch(resolve);
    await store.jobs.enqueue([aNewJob()]);
    await woken;
    await another.close();

    assertEquals(calls, before);
  });
}
