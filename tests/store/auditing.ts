/** Who did what: written with the change, by whoever it was done in the name of. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { aJob, aNewJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const ADA = { user: "ada", host: "moon", pid: 7 };

export function auditing(test: DescribeCase): void {
  test("every change is in the audit, the newest first", async ({ open, clock }) => {
    const store = await open({ actor: ADA });
    await aJob(store, { id: "a" });
    clock.advance(1_000);
    await store.jobs.cancel({ ids: ["a"] });
    await store.jobs.retry({ ids: ["a"] });
    await store.jobs.edit("a", (job) => ({ ...job, priority: 1 }));
    await store.queues.setPaused("default", true);
    await store.queues.setPaused("default", false);
    await store.settings.set("max_retries", "5");
    await store.jobs.enqueueMany(() => [aNewJob(), aNewJob()]);
    await store.jobs.cancel({ filter: { states: ["pending"] } });
    await store.jobs.remove({}, 10);
    await store.queues.remove("default");

    const entries = await store.audit.list({});

    assertEquals(entries.map(({ action }) => action).toReversed(), [
      "enqueue",
      "cancel",
      "retry",
      "edit",
      "queue pause",
      "queue resume",
      "config set",
      "enqueue-batch",
      "cancel",
      "remove",
      "queue remove",
    ]);
    assertEquals(entries.every(({ user, host, pid }) => user === "ada" && host === "moon" && pid === 7), true);
    assertEquals(entries.at(-1)?.target, "a");
    assertEquals((await store.audit.list({ since: clock.now() })).length, 10);
    assertEquals((await store.audit.list({ limit: 2 })).map(({ action }) => action), ["queue remove", "remove"]);
  });

  test("what was refused or changed nothing is not in the audit", async ({ open }) => {
    const store = await open({ actor: ADA });

    await assertRejects(() => store.jobs.cancel({ ids: ["nobody"] }));
    await assertRejects(() => store.queues.setPaused("nowhere", true));
    await store.jobs.cancel({ filter: { states: ["pending"] } });
    await store.jobs.remove({}, 10);

    assertEquals(await store.audit.list({}), []);
  });

  test("who acts in nobody's name leaves no entry", async ({ store }) => {
    await aJob(store, { id: "a" });
    await store.jobs.cancel({ ids: ["a"] });

    assertEquals(await store.audit.list({}), []);
  });

  test("prune() forgets the oldest entries from before a time, up to a limit", async ({ open, clock }) => {
    const store = await open({ actor: ADA });
    for (const id of ["a", "b", "c"]) {
      await aJob(store, { id });
      clock.advance(1_000);
    }
    const before = clock.now() - 1_000;

    assertEquals(await store.audit.prune(before, 1), 1);
    assertEquals((await store.audit.list({})).map(({ target }) => target), ["c", "b"]);
    assertEquals(await store.audit.prune(before, 10), 1);
    assertEquals((await store.audit.list({})).map(({ target }) => target), ["c"]);
  });
}
