/** Real processes that use one store at the same time. @module */
import { assertEquals } from "@std/assert";
import { aClaim, aNewJob } from "../support/factories.ts";
import { runClients } from "../support/store_clients.ts";
import { waitFor } from "../support/wait_for.ts";
import type { DescribeCase } from "./store_conformance.ts";

export function concurrency(test: DescribeCase): void {
  test("six processes that claim 2,000 jobs lose none and run none twice", async ({ store }) => {
    const jobs = Array.from({ length: 2_000 }, (_, i) => aNewJob({ queue: `q${i % 3}`, priority: i % 5 }));
    const enqueued = await store.jobs.enqueue(jobs);

    const claimers = Array.from({ length: 6 }, (_, i) => [store.location, "claim", `w${i}`, String(1 + i % 3)]);
    const runs = (await runClients(claimers) as string[][]).flat();

    assertEquals(runs.toSorted(), enqueued.map(({ seq }) => `${seq}/1`).toSorted());
    assertEquals((await store.jobs.list({ states: ["completed"] })).length, 2_000);
    for (const { seq } of enqueued.filter((_, i) => i % 100 === 0)) {
      assertEquals((await store.jobs.runs(seq)).map((run) => run.outcome), ["succeeded"]);
    }
  });

  test("processes that enqueue at once all get their jobs in, each batch in its order", async ({ store }) => {
    const writers = Array.from({ length: 5 }, (_, i) => [store.location, "enqueue", `queue-${i}`, "30", "4"]);

    const batches = await runClients(writers) as string[][][];

    const seqs = new Map((await store.jobs.list({})).map((job) => [job.id, job.seq]));
    assertEquals(seqs.size, 5 * 30 * 4);
    for (const ofOneWriter of batches) {
      const inOrder = ofOneWriter.flat().map((id) => seqs.get(id)!);
      assertEquals(inOrder, inOrder.toSorted((a, b) => a - b));
    }
    assertEquals((await store.jobs.counts()).map(({ n }) => n), [120, 120, 120, 120, 120]);
  });

  test("jobs that are enqueued while others claim are all run once", async ({ store, open }) => {
    const claimer = await open();
    let isWriting = true;
    const writing = runClients(["a", "b"].map((queue) => [store.location, "enqueue", queue, "50", "2"]))
      .finally(() => isWriting = false);

    const claimed: string[] = [];
    const claim = async () => {
      const wasWriting = isWriting;
      const jobs = await claimer.jobs.claim(aClaim({ slots: 3 }));
      claimed.push(...jobs.map((job) => job.id));
      return jobs.length === 0 && !wasWriting;
    };
    await waitFor(claim, "the writers to end and the queue to be empty");

    const written = (await writing as string[][][]).flat(2);
    assertEquals(claimed.toSorted(), written.toSorted());
  });
}
