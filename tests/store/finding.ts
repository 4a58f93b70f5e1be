/** find(), complete() and completeTags(): what an id argument means, and what a shell offers. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../lib/core/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

/** The shortest prefix that may stand for an id. */
const SHORTEST = 4;

export function finding(test: DescribeCase): void {
  test("find() gives the job with exactly this id", async ({ store }) => {
    const job = await aJob(store, { id: "backup" });
    await aJob(store, { id: "backup-2" });

    assertEquals(await store.jobs.find("backup"), job);
  });

  test("find() takes a unique prefix of a generated id, of 4 characters or more", async ({ store }) => {
    const job = await aJob(store);

    for (let length = SHORTEST; length <= job.id.length; length++) {
      assertEquals(await store.jobs.find(job.id.slice(0, length)), job);
    }
  });

  test("find() takes no prefix shorter than 4 characters", async ({ store }) => {
    const { id } = await aJob(store);

    for (const prefix of ["", id.slice(0, 1), id.slice(0, SHORTEST - 1)]) {
      await assertRejects(() => store.jobs.find(prefix), NotFoundError, `No job "${prefix}"`);
    }
  });

  test("find() takes no prefix of an id that a person chose", async ({ store }) => {
    await aJob(store, { id: "abcdefghijkl" });
    await aJob(store, { id: "nightly-backup" });

    for (const prefix of ["abcd", "abcdefghijk", "nightly", "nightly-backu"]) {
      await assertRejects(() => store.jobs.find(prefix), NotFoundError, `No job "${prefix}"`);
    }
  });

  test("a chosen id that begins like a generated one does not make its prefix ambiguous", async ({ store }) => {
    const generated = await aJob(store);
    const prefix = generated.id.slice(0, 6);
    await aJob(store, { id: `${prefix}-chosen` });

    assertEquals((await store.jobs.find(prefix)).id, generated.id);
  });

  test("an exact id comes before a prefix", async ({ store }) => {
    const generated = await aJob(store);
    const chosen = await aJob(store, { id: generated.id.slice(0, SHORTEST) });

    assertEquals(await store.jobs.find(chosen.id), chosen);
  });

  test("find() of an ambiguous prefix names the candidates", async ({ store }) => {
    const [one, other] = await twoIdsThatBeginAlike(store);
    const prefix = one.slice(0, SHORTEST);

    const error = await assertRejects(() => store.jobs.find(prefix), NotFoundError, `Ambiguous job "${prefix}"`);

    assert(error.message.includes(one) && error.message.includes(other), error.message);
    assertEquals(error.exitCode, 3);
  });

  test("find() takes no pattern for an id", async ({ store }) => {
    await aJob(store);

    for (const pattern of ["%", "____", "%%%%", "*", "'", "\\"]) {
      await assertRejects(() => store.jobs.find(pattern), NotFoundError);
    }
  });

  test("complete() gives ids that begin with the text, chosen and generated alike", async ({ store }) => {
    const generated = (await aJob(store)).id;
    const chosen = `${generated.slice(0, 2)}-chosen`;
    await aJob(store, { id: chosen });
    await aJob(store, { id: "Other" });

    assertEquals((await completeIds(store, generated.slice(0, 2), 10)).toSorted(), [chosen, generated].toSorted());
    assertEquals(await completeIds(store, "Oth", 10), ["Other"]);
    assertEquals(await completeIds(store, "Other", 10), ["Other"]);
    assertEquals(await completeIds(store, "Othera", 10), []);
  });

  test("completeTags() gives each tag in use that begins with the text, once", async ({ store }) => {
    await aJob(store, { tags: ["nightly", "night", "mail"] });
    await aJob(store, { tags: ["nightly", "nights"] });

    assertEquals(await store.jobs.completeTags("", 10), ["mail", "night", "nightly", "nights"]);
    assertEquals(await store.jobs.completeTags("night", 2), ["night", "nightly"]);
    assertEquals(await store.jobs.completeTags("nightl", 10), ["nightly"]);
    assertEquals(await store.jobs.completeTags("x", 10), []);
  });

  test("complete() gives the newest first, of the states that are asked for", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "j1" }), aNewJob({ id: "j2", queue: "other" }), aNewJob({ id: "j3" })]);
    await store.jobs.enqueue([aNewJob({ id: "k1", command: null, type: "exec", argv: ["ls", "-l"] })]);
    await store.jobs.cancel({ ids: ["j2", "k1"] });

    const cancelled = (prefix: string) => store.jobs.complete({ prefix, states: ["dead", "cancelled"], limit: 10 });

    assertEquals((await cancelled("")).map(({ id, state }) => [id, state]), [["k1", "cancelled"], ["j2", "cancelled"]]);
    assertEquals((await cancelled("j")).map(({ id }) => id), ["j2"]);
    assertEquals((await cancelled("k"))[0]?.command, "ls -l");
    assertEquals(await completeIds(store, "", 10), ["k1", "j3", "j2", "j1"]);
    assertEquals(await completeIds(store, "j", 10), ["j3", "j2", "j1"]);
  });

  test("complete() merges many queues, and jobs that run, by their age", async ({ store }) => {
    const ids = Array.from({ length: 1_500 }, (_, i) => `n${i}`);
    await store.jobs.enqueueMany(() => ids.map((id, i) => aNewJob({ id, queue: `q${i % 7}` })));
    await store.jobs.claim(aClaim({ slots: 5 }));

    const waitingOrRunning = await store.jobs.complete({ prefix: "", states: ["pending", "processing"], limit: 1_498 });

    assertEquals(waitingOrRunning.map(({ id }) => id), ids.toReversed().slice(0, 1_498));
  });

  test("complete() finds the newest among thousands that begin alike, and the first in order", async ({ store }) => {
    const ids = Array.from({ length: 4_000 }, (_, i) => `job-${String(i).padStart(4, "0")}`);
    await store.jobs.enqueueMany(() => ids.map((id) => aNewJob({ id })));
    await store.jobs.cancel({ ids: ["job-0007"] });

    assertEquals(await completeIds(store, "job", 3), ["job-3999", "job-3998", "job-3997"]);
    assertEquals(await completeIds(store, "job-20", 2), ["job-2099", "job-2098"]);
    for (const prefix of ["", "job-"]) {
      const cancelled = await store.jobs.complete({ prefix, states: ["cancelled", "dead"], limit: 3 });
      assertEquals(cancelled.map(({ id }) => id), ["job-0007"]);
    }
    const pending = await store.jobs.complete({ prefix: "", states: ["pending", "cancelled"], limit: 4_000 });
    assertEquals(pending.map(({ id }) => id), ids.toReversed());
  });

  test("batches.complete() gives the newest first, with how far they are", async ({ store, clock }) => {
    for (const batch of ["night-1", "night-2", "day"]) {
      clock.advance(1_000);
      await store.jobs.enqueue([aNewJob({ id: batch, batch })], { sealsBatches: batch === "night-1" });
    }
    await store.jobs.cancel({ ids: ["night-1"] });

    assertEquals((await store.batches.complete("", 2)).map(({ name }) => name), ["day", "night-2"]);
    assertEquals(await store.batches.complete("night", 10), [
      { name: "night-2", sealed: false, total: 1, ended: 0 },
      { name: "night-1", sealed: true, total: 1, ended: 1 },
    ]);
  });

  test("complete() of nothing gives the newest ids", async ({ store }) => {
    await store.jobs.enqueue(["z", "a", "m"].map((id) => aNewJob({ id })));

    assertEquals(await completeIds(store, "", 2), ["m", "a"]);
  });

  test("complete() gives no more ids than asked for", async ({ store }) => {
    await store.jobs.enqueue(["a1", "a2", "a3"].map((id) => aNewJob({ id })));

    assertEquals((await completeIds(store, "a", 2)).length, 2);
  });

  test("complete() takes its text literally", async ({ store }) => {
    await store.jobs.enqueue(["a_b", "axb", "a.b"].map((id) => aNewJob({ id })));

    assertEquals(await completeIds(store, "a_", 10), ["a_b"]);
    assertEquals(await completeIds(store, "%", 10), []);
  });
}

async function completeIds(store: Store, prefix: string, limit: number): Promise<string[]> {
  return (await store.jobs.complete({ prefix, limit })).map(({ id }) => id);
}

/** Random ids cannot be wished for; among some thousands two begin alike. */
async function twoIdsThatBeginAlike(store: Store): Promise<[string, string]> {
  const seen = new Map<string, string[]>();
  while (true) {
    for (const { id } of await store.jobs.enqueue(Array.from({ length: 2_000 }, () => aNewJob()))) {
      const prefix = id.slice(0, SHORTEST);
      seen.set(prefix, [...seen.get(prefix) ?? [], id]);
    }
    const alike = [...seen.values()].find((ids) => ids.length > 1);
    if (alike !== undefined) return [alike[0]!, alike[1]!];
  }
}
