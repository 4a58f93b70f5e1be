/** list(), counts() and queues.list(): what is there. @module */
import { assertEquals } from "@std/assert";
import type { JobFilter, Store } from "../../lib/store/mod.ts";
import { aJob, aNewJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function listing(test: DescribeCase): void {
  test("an empty store lists nothing and counts nothing", async ({ store }) => {
    assertEquals(await store.jobs.list({}), []);
    assertEquals(await store.jobs.counts(), []);
    assertEquals(await store.queues.list(), []);
  });

  test("list() gives whole jobs, the newest first", async ({ store }) => {
    const jobs = [await aJob(store, { id: "a" }), await aJob(store, { id: "b", tags: ["x"] })];

    assertEquals(await store.jobs.list({}), jobs.toReversed());
  });

  test("list() has no limit unless it is given one", async ({ store }) => {
    await store.jobs.enqueue(Array.from({ length: 1_200 }, () => aNewJob()));

    assertEquals((await store.jobs.list({})).length, 1_200);
    assertEquals((await store.jobs.list({ states: ["pending"] })).length, 1_200);
    assertEquals((await store.jobs.list({ limit: 7 })).length, 7);
  });

  test("list() with a limit gives the newest", async ({ store }) => {
    await store.jobs.enqueue(["a", "b", "c"].map((id) => aNewJob({ id })));

    assertEquals(await ids(store, { limit: 2 }), ["c", "b"]);
  });

  test("list() by state gives jobs in any of the states, the newest first", async ({ store }) => {
    await aJob(store, { id: "done", state: "completed" });
    await aJob(store, { id: "bad", state: "dead" });
    await aJob(store, { id: "gone", state: "cancelled" });
    await aJob(store, { id: "again", state: "failed" });
    await aJob(store, { id: "now", state: "processing" });
    await aJob(store, { id: "later", state: "scheduled" });
    await aJob(store, { id: "next" });

    assertEquals(await ids(store, { states: ["dead"] }), ["bad"]);
    assertEquals(await ids(store, { states: ["scheduled", "completed", "dead"] }), ["later", "bad", "done"]);
    assertEquals(await ids(store, { states: ["completed", "dead", "cancelled"], limit: 2 }), ["gone", "bad"]);
    assertEquals(await ids(store, { states: ["blocked"] }), []);
    assertEquals((await ids(store, {})).length, 7);
  });

  test("list() gives a job once, also when its state is asked for twice", async ({ store }) => {
    await store.jobs.enqueue(["a", "b"].map((id) => aNewJob({ id })));

    assertEquals(await ids(store, { states: ["pending", "pending"] }), ["b", "a"]);
  });

  test("list() of no states is empty", async ({ store }) => {
    await aJob(store);

    assertEquals(await ids(store, { states: [] }), []);
  });

  test("list() by any of the queues, all of the tags, and age", async ({ store, clock }) => {
    await aJob(store, { id: "old", queue: "mail", tags: ["x"] });
    clock.advance(1_000);
    await aJob(store, { id: "new", queue: "mail", tags: ["x", "y"] });
    await aJob(store, { id: "elsewhere", tags: ["xx"] });

    assertEquals(await ids(store, { queues: ["mail"] }), ["new", "old"]);
    assertEquals(await ids(store, { queues: ["default", "mail", "mail"] }), ["elsewhere", "new", "old"]);
    assertEquals(await ids(store, { queues: ["nowhere"] }), []);
    assertEquals(await ids(store, { queues: [] }), []);
    assertEquals(await ids(store, { tags: ["x"] }), ["new", "old"]);
    assertEquals(await ids(store, { tags: ["x", "y"] }), ["new"]);
    assertEquals(await ids(store, { tags: [] }), ["elsewhere", "new", "old"]);
    assertEquals(await ids(store, { since: clock.now() }), ["elsewhere", "new"]);
    assertEquals(await ids(store, { since: clock.now() + 1 }), []);
  });

  test("list() gives what meets every condition", async ({ store }) => {
    await aJob(store, { id: "a", queue: "mail", tags: ["x"], state: "completed" });
    await aJob(store, { id: "b", queue: "mail", tags: ["x"] });
    await aJob(store, { id: "c", queue: "mail", tags: ["y"] });
    await aJob(store, { id: "d", tags: ["x"] });

    const filter = { queues: ["mail"], tags: ["x"] };
    assertEquals(await ids(store, { ...filter, states: ["pending"], since: 0, search: "true" }), ["b"]);
    assertEquals(await ids(store, { ...filter, limit: 1 }), ["b"]);
  });

  test("list() searches in ids, commands and arguments, whatever the letter case", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "Report-7", command: "make" }),
      aNewJob({ id: "a", command: "pg_dump --format=custom REPORTS" }),
      aNewJob({ id: "b", argv: ["/usr/bin/report", "--all"] }),
      aNewJob({ id: "c", argv: ["tar", "a report of", "it"] }),
      aNewJob({ id: "d", command: "true" }),
    ]);

    assertEquals(await ids(store, { search: "report" }), ["c", "b", "a", "Report-7"]);
    assertEquals(await ids(store, { search: "nothing like it" }), []);
  });

  test("list() searches arguments as they would be typed", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "a", argv: ["echo", "hello", 'say "hi"'] }),
      aNewJob({ id: "b", argv: ["C:\\temp"] }),
    ]);

    assertEquals(await ids(store, { search: "echo hello" }), ["a"]);
    assertEquals(await ids(store, { search: 'say "hi"' }), ["a"]);
    assertEquals(await ids(store, { search: "c:\\temp" }), ["b"]);
    assertEquals(await ids(store, { search: '","' }), []);
  });

  test("list() searches for the text itself, not for a pattern", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "a", command: "echo 100%" }), aNewJob({ id: "b", command: "echo a_b" })]);

    assertEquals(await ids(store, { search: "%" }), ["a"]);
    assertEquals(await ids(store, { search: "_" }), ["b"]);
    assertEquals(await ids(store, { search: "'" }), []);
  });

  test("counts() tells queues and states apart", async ({ store }) => {
    await aJob(store, { queue: "mail", state: "completed" });
    await aJob(store, { queue: "mail" });
    await aJob(store, { queue: "mail" });
    await aJob(store, { queue: "default", state: "dead" });

    assertEquals((await store.jobs.counts()).toSorted((a, b) => a.n - b.n || (a.queue < b.queue ? -1 : 1)), [
      { queue: "default", state: "dead", n: 1 },
      { queue: "mail", state: "completed", n: 1 },
      { queue: "mail", state: "pending", n: 2 },
    ]);
  });
}

async function ids(store: Store, filter: JobFilter): Promise<string[]> {
  return (await store.jobs.list(filter)).map((job) => job.id);
}
