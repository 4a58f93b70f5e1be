/** Templates: written fields under a name. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError, NotFoundError } from "../../lib/core/errors.ts";
import { aNewJob } from "../support/factories.ts";
import { START } from "../support/fake_clock.ts";
import type { DescribeCase } from "./store_conformance.ts";

const NEW = { replace: false };

export function templates(test: DescribeCase): void {
  test("a template that was put is there for everyone, with its fields as they were written", async ({ store, open }) => {
    const job = { command: "echo ü", delay: "5m", env: { A: "1" }, tags: ["t"] };

    await store.templates.put("b", job, NEW);
    await store.templates.put("a", {}, NEW);

    const other = await open();
    assertEquals(await other.templates.find("b"), { name: "b", job, created_at: START, updated_at: START });
    assertEquals((await other.templates.list()).map(({ name }) => name), ["a", "b"]);
  });

  test("a template in use is replaced only when that is asked for", async ({ store, clock }) => {
    await store.templates.put("t", { priority: 1 }, NEW);
    clock.advance(1_000);

    await assertRejects(() => store.templates.put("t", { priority: 2 }, NEW), ConflictError, 'template "t"');
    assertEquals((await store.templates.find("t")).job, { priority: 1 });

    const replaced = await store.templates.put("t", { priority: 2 }, { replace: true });
    assertEquals(replaced, { name: "t", job: { priority: 2 }, created_at: START, updated_at: START + 1_000 });
  });

  test("removing a template leaves the jobs that were made from it", async ({ store }) => {
    await store.templates.put("t", {}, NEW);
    const [job] = await store.jobs.enqueue([aNewJob({ template: "t" })]);

    await store.templates.remove("t");

    assertEquals((await store.jobs.find(job!.id)).template, "t");
    await assertRejects(() => store.templates.find("t"), NotFoundError);
    await assertRejects(() => store.templates.remove("t"), NotFoundError);
  });
}
