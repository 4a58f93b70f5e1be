import { assertEquals, assertStringIncludes } from "@std/assert";
import type { GateVerdict } from "../../../lib/core/gate.ts";
import type { Job } from "../../../lib/core/job.ts";
import { explainJob, type LiveWorker } from "../../../lib/operations/why.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { aClaim, aJob, aReport } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const WORKER: LiveWorker = { id: "w", pool: "default", queues: null, slots: 4, jobs: [] };

async function why(store: Store, job: Job, clock: FakeClock, workers: readonly LiveWorker[] = [WORKER]) {
  return await explainJob(store, await store.jobs.find(job.id), { workers, clock });
}

Deno.test("a queue at its limit: who fills it", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const running = await aJob(temp.store, { queue: "api", state: "processing" });
  const waiting = await aJob(temp.store, { queue: "api" });
  assertEquals((await why(temp.store, waiting, clock)).kind, "ready");

  await temp.store.queues.set("api", { concurrency: 1 });

  const { kind, by } = await why(temp.store, waiting, clock);
  assertEquals([kind, by], ["limit", [running.id]]);
});

Deno.test("a queue at its rate: until when", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await temp.store.queues.set("api", { rate: { count: 1, ms: 60_000 } });
  await aJob(temp.store, { queue: "api", state: "completed" });
  const waiting = await aJob(temp.store, { queue: "api" });
  clock.advance(20_000);

  const { kind, until } = await why(temp.store, waiting, clock);
  assertEquals([kind, until], ["rate", clock.now() + 40_000]);

  clock.advance(40_000);
  assertEquals((await why(temp.store, waiting, clock)).kind, "ready");
});

Deno.test("a lock, a parent and a gate: who holds it, and what was seen", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const holder = await aJob(temp.store, { queue: "a", lock: "disk", state: "processing" });
  const locked = await aJob(temp.store, { queue: "b", lock: "disk" });
  const child = await aJob(temp.store, { queue: "b", after: [holder.id] });
  const gated = await aJob(temp.store, { queue: "c", when: "load<4" });
  const judgeGate = () => ({ isOpen: false, seen: "load is 7.5, not below 4" }) as const;
  await temp.store.jobs.claim(aClaim({ queues: ["c"], judgeGate }));

  assertEquals((await why(temp.store, locked, clock)).by, [holder.id]);
  assertEquals((await why(temp.store, child, clock)).by, [holder.id]);
  const gate = await why(temp.store, gated, clock);
  assertEquals(gate.kind, "gate");
  assertStringIncludes(gate.sentence, "load is 7.5, not below 4");
});

Deno.test("a gate is told as it is now, where that can be seen", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const job = await aJob(temp.store, { when: "load<4" });
  await temp.store.jobs.claim(aClaim({ judgeGate: () => ({ isOpen: false, seen: "load<4: it is 7.50" }) }));
  const stored = await temp.store.jobs.find(job.id);
  const sentence = async (here: GateVerdict) =>
    (await explainJob(temp.store, stored, { workers: [WORKER], clock, judgeGate: () => here })).sentence;

  assertEquals(
    await sentence({ isOpen: false, seen: "load<4: it is 4.20" }),
    "waits for its gate: load<4: it is 4.20",
  );
  assertEquals(
    await sentence({ isOpen: true }),
    "waits for its gate: load<4: it is 7.50; on this host it is open now",
  );
});

Deno.test("a job that expired says so", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const job = await aJob(temp.store, { expires_at: clock.now() + 1_000 });
  clock.advance(2_000);
  await temp.store.jobs.expire(10);

  assertEquals((await why(temp.store, job, clock)).kind, "expired");
});

Deno.test("a job that crashed its worker waits for an idle one", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const job = await aJob(temp.store);
  const [claimed] = await temp.store.jobs.claim(aClaim());
  await temp.store.jobs.finish([aReport(claimed!, { result: { kind: "lost" } })]);

  assertEquals((await why(temp.store, job, clock, [{ ...WORKER, jobs: ["x"] }])).kind, "alone");
  assertEquals((await why(temp.store, job, clock)).kind, "ready");
});

Deno.test("workers for other queues, and those that run started for one job, do not count", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const job = await aJob(temp.store, { queue: "mail" });

  const others = [{ ...WORKER, queues: ["web"] }, { ...WORKER, pool: "run" }];

  assertEquals((await why(temp.store, job, clock, others)).kind, "no_worker");
  assertEquals((await why(temp.store, job, clock, [{ ...WORKER, queues: ["web", "mail"] }])).kind, "ready");
});
