/** How a worker adapts to a host that has nothing left for a job. @module */
import { assertEquals } from "@std/assert";
import { Exhaustion } from "../../../lib/worker/exhaustion.ts";

Deno.test("pauses double while no start succeeds, up to half a minute, and begin anew after one that does", () => {
  const exhaustion = new Exhaustion();
  const pauses: number[] = [];
  let now = 0;
  for (let i = 0; i < 8; i++) {
    exhaustion.failed("too many processes", { now, running: 4 });
    pauses.push(exhaustion.holdBackMs(now));
    now += exhaustion.holdBackMs(now);
  }
  assertEquals(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);

  exhaustion.started();
  exhaustion.failed("too many processes", { now, running: 4 });

  assertEquals(exhaustion.holdBackMs(now), 500);
});

Deno.test("jobs that were claimed together and fail together are one failure", () => {
  const exhaustion = new Exhaustion();

  for (let i = 0; i < 30; i++) exhaustion.failed("too many processes", { now: 10 + i, running: 40 - i });

  assertEquals(exhaustion.holdBackMs(10), 500);
  assertEquals(exhaustion.slots(60), 11);
});

Deno.test("slots come back one by one as starts succeed, and one is left in any case", () => {
  const exhaustion = new Exhaustion();
  exhaustion.failed("too many processes", { now: 0, running: 0 });
  assertEquals([exhaustion.slots(3), exhaustion.trouble], [1, "the host is exhausted: too many processes"]);

  for (let i = 0; i < 10; i++) exhaustion.started();
  assertEquals(exhaustion.slots(3), 2);
  for (let i = 0; i < 10; i++) exhaustion.started();

  assertEquals([exhaustion.slots(3), exhaustion.trouble], [3, undefined]);
});
