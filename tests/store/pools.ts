/** Pools: what was asked for, and who looks after it. @module */
import { assertEquals, assertRejects } from "@std/assert";
import { NotFoundError } from "../../lib/core/errors.ts";
import type { PoolOptions } from "../../lib/core/pool.ts";
import type { PoolSupervisor } from "../../lib/store/mod.ts";
import { aWorker } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const KEY = { name: "night", host: "here" };
const OPTIONS: PoolOptions = { count: 4, concurrency: 2, queues: ["mail", "default"] };
const SUPERVISOR: PoolSupervisor = {
  pid: 42,
  process_start: "777",
  is_foreground: false,
  version: "1.2.3",
  trouble: null,
};

export function pools(test: DescribeCase): void {
  test("a pool that was asked for is found with all that was asked", async ({ store, clock, open }) => {
    const put = await store.pools.put(KEY, OPTIONS);

    const other = await open();
    assertEquals(put, {
      ...KEY,
      ...OPTIONS,
      generation: 1,
      state: "running",
      release_at: null,
      supervisor: null,
      created_at: clock.now(),
      updated_at: clock.now(),
    });
    assertEquals(await other.pools.find(KEY), put);
    assertEquals(await other.pools.list(), [put]);
    assertEquals(await other.pools.find({ ...KEY, host: "elsewhere" }), undefined);
  });

  test("the same name on another host is another pool", async ({ store }) => {
    await store.pools.put(KEY, OPTIONS);
    await store.pools.put({ ...KEY, host: "elsewhere" }, { ...OPTIONS, count: 1 });

    await store.pools.scale(KEY, 9);

    assertEquals((await store.pools.list()).map(({ host, count }) => [host, count]), [["elsewhere", 1], ["here", 9]]);
  });

  test("put() on a pool that stops lets it run on, with the new options and the old generation", async ({ store }) => {
    await store.pools.put(KEY, OPTIONS);
    await store.pools.restart(KEY);
    await store.pools.stop(KEY, 5_000);

    const put = await store.pools.put(KEY, { count: 1, concurrency: null, queues: null });

    assertEquals(
      [put.count, put.concurrency, put.queues, put.state, put.release_at, put.generation],
      [1, null, null, "running", null, 2],
    );
  });

  test("each restart raises the generation of one pool", async ({ store, clock }) => {
    await store.pools.put(KEY, OPTIONS);
    await store.pools.put({ ...KEY, name: "day" }, OPTIONS);
    clock.advance(10);

    await store.pools.restart(KEY);
    const again = await store.pools.restart(KEY);

    assertEquals([again.generation, again.updated_at], [3, clock.now()]);
    assertEquals((await store.pools.find({ ...KEY, name: "day" }))?.generation, 1);
  });

  test("a stop may be made stricter while it is under way", async ({ store }) => {
    await store.pools.put(KEY, OPTIONS);

    assertEquals((await store.pools.stop(KEY, null)).release_at, null);
    const stricter = await store.pools.stop(KEY, 7_000);

    assertEquals([stricter.state, stricter.release_at], ["stopping", 7_000]);
  });

  test("a supervisor that beats is shown, and hears when its pool is gone", async ({ store, clock }) => {
    await store.pools.put(KEY, OPTIONS);
    clock.advance(1_000);

    assertEquals(await store.pools.beat(KEY, { ...SUPERVISOR, trouble: "log not written" }), true);
    const pool = await store.pools.find(KEY);
    assertEquals(pool?.supervisor, { ...SUPERVISOR, trouble: "log not written", beat_at: clock.now() });
    assertEquals(pool?.updated_at, clock.now() - 1_000);

    await store.pools.remove(KEY);
    assertEquals(await store.pools.beat(KEY, SUPERVISOR), false);
    assertEquals(await store.pools.list(), []);
  });

  test("prune() forgets pools that are silent and empty, and no others", async ({ store, clock }) => {
    for (const name of ["silent", "working", "beating"]) await store.pools.put({ ...KEY, name }, OPTIONS);
    await store.workers.register(aWorker({ id: "w1", pool: "working", host: KEY.host }));
    await store.workers.register(aWorker({ id: "w2", pool: "silent", host: "elsewhere" }));
    clock.advance(10_000);
    await store.pools.beat({ ...KEY, name: "beating" }, SUPERVISOR);

    assertEquals(await store.pools.prune(clock.now() - 10_000), 0);
    assertEquals(await store.pools.prune(clock.now()), 1);

    assertEquals((await store.pools.list()).map(({ name }) => name), ["beating", "working"]);
  });

  test("a pool that nobody asked for cannot be scaled, restarted or stopped", async ({ store }) => {
    await assertRejects(() => store.pools.scale(KEY, 2), NotFoundError, 'No pool "night"');
    await assertRejects(() => store.pools.restart(KEY), NotFoundError, 'No pool "night"');
    await assertRejects(() => store.pools.stop(KEY, null), NotFoundError, 'No pool "night"');
    await store.pools.remove(KEY);
  });
}
