/** Claims from more queues than are asked each time. @module */
import { assert, assertEquals } from "@std/assert";
import { aClaim, aNewJob } from "../support/factories.ts";
import { tempStore } from "../support/temp_store.ts";
import { waitFor } from "../support/wait_for.ts";

const QUEUES = 100;

function names(): string[] {
  return Array.from({ length: QUEUES }, (_, i) => `q${i}`);
}

Deno.test("many queues take turns: each is served once before any is served twice, by two workers at once", async () => {
  await using temp = await tempStore();
  const other = await temp.open();
  const jobs = [1, 2, 3].flatMap(() => names().map((queue) => aNewJob({ queue })));
  await temp.store.jobs.enqueue(jobs);

  const served: string[] = [];
  for (let i = 0; i < QUEUES; i++) {
    for (const { jobs } of [temp.store, other]) served.push(...(await jobs.claim(aClaim())).map(({ queue }) => queue));
  }

  assertEquals(served.length, 2 * QUEUES);
  // The two remember their order apart, so that one may be a little ahead in its view.
  const times = names().map((name) => served.filter((queue) => queue === name).length);
  assertEquals(Math.min(...times) >= 1 && Math.max(...times) <= 3, true, times.join());
  const rest = await temp.store.jobs.claim(aClaim({ slots: 1_000 }));
  assertEquals(rest.length, QUEUES);
});

Deno.test("a job of a higher priority goes before those of many queues at once", async () => {
  await using temp = await tempStore();
  await temp.store.jobs.enqueue(names().map((queue) => aNewJob({ queue })));
  await temp.store.jobs.claim(aClaim());
  const [known, unknown] = await temp.store.jobs.enqueue([
    aNewJob({ queue: "q7", priority: 8 }),
    aNewJob({ queue: "new", priority: 9 }),
  ]);

  const claimed = await temp.store.jobs.claim(aClaim({ slots: 2 }));

  assertEquals(claimed.map(({ id }) => id), [unknown!.id, known!.id]);
});

Deno.test("with many queues a batch gives the best jobs first, several of one queue where those are the best", async () => {
  await using temp = await tempStore();
  await temp.store.jobs.enqueue(names().flatMap((queue, i) => [1, 2].map(() => aNewJob({ queue, priority: i }))));
  await temp.store.jobs.claim(aClaim());

  const claimed = await temp.store.jobs.claim(aClaim({ slots: 5 }));

  assertEquals(claimed.map(({ queue }) => queue), ["q99", "q98", "q98", "q97", "q97"]);
});

Deno.test("limits hold with many queues, and every job is claimed once", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await store.jobs.enqueue(names().flatMap((queue) => [1, 2].map(() => aNewJob({ queue }))));
  for (const name of names()) await store.queues.set(name, { concurrency: 1 });
  const ids = new Set<string>();
  for (let i = 0; i < QUEUES; i++) for (const { id } of await store.jobs.claim(aClaim())) ids.add(id);

  assertEquals(ids.size, QUEUES);
  assertEquals(await store.jobs.claim(aClaim({ slots: 9 })), []);
});

Deno.test("what a retry, a resumed queue or the end of a pause makes ready is seen within moments", async () => {
  await using temp = await tempStore();
  const { store } = temp;
  await store.jobs.enqueue(names().flatMap((queue) => [1, 2, 3].map(() => aNewJob({ queue }))));
  const [urgent] = await store.jobs.enqueue([aNewJob({ queue: "held", priority: 9 })]);
  await store.queues.setPaused("held", true);
  await store.jobs.claim(aClaim());

  await store.queues.setPaused("held", false);

  const found = await waitFor(
    async () => (await store.jobs.claim(aClaim()))[0]?.id === urgent!.id,
    "the job to be claimed",
  );
  assert(found);
});
