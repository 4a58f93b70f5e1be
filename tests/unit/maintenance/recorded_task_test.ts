import { assertEquals, assertRejects } from "@std/assert";
import { recorded } from "../../../lib/maintenance/recorded_task.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { tempStore } from "../../support/temp_store.ts";

Deno.test("a recorded task notes what it did, and nothing when there was nothing to do", async () => {
  await using temp = await tempStore();
  const context = maintenanceOf(temp);
  const results = [{ jobs: 0 }, { jobs: 3 }, { jobs: 0 }];
  const task = recorded("prune", { runOnce: () => Promise.resolve(results.shift()!) });

  await task.runOnce(context);
  assertEquals(await temp.store.maintenance.list(), []);
  assertEquals(await task.runOnce(context), { jobs: 3 });
  await task.runOnce(context);

  assertEquals(await temp.store.maintenance.list(), [
    { task: "prune", at: temp.clock.now(), counts: { jobs: 3 }, error: null },
  ]);
});

Deno.test("a recorded task that fails notes why, still fails, and forgets it when it goes well", async () => {
  await using temp = await tempStore();
  let isBroken = true;
  const task = recorded("prune", {
    runOnce: () => isBroken ? Promise.reject(new Error("no such table")) : Promise.resolve({ jobs: 0 }),
  });

  await assertRejects(() => task.runOnce(maintenanceOf(temp)), Error, "no such table");

  const [record] = await temp.store.maintenance.list();
  assertEquals([record?.counts, record?.error], [{}, "no such table"]);

  isBroken = false;
  await task.runOnce(maintenanceOf(temp));
  assertEquals((await temp.store.maintenance.list()).map(({ error }) => error), [null]);
});
