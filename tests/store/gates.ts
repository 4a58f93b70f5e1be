/** Jobs that expire, and jobs that wait for their host. @module */
import { assertEquals } from "@std/assert";
import type { GateVerdict } from "../../lib/core/gate.ts";
import type { ClaimRequest, Store, WaitingGate } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import type { DescribeCase } from "./store_conformance.ts";

const CLOSED: GateVerdict = { isOpen: false, seen: "load<4: it is 5.00" };

export function gates(test: DescribeCase): void {
  test("a job that still waits when it expires is never claimed", async ({ store, clock }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "late", expires_at: clock.now() + 1_000, priority: 9 }),
      aNewJob({ id: "in-time", expires_at: clock.now() + 1_001 }),
      aNewJob({ id: "plain" }),
    ]);
    clock.advance(1_000);

    assertEquals(await claimedIds(store), ["in-time"]);
    assertEquals(await claimedIds(store), ["plain"]);
    const late = await store.jobs.find("late");
    assertEquals([late.state, late.reason, late.finished_at], ["cancelled", "expired", clock.now()]);
  });

  test("jobs expire in every state in which they wait", async ({ store, clock }) => {
    const expires_at = clock.now() + 60_000;
    await aJob(store, { id: "failed", state: "failed", expires_at, backoff: { ...aNewJob().backoff, base: 1_000 } });
    const parent = await aJob(store, { id: "parent", state: "processing" });
    await aJob(store, { id: "blocked", after: ["parent"], expires_at });
    await aJob(store, { id: "scheduled", run_at: expires_at + 1, expires_at });
    await aJob(store, { id: "pending", expires_at });
    assertEquals(await store.jobs.nextDue(), expires_at);
    clock.set(expires_at);

    const expired = await store.jobs.expire(10);

    assertEquals(expired.map(({ id }) => id).toSorted(), ["blocked", "failed", "pending", "scheduled"]);
    assertEquals(await store.jobs.expire(10), []);
    assertEquals((await store.jobs.find(parent.id)).state, "processing");
  });

  test("a claim that finds nothing expires what is over, a bounded number at a time", async ({ store, clock }) => {
    const expires_at = clock.now() + 1;
    await store.jobs.enqueue(Array.from({ length: 2_500 }, () => aNewJob({ expires_at })));
    await aJob(store, { id: "behind", priority: -1 });
    clock.advance(1);

    for (let i = 0; i < 5 && (await store.jobs.nextDue() ?? Infinity) <= clock.now(); i++) {
      if ((await claimedIds(store)).includes("behind")) break;
    }

    assertEquals((await store.jobs.find("behind")).state, "processing");
  });

  test("a job that ran in time does not expire", async ({ store, clock }) => {
    await aJob(store, { state: "processing", expires_at: clock.now() + 1_000 });
    clock.advance(5_000);

    assertEquals(await store.jobs.expire(10), []);
    assertEquals(await store.jobs.nextDue(), undefined);
  });

  test("retry of a job that expired lets it run", async ({ store, clock }) => {
    await aJob(store, { id: "late", expires_at: clock.now() });
    await store.jobs.expire(10);

    await store.jobs.retry({ ids: ["late"] });

    assertEquals(await claimedIds(store), ["late"]);
  });

  test("a job with a gate is claimed where it is open", async ({ store }) => {
    await aJob(store, { id: "gated", when: "load<4" });
    const asked: string[] = [];

    const claimed = await store.jobs.claim(aClaim({
      judgeGate: (gate) => {
        asked.push(gate);
        return { isOpen: true };
      },
    }));

    assertEquals(claimed.map(({ id, when }) => [id, when]), [["gated", "load<4"]]);
    assertEquals(asked, ["load<4"]);
  });

  test("a job whose gate is closed waits there, out of the way, and says what was seen", async ({ store, clock }) => {
    await store.jobs.enqueue([aNewJob({ id: "gated", when: "load<4", priority: 9 }), aNewJob({ id: "free" })]);

    assertEquals(await claimedIds(store, { slots: 5, verdict: CLOSED }), ["free"]);
    const gated = await store.jobs.find("gated");
    assertEquals([gated.state, gated.parked, gated.reason], [
      "pending",
      "gate",
      "waits for its gate: load<4: it is 5.00",
    ]);
    assertEquals(await store.jobs.nextDue(), undefined);
    clock.advance(3_600_000);
    assertEquals(await claimedIds(store, { slots: 5 }), []);
  });

  test("jobs at a gate are claimed with it by one who sees it open, best first", async ({ store }) => {
    await store.jobs.enqueue([
      aNewJob({ id: "third", when: "load<4" }),
      aNewJob({ id: "second", when: "load<4", priority: 1 }),
      aNewJob({ id: "elsewhere", when: "load<4", queue: "other", priority: 9 }),
      aNewJob({ id: "another", when: "load<5", priority: 9 }),
    ]);
    await claimedIds(store, { verdict: CLOSED });
    await store.jobs.enqueue([aNewJob({ id: "first", priority: 2 }), aNewJob({ id: "fourth", priority: -1 })]);

    const openGates = [{ queue: "default", gate: "load<4" }];
    assertEquals(await claimedIds(store, { slots: 2, openGates }), ["first", "second"]);
    assertEquals(await claimedIds(store, { slots: 5, openGates }), ["third", "fourth"]);

    assertEquals((await store.jobs.find("second")).reason, null);
    assertEquals(await waiting(store), ["default load<5", "other load<4"]);
  });

  test("a gate that closed since it was seen keeps its jobs, and nothing is written to them", async ({ store }) => {
    await store.jobs.enqueue([1, 2, 3].map((n) => aNewJob({ id: `gated-${n}`, when: "load<4" })));
    await claimedIds(store, { verdict: CLOSED });
    const before = await store.jobs.list({});
    let asked = 0;

    const claimed = await store.jobs.claim(aClaim({
      slots: 5,
      openGates: [{ queue: "default", gate: "load<4" }],
      judgeGate: () => ++asked > 1 ? { isOpen: true } : { isOpen: false, seen: "something else" },
    }));

    assertEquals([claimed, asked], [[], 1]);
    assertEquals(await store.jobs.list({}), before);
  });

  test("a gate is looked at once, however many jobs wait there, and they are not touched", async ({ store, clock }) => {
    await store.jobs.enqueue(Array.from({ length: 300 }, () => aNewJob({ when: "load<4" })));
    const asked: string[] = [];
    const judgeGate = (gate: string) => {
      asked.push(gate);
      return CLOSED;
    };
    await store.jobs.claim(aClaim({ judgeGate }));
    assertEquals(asked.length, 1);
    const before = await store.jobs.list({});

    for (let i = 0; i < 5; i++) {
      clock.advance(60_000);
      await aJob(store, { id: `free-${i}` });
      const { gates, next } = await store.jobs.waitingGates({ limit: 10 });
      assertEquals([gates, next], [[{ queue: "default", gate: "load<4" }], undefined]);
      assertEquals((await store.jobs.claim(aClaim({ judgeGate }))).map(({ id }) => id), [`free-${i}`]);
    }

    assertEquals(asked.length, 1, "a claim of a free job does not look at gates");
    assertEquals((await store.jobs.list({})).filter(({ when }) => when !== null), before);
  });

  test("waitingGates() goes round the distinct gates in bounded steps", async ({ store }) => {
    await store.jobs.enqueue(Array.from({ length: 60 }, (_, i) => aNewJob({ when: `load<${1 + i % 20}` })));
    await claimedIds(store, { verdict: CLOSED });
    const seen: string[] = [];
    const sizes: number[] = [];

    let after: WaitingGate | undefined;
    do {
      const { gates, next } = await store.jobs.waitingGates({ after, limit: 8 });
      seen.push(...gates.map(({ gate }) => gate));
      sizes.push(gates.length);
      after = next;
    } while (after !== undefined);

    assertEquals(sizes, [8, 8, 4]);
    assertEquals(seen.toSorted(), Array.from({ length: 20 }, (_, i) => `load<${1 + i}`).toSorted());
  });

  test("waitingGates() passes over paused queues and those that nobody asks for", async ({ store }) => {
    for (const queue of ["a", "b", "c", "d"]) {
      await store.jobs.enqueue([1, 2, 3].map((n) => aNewJob({ queue, when: `load<${n}` })));
    }
    await claimedIds(store, { verdict: CLOSED });

    await store.queues.setPaused("b", true);

    assertEquals((await waiting(store)).length, 9);
    const { gates } = await store.jobs.waitingGates({ queues: ["b", "d"], limit: 6 });
    assertEquals(gates.map(({ queue, gate }) => `${queue} ${gate}`), ["d load<1", "d load<2", "d load<3"]);
    await store.queues.setPaused("b", false);
    assertEquals((await waiting(store)).length, 12);
  });

  test("a job at a gate expires, is cancelled, or gets another gate as any that waits", async ({ store, clock }) => {
    const expires_at = clock.now() + 1_000;
    await store.jobs.enqueue(
      ["expired", "cancelled", "edited"].map((id) =>
        aNewJob({ id, when: "load<4", expires_at: id === "expired" ? expires_at : null })
      ),
    );
    await claimedIds(store, { verdict: CLOSED });
    clock.set(expires_at);

    await store.jobs.cancel({ ids: ["cancelled"] });
    await store.jobs.edit("edited", (job) => ({ ...job, when: "load<5" }));

    const openGates = [{ queue: "default", gate: "load<4" }];
    assertEquals(await claimedIds(store, { slots: 5, openGates }), ["edited"]);
    assertEquals((await store.jobs.find("expired")).reason, "expired");
    assertEquals(await waiting(store), []);
  });

  test("a job at a gate heeds the limits of its queue", async ({ store }) => {
    await store.queues.set("api", { concurrency: 1 });
    await store.jobs.enqueue([1, 2].map(() => aNewJob({ queue: "api", when: "load<4" })));
    await claimedIds(store, { verdict: CLOSED });
    const openGates = [{ queue: "api", gate: "load<4" }];

    assertEquals((await claimedIds(store, { slots: 5, openGates })).length, 1);
    assertEquals((await claimedIds(store, { slots: 5, openGates })).length, 0);
    await store.queues.set("api", { concurrency: null });
    await store.queues.setPaused("api", true);
    assertEquals((await claimedIds(store, { slots: 5, openGates })).length, 0);
    await store.queues.setPaused("api", false);
    assertEquals((await claimedIds(store, { slots: 5, openGates })).length, 1);
  });

  test("a job behind a closed gate gives its turn at a lock to the next, and has it later", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "gated", when: "load<4", lock: "x" }), aNewJob({ id: "next", lock: "x" })]);
    const openGates = [{ queue: "default", gate: "load<4" }];

    const [next] = await store.jobs.claim(aClaim({ slots: 5, judgeGate: () => CLOSED }));
    assertEquals(next?.id, "next");
    assertEquals(await claimedIds(store, { slots: 5, openGates }), []);
    assertEquals((await store.jobs.find("gated")).parked, "lock");

    await store.jobs.finish([aReport(next!)]);
    assertEquals(await claimedIds(store, { slots: 5, verdict: CLOSED }), []);
    assertEquals((await store.jobs.find("gated")).parked, "gate");
    assertEquals(await claimedIds(store, { slots: 5, openGates }), ["gated"]);
  });

  test("a job at a gate that crashed its worker is for an idle one, and in nobody's way", async ({ store }) => {
    await store.jobs.enqueue([aNewJob({ id: "crashed", when: "load<4" }), aNewJob({ id: "plain", when: "load<4" })]);
    const openGates = [{ queue: "default", gate: "load<4" }];
    const [crashed] = await store.jobs.claim(aClaim({ judgeGate: () => ({ isOpen: true }) }));
    await store.jobs.finish([aReport(crashed!, { result: { kind: "lost" } })]);
    await claimedIds(store, { verdict: CLOSED });
    assertEquals(await waiting(store), ["default load<4"]);

    assertEquals([await store.jobs.hasAlone({}), await store.jobs.hasAlone({ openGates })], [false, true]);
    assertEquals(await claimedIds(store, { slots: 5, isIdle: false, openGates }), ["plain"]);
    assertEquals(await claimedIds(store, { slots: 5, isIdle: true, openGates }), ["crashed"]);
  });

  test("a gate that is open on one host and closed on another moves no job between them", async ({ store, open }) => {
    const other = await open();
    await store.jobs.enqueue([1, 2, 3].map((n) => aNewJob({ id: `gated-${n}`, when: "file:/here" })));
    const openGates = [{ queue: "default", gate: "file:/here" }];
    assertEquals(await claimedIds(other, { verdict: CLOSED }), []);

    for (const n of [1, 2, 3]) {
      assertEquals(await claimedIds(other, { slots: 5, verdict: CLOSED }), []);
      assertEquals(await claimedIds(store, { openGates }), [`gated-${n}`]);
    }
  });

  test("who cannot look at gates leaves those jobs alone", async ({ store }) => {
    await aJob(store, { when: "load<4" });

    assertEquals(await store.jobs.claim(aClaim()), []);
  });
}

interface ClaimWishes extends Partial<ClaimRequest> {
  /** Of all gates. Default: open. */
  readonly verdict?: GateVerdict;
}

async function claimedIds(
  store: Store,
  { verdict = { isOpen: true }, ...wishes }: ClaimWishes = {},
): Promise<string[]> {
  return (await store.jobs.claim(aClaim({ judgeGate: () => verdict, ...wishes }))).map((job) => job.id);
}

/** Gates at which jobs wait, as `queue gate`. */
async function waiting(store: Store): Promise<string[]> {
  return (await store.jobs.waitingGates({ limit: 100 })).gates.map(({ queue, gate }) => `${queue} ${gate}`);
}
