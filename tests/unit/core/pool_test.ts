import { assertEquals } from "@std/assert";
import { differences, planPool, type PoolView, type PoolWorker, RestartBackoff } from "../../../lib/core/pool.ts";

function aWorker(id: string, overrides: Partial<PoolWorker> = {}): PoolWorker {
  return { id, generation: 1, isDraining: false, busy: 0, ...overrides };
}

function aView(overrides: Partial<PoolView> = {}): PoolView {
  return { count: 2, generation: 1, isStopping: false, workers: [], starting: 0, ...overrides };
}

Deno.test("an empty pool starts all its workers at once", () => {
  assertEquals(planPool(aView({ count: 4 })), { start: 4, drain: [] });
});

Deno.test("a worker on its way is not started twice", () => {
  assertEquals(planPool(aView({ count: 4, workers: [aWorker("a")], starting: 2 })), { start: 1, drain: [] });
});

Deno.test("a pool that has its number is left alone", () => {
  assertEquals(planPool(aView({ workers: [aWorker("a"), aWorker("b")] })), { start: 0, drain: [] });
});

Deno.test("a worker that drains is replaced at once, because it takes no more jobs", () => {
  const workers = [aWorker("a", { isDraining: true, busy: 1 }), aWorker("b")];

  assertEquals(planPool(aView({ workers })), { start: 1, drain: [] });
});

Deno.test("scaling down drains the least busy, and of equals the youngest", () => {
  const workers = [aWorker("a", { busy: 2 }), aWorker("b"), aWorker("c"), aWorker("d", { busy: 1 })];

  assertEquals(planPool(aView({ count: 2, workers })).drain, ["c", "b"]);
  assertEquals(planPool(aView({ count: 1, workers })).drain, ["c", "b", "d"]);
});

Deno.test("a stopping pool drains all and starts none", () => {
  const workers = [aWorker("a"), aWorker("b", { isDraining: true })];

  assertEquals(planPool(aView({ count: 4, isStopping: true, workers })), { start: 0, drain: ["a"] });
});

Deno.test("a restart goes worker by worker, and never falls below the number", () => {
  let names = 0;
  let workers = [aWorker("old1", { busy: 1 }), aWorker("old2"), aWorker("old3")];
  let starting = 0;
  const seen: string[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const plan = planPool(aView({ count: 3, generation: 2, workers, starting }));
    if (plan.start === 0 && plan.drain.length === 0 && starting === 0) break;
    seen.push(`start ${plan.start}, drain ${plan.drain.join()}`);
    workers = workers.map((worker) => plan.drain.includes(worker.id) ? { ...worker, isDraining: true } : worker);
    assertEquals(workers.filter((worker) => !worker.isDraining).length >= 3, true, seen.join("; "));
    // Those on their way arrive at the next turn.
    for (; starting > 0; starting--) workers.push(aWorker(`new${++names}`, { generation: 2 }));
    starting += plan.start;
  }

  const left = workers.filter((worker) => !worker.isDraining);
  assertEquals(left.map(({ id }) => id), ["new1", "new2", "new3"]);
  assertEquals(workers.length, 6, seen.join("; "));
});

Deno.test("a restart of a pool that misses workers starts what is missing first", () => {
  assertEquals(planPool(aView({ count: 4, generation: 2, workers: [aWorker("old")] })), { start: 3, drain: [] });
});

Deno.test("a restart to fewer workers lets the surplus go", () => {
  const workers = [aWorker("old1"), aWorker("old2"), aWorker("old3")];

  assertEquals(planPool(aView({ count: 1, generation: 2, workers })), { start: 1, drain: ["old1", "old2"] });
});

Deno.test("a pool of no workers keeps none", () => {
  assertEquals(planPool(aView({ count: 0, workers: [aWorker("a")] })), { start: 0, drain: ["a"] });
});

Deno.test("workers that die are replaced after 1 s, then twice as long each time, up to 30 s", () => {
  const backoff = new RestartBackoff();
  const delays: number[] = [];
  let now = 0;
  for (let death = 0; death < 7; death++) {
    backoff.died(now);
    delays.push(backoff.leftMs(now));
    now += backoff.leftMs(now);
    assertEquals(backoff.leftMs(now), 0);
  }

  assertEquals(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

Deno.test("workers that die together count as one, and a quiet minute forgives all", () => {
  const backoff = new RestartBackoff();
  backoff.died(0);
  backoff.died(10);
  backoff.died(20);
  assertEquals(backoff.leftMs(20), 980);

  backoff.died(2_000);
  assertEquals(backoff.leftMs(2_000), 2_000);

  backoff.died(70_000);
  assertEquals(backoff.leftMs(70_000), 1_000);
});

Deno.test("options that were not given do not differ from what runs", () => {
  const running = { count: 4, concurrency: null, queues: ["a", "b"] };

  assertEquals(differences(running, {}), []);
  assertEquals(differences(running, { count: 4, queues: ["a", "b"] }), []);
  assertEquals(differences(running, { count: 2, concurrency: 8, queues: ["b", "a"] }), [
    "--count is 4",
    "--concurrency is the setting",
    "--queue is a,b",
  ]);
});
