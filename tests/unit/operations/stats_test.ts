import { assertEquals } from "@std/assert";
import { HISTORY_MS, readStats } from "../../../lib/operations/stats.ts";
import type { RunResult } from "../../../lib/core/run_result.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { aBeat, aJob, aReport, aWorker, type JobWishes } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const MINUTE = 60_000;
const FAILED: RunResult = { kind: "exited", code: 1 };

async function ran(
  store: Store,
  clock: FakeClock,
  { result, durationMs = 100, ...wishes }: JobWishes & { result?: RunResult; durationMs?: number } = {},
): Promise<void> {
  const job = await aJob(store, { ...wishes, state: "processing" });
  await store.jobs.finish([
    aReport(job, { durationMs, finishedAt: clock.now(), ...(result === undefined ? {} : { result }) }),
  ]);
}

Deno.test("statistics of an empty store have no rates, and nothing is not zero", async () => {
  await using temp = await tempStore();

  const stats = await readStats(temp.store, { now: 0 });

  const { total, workers } = stats;
  assertEquals([total.runs, total.successRate, stats.perMinute, workers.utilization], [0, null, null, null]);
  const nothing = { count: 0, avg: null, median: null, p95: null, p99: null, min: null, max: null };
  assertEquals([total.duration, total.wait], [nothing, nothing]);
  assertEquals([stats.byQueue, stats.byPriority, stats.slowest], [[], [], []]);
});

Deno.test("the totals are those of all queues and priorities together", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await ran(temp.store, clock, { queue: "a", priority: 1, durationMs: 100 });
  await ran(temp.store, clock, { queue: "a", priority: 2, durationMs: 300, result: FAILED, max_retries: 0 });
  await ran(temp.store, clock, { queue: "b", priority: 1, durationMs: 800, result: { kind: "timed_out" } });
  await ran(temp.store, clock, { queue: "b", priority: 1, durationMs: 9_999, result: { kind: "cancelled" } });

  const { total, byQueue, byPriority, jobs, enqueued } = await readStats(temp.store, { now: clock.now() });

  assertEquals([total.runs, total.succeeded, total.failed, total.timedOut, total.cancelled], [4, 1, 2, 1, 1]);
  assertEquals([total.dead, total.successRate], [1, 1 / 3]);
  assertEquals([total.duration.count, total.duration.avg], [3, 400]);
  assertEquals([total.duration.min, total.duration.max, total.duration.p99], [100, 800, 800]);
  assertEquals(byQueue.map(({ queue, runs }) => [queue, runs]), [["a", 2], ["b", 2]]);
  assertEquals(byPriority.map(({ priority, runs }) => [priority, runs]), [[2, 1], [1, 3]]);
  assertEquals([jobs.completed, jobs.dead, jobs.failed, jobs.cancelled, enqueued], [1, 1, 1, 1, 4]);
});

Deno.test("statistics of one queue count its jobs and runs alone", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await ran(temp.store, clock, { queue: "a" });
  await ran(temp.store, clock, { queue: "b" });
  await aJob(temp.store, { queue: "b" });

  const stats = await readStats(temp.store, { now: clock.now(), queue: "b" });

  assertEquals([stats.total.runs, stats.jobs.completed, stats.jobs.pending, stats.slowest.length], [1, 1, 1, 1]);
  assertEquals(stats.byQueue.map(({ queue }) => queue), ["b"]);
});

Deno.test("the rate is of the time asked for, and never of less than a minute", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  for (let i = 0; i < 6; i++) await ran(temp.store, clock);
  clock.advance(2 * MINUTE);
  await ran(temp.store, clock);

  const rate = async (since?: number) => (await readStats(temp.store, { now: clock.now(), since })).perMinute;

  assertEquals(await rate(), 3.5);
  assertEquals(await rate(clock.now() - MINUTE), 1);
  assertEquals(await rate(clock.now()), 1);
});

Deno.test("the rate of all times is that of the days whose minutes are kept", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  for (let i = 0; i < 50; i++) await ran(temp.store, clock);
  clock.advance(HISTORY_MS + 60 * MINUTE);
  await ran(temp.store, clock);

  const { total, perMinute } = await readStats(temp.store, { now: clock.now() });

  assertEquals(total.runs, 51);
  assertEquals(perMinute, 1 / (HISTORY_MS / MINUTE));
});

Deno.test("utilisation is the busy share of the time of slots, and at most all of it", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await temp.store.workers.register(aWorker({ id: "w1", slots: 2 }));
  const job = await aJob(temp.store, { state: "processing", workerId: "w1" });
  clock.advance(10_000);
  await temp.store.workers.beat("w1", aBeat());
  const before = (await readStats(temp.store, { now: clock.now() })).workers;
  await temp.store.jobs.finish([aReport(job, { durationMs: 5_000, finishedAt: clock.now() })]);
  const after = (await readStats(temp.store, { now: clock.now() })).workers;
  await ran(temp.store, clock, { durationMs: 60_000 });
  const beyond = (await readStats(temp.store, { now: clock.now() })).workers;

  assertEquals([before.registered, before.slots, before.busySlots, before.utilization], [1, 2, 1, 0]);
  assertEquals([after.busySlots, after.slotMs, after.busyMs, after.utilization], [0, 20_000, 5_000, 0.25]);
  assertEquals(beyond.utilization, 1);
});
