/** find(), completeIds() and completeTags(): what an id argument means, and what a shell offers. @module */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../lib/core/errors.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aJob, aNewJob } from "../support/factories.ts";
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

  test("completeIds() gives ids that begin with the text, chosen and generated alike", async ({ store }) => {
    const generated = (await aJob(store)).id;
    const chosen = `${generated.slice(0, 2)}-chosen`;
    await aJob(store, { id: chosen });
    await aJob(store, { id: "Other" });

    assertEquals((await store.jobs.completeIds(generated.slice(0, 2), 10)).toSorted(), [chosen, generated].toSorted());
    assertEquals(await store.jobs.completeIds("Oth", 10), ["Other"]);
    assertEquals(await store.jobs.completeIds("Other", 10), ["Other"]);
    assertEquals(await store.jobs.completeIds("Othera", 10), []);
  });

  test("completeTags() gives each tag in use that begins with the text, once", async ({ store }) => {
    await aJob(store, { tags: ["nightly", "night", "mail"] });
    await aJob(store, { tags: ["nightly", "nights"] });

    assertEquals(await store.jobs.completeTags("", 10), ["mail", "night", "nightly", "nights"]);
    assertEquals(await store.jobs.completeTags("night", 2), ["night", "nightly"]);
    assertEquals(await store.jobs.completeTags("nightl", 10), ["nightly"]);
    assertEquals(await store.jobs.completeTags("x", 10), []);
  });

  test("completeIds() of nothing gives the newest ids", async ({ store }) => {
    await store.jobs.enqueue(["z", "a", "m"].map((id) => aNewJob({ id })));

    assertEquals(await store.jobs.completeIds("", 2), ["m", "a"]);
  });

  test("completeIds() gives no more ids than asked for", async ({ store }) => {
    await store.jobs.enqueue(["a1", "a2", "a3"].map((id) => aNewJob({ id })));

    assertEquals((await store.jobs.completeIds("a", 2)).length, 2);
  });

  test("completeIds() takes its text literally", async ({ store }) => {
    await store.jobs.enqueue(["a_b", "axb", "a.b"].map((id) => aNewJob({ id })));

    assertEquals(await store.jobs.completeIds("a_", 10), ["a_b"]);
    assertEquals(await store.jobs.completeIds("%", 10), []);
  });
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
