/** Giving back the jobs of workers that are gone. @module */
import { assertEquals } from "@std/assert";
import type { RescueRequest } from "../../lib/store/mod.ts";
import { aBeat, aClaim, aJob, aReport, aWorker } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

function aRescue(overrides: Partial<RescueRequest> = {}): RescueRequest {
  return { workerId: "w1", beat: 0, held: [], maxCrashes: 3, ...overrides };
}

export function rescuing(test: DescribeCase): void {
  test("a rescued job is pending, its attempt given back, its run lost, its worker forgotten", async ({ store, clock }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w1" });
    clock.advance(7_000);

    const finished = await store.jobs.rescue(aRescue({ held: [job], reason: "process 7 is gone" }));

    const rescued = await store.jobs.find("a");
    const [run] = await store.jobs.runs(job.seq);
    assertEquals(finished.map(({ seq, state }) => [seq, state]), [[job.seq, "pending"]]);
    assertEquals([rescued.state, rescued.attempts, rescued.crashes, rescued.worker_id], ["pending", 0, 1, null]);
    assertEquals([run?.outcome, run?.duration_ms], ["lost", 7_000]);
    assertEquals(rescued.reason, "worker died while running it (crash 1 of 3): process 7 is gone");
    assertEquals(await store.workers.list(), []);
  });

  test("a job that was lost is claimed only by a worker with nothing else to do", async ({ store }) => {
    const job = await aJob(store, { state: "processing", workerId: "w1" });
    await store.jobs.rescue(aRescue({ held: [job] }));

    assertEquals(await store.jobs.claim(aClaim({ workerId: "w2", isIdle: false })), []);
    const [again] = await store.jobs.claim(aClaim({ workerId: "w2", isIdle: true }));

    assertEquals([again?.id, again?.run_count, again!.claim > job.claim], [job.id, 2, true]);
  });

  test("a job that is lost too often is dead, and says why", async ({ store }) => {
    await aJob(store, { id: "a", max_retries: 9 });
    for (let crash = 1; crash <= 3; crash++) {
      const [claimed] = await store.jobs.claim(aClaim({ workerId: "w1" }));
      await store.jobs.rescue(aRescue({ held: [claimed!] }));
    }

    const dead = await store.jobs.find("a");
    assertEquals([dead.state, dead.crashes], ["dead", 3]);
    assertEquals(dead.reason, "worker died 3 times while running it (max_crashes 3)");
  });

  test("a lost job that was to be cancelled is cancelled", async ({ store }) => {
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w1" });
    await store.jobs.cancel({ ids: ["a"] });

    await store.jobs.rescue(aRescue({ held: [job] }));

    assertEquals((await store.jobs.find("a")).state, "cancelled");
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), ["lost"]);
  });

  test("a worker that beats again keeps its jobs", async ({ store }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const job = await aJob(store, { state: "processing", workerId: "w1" });
    await store.workers.beat("w1", aBeat());

    assertEquals(await store.jobs.rescue(aRescue({ beat: 0, held: [job] })), []);

    assertEquals((await store.jobs.find(job.id)).state, "processing");
    assertEquals((await store.workers.list()).length, 1);
  });

  test("only the claims that were named are taken; the worker stays while it holds another", async ({ store }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const first = await aJob(store, { id: "first", state: "processing", workerId: "w1" });
    await aJob(store, { id: "second", state: "processing", workerId: "w1" });

    await store.jobs.rescue(aRescue({ held: [first] }));

    assertEquals((await store.jobs.find("second")).state, "processing");
    assertEquals((await store.workers.list()).map(({ id }) => id), ["w1"]);
  });

  test("of two rescuers one gives the job back", async ({ store, open }) => {
    const other = await open();
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w1" });
    const request = aRescue({ held: [job] });

    const [one, two] = await Promise.all([store.jobs.rescue(request), other.jobs.rescue(request)]);

    assertEquals(one.length + two.length, 1);
    assertEquals((await store.jobs.find("a")).crashes, 1);
  });

  test("a result that comes after the rescue is late and changes nothing else", async ({ store }) => {
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w1" });
    await store.jobs.rescue(aRescue({ held: [job] }));
    const [again] = await store.jobs.claim(aClaim({ workerId: "w2" }));

    const [late] = await store.jobs.finish([aReport(job)]);

    const now = await store.jobs.find("a");
    assertEquals([late?.outcome, late?.state], ["late", undefined]);
    assertEquals([now.state, now.claim, now.worker_id], ["processing", again!.claim, "w2"]);
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), ["late", null]);
  });

  test("a rescue after the result changes nothing", async ({ store }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const job = await aJob(store, { id: "a", state: "processing", workerId: "w1" });
    await store.jobs.finish([aReport(job)]);

    assertEquals(await store.jobs.rescue(aRescue({ held: [job] })), []);

    assertEquals((await store.jobs.find("a")).state, "completed");
    assertEquals((await store.jobs.runs(job.seq)).map((run) => run.outcome), ["succeeded"]);
    assertEquals(await store.workers.list(), []);
  });

  test("what a worker holds is told, and who holds jobs without being registered", async ({ store }) => {
    await store.workers.register(aWorker({ id: "w1" }));
    const first = await aJob(store, { id: "first", state: "processing", workerId: "w1" });
    await aJob(store, { id: "second", state: "processing", workerId: "nobody" });

    assertEquals(await store.workers.holdings("w1"), [{ seq: first.seq, id: "first", claim: first.claim }]);
    assertEquals(await store.workers.strays(), ["nobody"]);
  });
}
