/** Jobs that expire, and jobs that wait for their host. @module */
import { assertEquals } from "@std/assert";
import type { GateVerdict } from "../../lib/core/gate.ts";
import type { Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob } from "../support/factories.ts";
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

    assertEquals(await claimedIds(store, 1), ["in-time"]);
    assertEquals(await claimedIds(store, 1), ["plain"]);
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
      if ((await claimedIds(store, 1)).includes("behind")) break;
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

    assertEquals(await claimedIds(store, 1), ["late"]);
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

  test("a job whose gate is closed is out of the way for a while, and says what was seen", async ({ store, clock }) => {
    await store.jobs.enqueue([aNewJob({ id: "gated", when: "load<4", priority: 9 }), aNewJob({ id: "free" })]);

    assertEquals(await claimedIds(store, 5, CLOSED), ["free"]);
    const gated = await store.jobs.find("gated");
    assertEquals([gated.state, gated.parked, gated.reason], [
      "pending",
      "gate",
      "waits for its gate: load<4: it is 5.00",
    ]);
    assertEquals(await store.jobs.nextDue(), gated.parked_until);
    assertEquals(await claimedIds(store, 5, { isOpen: true }), []);

    clock.set(gated.parked_until!);
    assertEquals(await claimedIds(store, 5, { isOpen: true }), ["gated"]);
    assertEquals((await store.jobs.find("gated")).reason, null);
  });

  test("a job behind a closed gate gives its turn at a lock to the next", async ({ store, clock }) => {
    await store.jobs.enqueue([aNewJob({ id: "gated", when: "load<4", lock: "x" }), aNewJob({ id: "next", lock: "x" })]);

    assertEquals(await claimedIds(store, 5, CLOSED), ["next"]);
    clock.advance(60_000);
    assertEquals(await claimedIds(store, 5, { isOpen: true }), []);
    assertEquals((await store.jobs.find("gated")).parked, "lock");
  });

  test("a closed gate is looked at again also when the clock went back", async ({ store, clock }) => {
    await aJob(store, { id: "gated", when: "load<4" });
    assertEquals(await claimedIds(store, 5, CLOSED), []);

    clock.set(clock.now() - 3_600_000);

    assertEquals(await store.jobs.nextDue(), clock.now());
    assertEquals(await claimedIds(store, 5, { isOpen: true }), ["gated"]);
  });

  test("who cannot look at gates leaves those jobs alone", async ({ store }) => {
    await aJob(store, { when: "load<4" });

    assertEquals(await store.jobs.claim(aClaim()), []);
  });
}

async function claimedIds(store: Store, slots: number, verdict: GateVerdict = { isOpen: true }): Promise<string[]> {
  return (await store.jobs.claim(aClaim({ slots, judgeGate: () => verdict }))).map((job) => job.id);
}
