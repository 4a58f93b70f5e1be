/** What maintenance last did. @module */
import { assertEquals } from "@std/assert";
import type { DescribeCase } from "./store_conformance.ts";

export function maintenance(test: DescribeCase): void {
  test("of each task the last deed is kept", async ({ store, clock, open }) => {
    assertEquals(await store.maintenance.list(), []);
    await store.maintenance.record("rescue", { counts: { jobs: 2, workers: 1 }, error: null });
    await store.maintenance.record("prune", { counts: { jobs: 7 }, error: null });
    clock.advance(1_000);
    await store.maintenance.record("rescue", { counts: {}, error: "the disk is full" });

    const other = await open();
    assertEquals(await other.maintenance.list(), [
      { task: "prune", at: clock.now() - 1_000, counts: { jobs: 7 }, error: null },
      { task: "rescue", at: clock.now(), counts: {}, error: "the disk is full" },
    ]);

    clock.advance(1_000);
    await store.maintenance.recovered("rescue");
    await store.maintenance.recovered("never seen");
    assertEquals((await other.maintenance.list()).map(({ task, at, error }) => [task, at, error]), [
      ["prune", clock.now() - 2_000, null],
      ["rescue", clock.now() - 1_000, null],
    ]);
  });
}
