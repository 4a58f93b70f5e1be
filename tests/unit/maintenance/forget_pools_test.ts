import { assertEquals } from "@std/assert";
import { runOnce } from "../../../lib/maintenance/forget_pools.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { tempStore } from "../../support/temp_store.ts";

Deno.test("a pool that was not heard of for more than a week is forgotten", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await temp.store.pools.put({ name: "default", host: "gone" }, { count: 2, concurrency: null, queues: null });

  clock.advance(7 * 24 * 60 * 60_000);
  assertEquals(await runOnce(maintenanceOf(temp)), { pools: 0 });
  clock.advance(1);
  assertEquals(await runOnce(maintenanceOf(temp)), { pools: 1 });

  assertEquals(await temp.store.pools.list(), []);
});
