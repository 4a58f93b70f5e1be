/** What became of runs: counted with each result, by the minute, summed up for ever. @module */
import { assertEquals } from "@std/assert";
import type { RunResult } from "../../lib/core/run_result.ts";
import { runsOf } from "../../lib/core/tally.ts";
import type { HistoryFilter, RunReport, Store } from "../../lib/store/mod.ts";
import { aBeat, aJob, aNewJob, aReport, aWorker, type JobWishes } from "../support/factories.ts";
import type { FakeClock } from "../support/fake_clock.ts";
import type { DescribeCase } from "./store_conformance.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Ran extends JobWishes {
  readonly result?: RunResult;
  readonly durationMs?: number;
}

/** Runs a new job to its end at this very moment, and gives its number. */
async function ran(store: Store, clock: FakeClock, { result, durationMs, ...wishes }: Ran = {}): Promise<number> {
  const job = await aJob(store, { ...wishes, state: "processing" });
  const report: Partial<RunReport> = {
    finishedAt: clock.now(),
    ...(result === undefined ? {} : { result }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
  await store.jobs.finish([aReport(job, report)]);
  return job.seq;
}

async function runs({ history }: Store, filter: HistoryFilter = {}): Promise<number> {
  return (await history.tallies(filter)).reduce((sum, { tally }) => sum + runsOf(tally), 0);
}

async function minutes({ history }: Store, filter: HistoryFilter = {}): Promise<[number, string, number][]> {
  return (await history.minutes(filter)).map(({ at, queue, tally }) => [at, queue, runsOf(tally)]);
}

export function history(test: DescribeCase): void {
  test("where nothing ran there is no history", async ({ store }) => {
    await aJob(store);

    assertEquals(await store.history.tallies({}), []);
    assertEquals(await store.history.minutes({}), []);
    assertEquals(await store.history.slowest({}, 5), []);
    assertEquals(await store.history.workerTime(), { slotMs: 0, busyRetries: 0 });
    assertEquals(await store.history.enqueued(), 1);
  });

  test("runs are counted by queue and priority, with how they ended", async ({ store, clock }) => {
    await ran(store, clock, { queue: "a", priority: 5 });
    await ran(store, clock, { queue: "a", priority: 5, result: { kind: "exited", code: 3 } });
    await ran(store, clock, { queue: "a", priority: -1, result: { kind: "timed_out" }, max_retries: 0 });
    await ran(store, clock, { queue: "b", result: { kind: "cancelled" } });

    const found = (await store.history.tallies({})).map(({ queue, priority, tally }) => ({
      at: `${queue} ${priority}`,
      runs: runsOf(tally),
      succeeded: tally.outcomes.succeeded,
      failed: tally.outcomes.failed,
      timed_out: tally.outcomes.timed_out,
      cancelled: tally.outcomes.cancelled,
      dead: tally.dead,
    })).sort((a, b) => a.at < b.at ? -1 : 1);
    const nothing = { succeeded: 0, failed: 0, timed_out: 0, cancelled: 0, dead: 0 };
    assertEquals(found, [
      { ...nothing, at: "a -1", runs: 1, timed_out: 1, dead: 1 },
      { ...nothing, at: "a 5", runs: 2, succeeded: 1, failed: 1 },
      { ...nothing, at: "b 0", runs: 1, cancelled: 1 },
    ]);
  });

  test("a retry is a run that was not the first attempt", async ({ store, clock }) => {
    await ran(store, clock, { id: "again", result: { kind: "exited", code: 1 } });
    clock.advance(MINUTE);
    const [job] = await store.jobs.claim({ workerId: "worker", slots: 1, isIdle: true });
    await store.jobs.finish([aReport(job!)]);

    const tallies = await store.history.tallies({});
    assertEquals(tallies.map(({ tally }) => tally.retries), [1]);
  });

  test("waiting is from when a job was ready to when it began", async ({ store, clock }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "now" }),
      aNewJob({ id: "later", run_at: clock.now() + 50_000 }),
    ]);
    clock.advance(60_000);
    const jobs = await store.jobs.claim({ workerId: "worker", slots: 2, isIdle: true });
    await store.jobs.finish(jobs.map((job) => aReport(job)));

    const [tally] = await store.history.tallies({});
    assertEquals(tally?.tally.waitMs, 60_000 + 10_000);
    assertEquals([tally?.extremes.leastWaitMs, tally?.extremes.mostWaitMs], [10_000, 60_000]);
  });

  test("a late result is not counted a second time", async ({ store, clock }) => {
    const job = await aJob(store, { state: "processing" });
    await store.jobs.finish([aReport(job, { result: { kind: "lost" }, finishedAt: clock.now() })]);
    await store.jobs.finish([aReport(job, { finishedAt: clock.now() })]);

    assertEquals(await runs(store), 1);
  });

  test("tallies since a time leave out what ended in earlier minutes", async ({ store, clock }) => {
    await ran(store, clock);
    clock.advance(10 * MINUTE);
    const then = clock.now();
    await ran(store, clock);
    await ran(store, clock);
    clock.advance(10 * MINUTE);
    await ran(store, clock);

    assertEquals(await runs(store), 4);
    assertEquals(await runs(store, { since: then }), 3);
    assertEquals(await runs(store, { since: then + MINUTE }), 1);
    assertEquals(await runs(store, { since: clock.now() + MINUTE }), 0);
  });

  test("a time within a minute takes the whole minute", async ({ store, clock }) => {
    await ran(store, clock);

    assertEquals(await runs(store, { since: clock.now() + 59_999 }), 1);
    assertEquals(await runs(store, { since: clock.now() + MINUTE }), 0);
  });

  test("tallies of a queue are of that queue alone", async ({ store, clock }) => {
    await ran(store, clock, { queue: "a" });
    await ran(store, clock, { queue: "b" });

    assertEquals(await runs(store, { queue: "a" }), 1);
    assertEquals(await runs(store, { queue: "nobody's" }), 0);
    assertEquals(await minutes(store, { queue: "b" }), [[clock.now(), "b", 1]]);
  });

  test("the extremes are those of the time asked for", async ({ store, clock }) => {
    await ran(store, clock, { durationMs: 9_000 });
    clock.advance(MINUTE);
    await ran(store, clock, { durationMs: 20 });
    clock.advance(MINUTE);
    await ran(store, clock, { durationMs: 300 });

    const extremes = async (filter: HistoryFilter) => {
      const [tally] = await store.history.tallies(filter);
      return [tally?.extremes.shortestMs, tally?.extremes.longestMs];
    };
    assertEquals(await extremes({}), [20, 9_000]);
    assertEquals(await extremes({ since: clock.now() - MINUTE }), [20, 300]);
    assertEquals(await extremes({ since: clock.now() }), [300, 300]);
  });

  test("minutes are told oldest first, without those in which nothing ended", async ({ store, clock }) => {
    const start = clock.now();
    await ran(store, clock, { queue: "a" });
    clock.advance(3 * MINUTE);
    await ran(store, clock, { queue: "b" });
    clock.advance(MINUTE);
    await ran(store, clock, { queue: "a" });
    await ran(store, clock, { queue: "a" });

    assertEquals(await minutes(store), [[start, "a", 1], [start + 3 * MINUTE, "b", 1], [start + 4 * MINUTE, "a", 2]]);
    assertEquals(await minutes(store, { since: start + MINUTE }), [
      [start + 3 * MINUTE, "b", 1],
      [start + 4 * MINUTE, "a", 2],
    ]);
  });

  test("a clock that goes back loses no run", async ({ store, clock }) => {
    const start = clock.now();
    await ran(store, clock);
    clock.set(start - 60 * MINUTE);
    await ran(store, clock);

    assertEquals(await runs(store), 2);
    assertEquals(await minutes(store), [[start, "default", 2]]);
  });

  test("the slowest are told longest first, with the length of their longest run", async ({ store, clock }) => {
    await ran(store, clock, { id: "short", durationMs: 5 });
    await ran(store, clock, { id: "longest", durationMs: 700 });
    await ran(store, clock, { id: "other", queue: "b", durationMs: 600 });
    clock.advance(MINUTE);
    await ran(store, clock, { id: "long", durationMs: 300 });

    const slowest = async (filter: HistoryFilter, limit: number) =>
      (await store.history.slowest(filter, limit)).map(({ job, durationMs }) => [job.id, durationMs]);
    assertEquals(await slowest({}, 3), [["longest", 700], ["other", 600], ["long", 300]]);
    assertEquals(await slowest({ queue: "b" }, 3), [["other", 600]]);
    assertEquals(await slowest({ since: clock.now() }, 3), [["long", 300]]);
  });

  test("a job that was removed is not among the slowest, and its runs stay counted", async ({ store, clock }) => {
    await ran(store, clock, { id: "gone", durationMs: 700 });
    await store.jobs.remove({}, 10);

    assertEquals(await store.history.slowest({}, 5), []);
    assertEquals(await runs(store), 1);
    assertEquals(await store.history.enqueued(), 1);
  });

  test("prune() forgets minutes and keeps the sums, and the extremes of all times", async ({ store, clock }) => {
    const start = clock.now();
    await ran(store, clock, { id: "old", durationMs: 80_000 });
    clock.advance(MINUTE);
    await ran(store, clock, { durationMs: 3 });
    clock.advance(8 * DAY);
    await ran(store, clock, { durationMs: 500 });

    assertEquals(await store.history.prune(clock.now() - 7 * DAY), 1);

    assertEquals(await runs(store), 3);
    assertEquals(await runs(store, { since: clock.now() - 7 * DAY }), 1);
    const [ever] = await store.history.tallies({});
    assertEquals([ever?.extremes.shortestMs, ever?.extremes.longestMs], [3, 80_000]);
    const [week] = await store.history.tallies({ since: start + 7 * DAY });
    assertEquals([week?.extremes.shortestMs, week?.extremes.longestMs], [500, 500]);
    assertEquals((await store.history.slowest({}, 1)).map(({ job }) => job.id), ["old"]);
    assertEquals(await store.history.prune(clock.now() - 7 * DAY), 0);
  });

  test("the time of workers is their slots times how long they were there", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "w1", slots: 4 }));
    clock.advance(5_000);
    await store.workers.beat("w1", aBeat());
    clock.advance(10 * MINUTE);
    await store.workers.register(aWorker({ id: "w2", slots: 1 }));
    const then = clock.now();
    clock.advance(2_000);
    await store.workers.unregister("w2");

    assertEquals((await store.history.workerTime()).slotMs, 22_000);
    assertEquals((await store.history.workerTime(then)).slotMs, 2_000);
  });

  test("pruning keeps the sum of the time of workers", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "w1", slots: 2 }));
    for (let beat = 0; beat < 3; beat++) {
      clock.advance(MINUTE);
      await store.workers.beat("w1", aBeat());
    }
    clock.advance(8 * DAY);

    await store.history.prune(clock.now() - 7 * DAY);
    await store.history.prune(clock.now() - 7 * DAY);

    assertEquals((await store.history.workerTime()).slotMs, 6 * MINUTE);
    assertEquals((await store.history.workerTime(clock.now())).slotMs, 0);
  });

  test("the oldest pending job of a queue says since when it waits", async ({ store, clock }) => {
    assertEquals(await store.history.oldestPending("default"), undefined);
    const start = clock.now();
    await aJob(store, { id: "first" });
    clock.advance(1_000);
    await aJob(store, { id: "second" });
    await aJob(store, { id: "elsewhere", queue: "b" });

    assertEquals(await store.history.oldestPending("default"), start);
    assertEquals(await store.history.oldestPending("b"), start + 1_000);
    await store.jobs.cancel({ ids: ["first"] });
    assertEquals(await store.history.oldestPending("default"), start + 1_000);
  });
}
