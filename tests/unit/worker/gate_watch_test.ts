/** Looking at the gates at which jobs wait. @module */
import { assertEquals } from "@std/assert";
import type { GateVerdict } from "../../../lib/core/gate.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { GateWatch } from "../../../lib/worker/gate_watch.ts";
import { aClaim, aJob, aNewJob } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const CLOSED: GateVerdict = { isOpen: false, seen: "closed" };

/** Gates of a test: closed, unless the name is among the open ones. Counts how often each look asks. */
class Host {
  readonly open = new Set<string>();
  asked = 0;
  readonly judge = (gate: string): GateVerdict => {
    this.asked++;
    return this.open.has(gate) || this.open.has("all") ? { isOpen: true } : CLOSED;
  };
}

/** Jobs that wait at these gates, one after the other. */
async function waitAt(store: Store, gates: readonly string[], queue = "default"): Promise<void> {
  await store.jobs.enqueue(gates.map((gate) => aNewJob({ when: gate, queue })));
  await store.jobs.claim(aClaim({ judgeGate: () => CLOSED }));
}

function gatesNamed(count: number, name = "gate"): string[] {
  return Array.from({ length: count }, (_, i) => `file:/${name}/${i}`);
}

/** As a worker does: looks when it is time, then claims. */
async function turn(store: Store, watch: GateWatch, slots = 1): Promise<number> {
  await watch.look();
  const jobs = await store.jobs.claim(aClaim({ slots, judgeGate: watch.judge, openGates: watch.open() }));
  watch.took(jobs);
  return jobs.length;
}

Deno.test("jobs at a closed gate are looked at every five seconds, as one, and taken when it opens", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await waitAt(temp.store, Array(50).fill("file:/x"));

  for (let second = 0; second < 60; second++) {
    assertEquals(await turn(temp.store, watch), 0);
    clock.advance(1_000);
  }
  assertEquals(host.asked, 12);
  host.open.add("file:/x");

  assertEquals(await turn(temp.store, watch, 30), 30);
  assertEquals(await turn(temp.store, watch, 30), 20, "without another look");
});

Deno.test("a clock that is set forward or back neither hastens nor delays a look", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await waitAt(temp.store, ["file:/x"]);
  await watch.look();

  clock.set(clock.now() + 86_400_000);
  await watch.look();
  assertEquals(host.asked, 1);
  clock.set(clock.now() - 30 * 86_400_000);
  clock.advance(5_000);
  await watch.look();
  assertEquals(host.asked, 2);
});

Deno.test("very many distinct gates are looked at some at a time, and all of them", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await waitAt(temp.store, gatesNamed(950));
  host.open.add("file:/gate/949");

  const perLook: number[] = [];
  for (let i = 0; i < 10; i++) {
    const before = host.asked;
    await watch.look();
    await watch.look();
    perLook.push(host.asked - before);
    clock.advance(100);
  }

  assertEquals(perLook, [...Array(9).fill(100), 50]);
  assertEquals(watch.open(), [{ queue: "default", gate: "file:/gate/949" }]);
  clock.advance(3_900);
  await watch.look();
  assertEquals(host.asked, 950, "the next pass begins five seconds after this one began");
  clock.advance(100);
  await watch.look();
  assertEquals(host.asked, 1_050);
});

Deno.test("many distinct gates that are open at once are used up without a pause", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  host.open.add("all");
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await waitAt(temp.store, gatesNamed(300));

  let taken = 0;
  for (let claims = 0; claims < 100 && taken < 300; claims++) taken += await turn(temp.store, watch, 4);

  assertEquals(taken, 300);
});

Deno.test("open gates of a queue that is full do not keep others from being found", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  host.open.add("all");
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await temp.store.queues.set("full", { concurrency: 1 });
  await aJob(temp.store, { queue: "full", state: "processing" });
  await temp.store.queues.set("full", { concurrency: 2 });
  await waitAt(temp.store, gatesNamed(500), "full");
  await temp.store.queues.set("full", { concurrency: 1 });
  await waitAt(temp.store, ["file:/other"], "other");

  let looks = 0;
  while (await turn(temp.store, watch) === 0 && looks < 100) {
    looks++;
    clock.advance(100);
  }

  // 16 of them, then, as that was in vain, 100 at a time.
  assertEquals(looks, 5);
});

Deno.test("a gate that closed, or at which nobody waits, is forgotten", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  host.open.add("all");
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge });
  await waitAt(temp.store, ["file:/used", "file:/x"]);
  await watch.look();
  assertEquals(watch.open().length, 2);
  await temp.store.jobs.claim(aClaim({ judgeGate: watch.judge, openGates: watch.open() }));

  host.open.clear();
  clock.advance(5_000);
  await watch.look();

  assertEquals(watch.open(), []);
});

Deno.test("a worker sleeps until the next look only when somebody waits at a gate", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const watch = new GateWatch({ store: temp.store, clock, judge: () => CLOSED });
  await watch.look();
  assertEquals(await watch.sleepMs(60_000), 60_000);

  await waitAt(temp.store, ["file:/x"]);
  clock.advance(1_000);

  assertEquals(await watch.sleepMs(60_000), 4_000);
  assertEquals(await watch.sleepMs(500), 500);
  await waitAt(temp.store, gatesNamed(500));
  clock.advance(4_000);
  await watch.look();
  assertEquals(await watch.sleepMs(60_000), 100, "there is more to look at");
});

Deno.test("a worker looks only at gates of the queues that it serves", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const host = new Host();
  host.open.add("all");
  const watch = new GateWatch({ store: temp.store, clock, judge: host.judge, queues: ["mail"] });
  await waitAt(temp.store, ["file:/x"]);
  await waitAt(temp.store, ["file:/x"], "mail");

  await watch.look();

  assertEquals(watch.open(), [{ queue: "mail", gate: "file:/x" }]);
});
