/** wake: whoever waits for a job hears of it. @module */
import { assertEquals } from "@std/assert";
import { aJob, aNewJob } from "../support/factories.ts";
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
