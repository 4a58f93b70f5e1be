/** Room for jobs that must run alone. @module */
import { assertEquals } from "@std/assert";
import type { Store } from "../../../lib/store/mod.ts";
import { TurnAlone } from "../../../lib/worker/turn_alone.ts";
import { aClaim, aJob } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

/** A job that waits for a worker with nothing else to do. */
async function aCrashedJob(store: Store, queue = "default"): Promise<void> {
  const job = await aJob(store, { queue, state: "processing", workerId: "dead" });
  await store.jobs.rescue({ workerId: "dead", beat: 0, held: [job], maxCrashes: 3 });
}

Deno.test("a busy worker holds back for a while when a job that must run alone waits", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const turn = new TurnAlone({ store: temp.store, clock });
  await aCrashedJob(temp.store);

  assertEquals(await turn.holdBackMs(), 0, "not at once");
  clock.advance(10_000);
  assertEquals(await turn.holdBackMs(), 3_000);
  clock.advance(2_000);
  assertEquals(await turn.holdBackMs(), 1_000);
  clock.advance(1_000);
  assertEquals(await turn.holdBackMs(), 0);
});

Deno.test("when it is in vain, it is done ever less often", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const turn = new TurnAlone({ store: temp.store, clock });
  await aCrashedJob(temp.store);

  let heldBack = 0;
  for (let second = 0; second < 600; second++) {
    clock.advance(1_000);
    if (await turn.holdBackMs() > 0) heldBack++;
  }

  // Three seconds each, after 10, 30, 70, 150 and 310 of them.
  assertEquals(heldBack, 5 * 3);
});

Deno.test("nothing is held back for a job of another queue, a paused one, or one that is taken", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  const mail = new TurnAlone({ store, clock, queues: ["mail"] });
  const all = new TurnAlone({ store, clock });
  await aCrashedJob(store, "other");
  clock.advance(10_000);
  assertEquals([await mail.holdBackMs(), await all.holdBackMs()], [0, 3_000]);

  await store.queues.setPaused("other", true);
  assertEquals(await store.jobs.hasAlone({}), false);
  await store.queues.setPaused("other", false);
  assertEquals(await store.jobs.hasAlone({ queues: ["mail", "other"] }), true);
  await store.jobs.claim(aClaim());
  assertEquals(await store.jobs.hasAlone({}), false);
});
