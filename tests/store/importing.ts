/** importMany(): jobs of an export, all or none. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { ConflictError } from "../../lib/core/errors.ts";
import type { ImportedEnd } from "../../lib/core/imported_job.ts";
import { aJob, aNewJob } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const DEAD: ImportedEnd = {
  state: "dead",
  reason: "exited with code 7",
  created_at: 1_000,
  started_at: 2_000,
  finished_at: 3_000,
  duration_ms: 1_000,
  exit_code: 7,
  signal: null,
  attempts: 4,
  run_count: 5,
};

export function importing(test: DescribeCase): void {
  test("importMany() adds jobs that wait, and jobs that are over as they were", async ({ store }) => {
    const imported = await store.jobs.importMany(() => [
      { job: aNewJob({ id: "a", tags: ["x"] }), end: undefined },
      { job: aNewJob({ id: "b", queue: "mail" }), end: DEAD },
    ]);

    assertEquals(imported, 2);
    assertEquals((await store.jobs.find("a")).state, "pending");
    const dead = await store.jobs.find("b");
    assertEquals([dead.state, dead.reason, dead.exit_code, dead.attempts, dead.run_count, dead.created_at], [
      "dead",
      "exited with code 7",
      7,
      4,
      5,
      1_000,
    ]);
    assertEquals([dead.started_at, dead.finished_at, dead.duration_ms], [2_000, 3_000, 1_000]);
    assertEquals((await store.queues.list()).map(({ name }) => name).sort(), ["default", "mail"]);
  });

  test("a dead job that was imported can be retried", async ({ store }) => {
    await store.jobs.importMany(() => [{ job: aNewJob({ id: "b" }), end: DEAD }]);

    await store.jobs.retry({ ids: ["b"] });

    const job = await store.jobs.find("b");
    assertEquals([job.state, job.attempts, job.run_count], ["pending", 0, 5]);
  });

  test("importMany() of a used id stores nothing", async ({ store }) => {
    await aJob(store, { id: "b" });
    const jobs = [{ job: aNewJob({ id: "a" }), end: undefined }, { job: aNewJob({ id: "b" }), end: DEAD }];

    await assertRejects(() => store.jobs.importMany(() => jobs), ConflictError, "the id is in use");

    assertEquals((await store.jobs.list({})).map(({ id, state }) => [id, state]), [["b", "pending"]]);
  });

  test("an imported id of the generated kind may be shortened again", async ({ store }) => {
    await store.jobs.importMany(() => [{ job: aNewJob({ id: "k3v7abcdefgh" }), end: undefined }]);

    assertEquals((await store.jobs.find("k3v7")).id, "k3v7abcdefgh");
  });
}
