/** Tasks about expiry and children. */
import { assertEquals } from "@std/assert";
import { runOnce as expireJobs } from "../../../lib/maintenance/expire_jobs.ts";
import { runOnce as settleChildren } from "../../../lib/maintenance/settle_children.ts";
import { aClaim, aNewJob, aReport } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { tempStore } from "../../support/temp_store.ts";

Deno.test("expire_jobs cancels all that waited past their time", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const expires_at = clock.now() + 1_000;
  await temp.store.jobs.enqueue(Array.from({ length: 1_200 }, () => aNewJob({ expires_at })));
  const context = maintenanceOf(temp);

  assertEquals(await expireJobs(context), { expired: 0 });
  clock.advance(1_000);
  assertEquals(await expireJobs(context), { expired: 1_200 });

  assertEquals((await temp.store.jobs.counts()).map(({ state }) => state), ["cancelled"]);
});

Deno.test("settle_children cancels the children of a dead job when dead_retry_after is off", async () => {
  await using temp = await tempStore();
  const { jobs } = temp.store;
  await jobs.enqueue([aNewJob({ id: "a", max_retries: 0 }), aNewJob({ id: "child", after: ["a"] })]);
  const [job] = await jobs.claim(aClaim());
  await jobs.finish([aReport(job!, { result: { kind: "exited", code: 1 }, deadAreRetried: true })]);

  await settleChildren(maintenanceOf(temp, { dead_retry_after: "1h" }));
  assertEquals((await jobs.find("child")).state, "blocked");
  assertEquals(await settleChildren(maintenanceOf(temp)), { parents: 1 });
  assertEquals((await jobs.find("child")).state, "cancelled");
  assertEquals(await settleChildren(maintenanceOf(temp)), { parents: 0 });
});
