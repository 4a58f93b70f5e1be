import { assertEquals } from "@std/assert";
import { runOnce } from "../../../lib/maintenance/free_reserved_jobs.ts";
import type { MaintenanceContext } from "../../../lib/maintenance/task.ts";
import { aClaim, aNewJob, aWorker } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { tempStore } from "../../support/temp_store.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

Deno.test("jobs whose own worker did not come within ten seconds are for everyone", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const context = { store: temp.store, clock, log: silent } as unknown as MaintenanceContext;
  const { jobs } = temp.store;
  const [abandoned] = await jobs.enqueue([aNewJob()], { reserveFor: "never-came" });
  await temp.store.workers.register(aWorker({ id: "is-there" }));
  await jobs.enqueue([aNewJob()], { reserveFor: "is-there" });

  clock.advance(9_000);
  assertEquals(await runOnce(context), { jobs: 0 });
  clock.advance(2_000);
  assertEquals(await runOnce(context), { jobs: 1 });

  assertEquals((await jobs.claim(aClaim({ slots: 5 }))).map(({ id }) => id), [abandoned!.id]);
});
