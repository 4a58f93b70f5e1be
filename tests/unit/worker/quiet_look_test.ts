/** When a worker with nothing to do spares itself a claim. @module */
import { assertEquals } from "@std/assert";
import type { Store, WaitingJobs } from "../../../lib/store/mod.ts";
import { QuietLook } from "../../../lib/worker/quiet_look.ts";
import { FakeClock } from "../../support/fake_clock.ts";

function looking() {
  const clock = new FakeClock();
  let waiting: WaitingJobs = { isPending: false, nextAt: undefined };
  let looks = 0;
  const store = { jobs: { waiting: () => (looks++, Promise.resolve(waiting)) } } as unknown as Store;
  const quiet = new QuietLook({ store, clock });
  return { clock, quiet, looks: () => looks, say: (said: WaitingJobs) => waiting = said };
}

Deno.test("nothing is quiet before a claim has found nothing, and nobody looks", async () => {
  const { quiet, looks } = looking();

  assertEquals(await quiet.isQuiet(), false);
  quiet.claimed(1);
  assertEquals(await quiet.isQuiet(), false);
  assertEquals(looks(), 0);
});

Deno.test("after a claim that found nothing it is quiet until a job is pending or due", async () => {
  const { quiet, clock, say } = looking();
  quiet.claimed(0);
  say({ isPending: false, nextAt: clock.now() + 1_000 });

  assertEquals([await quiet.isQuiet(), quiet.nextAt], [true, clock.now() + 1_000]);
  clock.advance(1_000);
  assertEquals(await quiet.isQuiet(), false);
  say({ isPending: true, nextAt: undefined });
  assertEquals(await quiet.isQuiet(), false);
});

Deno.test("a claim is made every now and then, however quiet it is", async () => {
  const { quiet, clock } = looking();
  quiet.claimed(0);
  clock.advance(4_999);
  assertEquals(await quiet.isQuiet(), true);

  clock.advance(1);

  assertEquals(await quiet.isQuiet(), false);
});
