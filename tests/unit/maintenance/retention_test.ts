/** What is kept for how long, and what comes back: the tasks with a clock that the test moves. @module */
import { assertEquals, assertMatch } from "@std/assert";
import { runOnce as pruneAudit } from "../../../lib/maintenance/prune_audit.ts";
import { runOnce as pruneFinishedJobs } from "../../../lib/maintenance/prune_finished_jobs.ts";
import { runOnce as pruneHistory } from "../../../lib/maintenance/prune_history.ts";
import { runOnce as reviveDeadJobs } from "../../../lib/maintenance/revive_dead_jobs.ts";
import type { Store } from "../../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../../support/factories.ts";
import { FakeClock } from "../../support/fake_clock.ts";
import { maintenanceOf } from "../../support/maintenance.ts";
import { tempStore } from "../../support/temp_store.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function ids(store: Store): Promise<string[]> {
  return (await store.jobs.list({})).map((job) => job.id).sort();
}

Deno.test("completed and cancelled jobs are kept for a week, dead ones for ever", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  for (const state of ["completed", "cancelled", "dead", "pending"] as const) {
    await aJob(temp.store, { id: state, queue: state, state });
  }
  const maintenance = maintenanceOf(temp);

  clock.advance(7 * DAY - MINUTE);
  assertEquals(await pruneFinishedJobs(maintenance), {});
  clock.advance(2 * MINUTE);
  assertEquals(await pruneFinishedJobs(maintenance), { completed: 1, cancelled: 1 });

  assertEquals(await ids(temp.store), ["dead", "pending"]);
});

Deno.test("dead jobs go when keep_dead says so, completed ones stay with keep_completed 0", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await aJob(temp.store, { id: "dead", queue: "a", state: "dead" });
  await aJob(temp.store, { id: "done", queue: "b", state: "completed" });
  const maintenance = maintenanceOf(temp, { keep_dead: "1d", keep_completed: "0s" });

  clock.advance(365 * DAY);
  assertEquals(await pruneFinishedJobs(maintenance), { dead: 1 });

  assertEquals(await ids(temp.store), ["done"]);
});

Deno.test("a pruned job takes its output files with it, and no others", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const old = await aJob(temp.store, { state: "completed" });
  clock.advance(8 * DAY);
  const recent = await aJob(temp.store, { state: "completed" });
  const logs = `${temp.store.folder}/logs`;
  await Deno.mkdir(logs, { recursive: true });
  for (const { seq } of [old, recent]) await Deno.writeTextFile(`${logs}/${seq}-1.out`, "much");

  await pruneFinishedJobs(maintenanceOf(temp));

  assertEquals([...Deno.readDirSync(logs)].map((file) => file.name), [`${recent.seq}-1.out`]);
});

Deno.test("pruning takes more jobs than fit into one transaction", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { jobs } = temp.store;
  await jobs.enqueueMany(() => Array.from({ length: 1_234 }, (_, i) => aNewJob({ id: `job-${i}` })));
  await jobs.cancel({ filter: { states: ["pending"] } });
  clock.advance(8 * DAY);

  assertEquals(await pruneFinishedJobs(maintenanceOf(temp)), { cancelled: 1_234 });

  assertEquals(await ids(temp.store), []);
});

Deno.test("a task that is told to stop stops between two transactions", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await aJob(temp.store, { id: "done", state: "completed" });
  clock.advance(8 * DAY);

  await pruneFinishedJobs({ ...maintenanceOf(temp), signal: AbortSignal.abort() });

  assertEquals(await ids(temp.store), ["done"]);
});

Deno.test("the audit is kept for 90 days", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock, actor: { user: "ada", host: "host", pid: 1 } });
  await aJob(temp.store, { id: "a" });
  clock.advance(90 * DAY);
  await aJob(temp.store, { id: "b" });
  clock.advance(MINUTE);

  assertEquals(await pruneAudit(maintenanceOf(temp)), { entries: 1 });
  assertEquals((await temp.store.audit.list({})).map((entry) => entry.target), ["b"]);
  assertEquals(await pruneAudit(maintenanceOf(temp, { keep_audit: "0s" })), {});
});

Deno.test("the history by the minute is kept for 7 days, its sums for ever", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  for (let i = 0; i < 3; i++) {
    await aJob(store, { state: "completed" });
    clock.advance(MINUTE);
  }
  assertEquals((await store.history.minutes({})).length, 3);

  clock.advance(8 * DAY);
  await aJob(store, { state: "completed" });
  const { minutes } = await pruneHistory(maintenanceOf(temp));

  assertEquals(minutes, 2);
  const total = (await store.history.tallies({})).reduce((sum, { tally }) => sum + tally.outcomes.succeeded, 0);
  assertEquals(total, 4);
});

Deno.test("a dead job is retried once after dead_retry_after, and not before", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  await aJob(store, { id: "a", state: "dead" });
  const maintenance = maintenanceOf(temp, { dead_retry_after: "1h" });

  clock.advance(59 * MINUTE);
  assertEquals(await reviveDeadJobs(maintenance), { revived: 0 });
  clock.advance(2 * MINUTE);
  assertEquals(await reviveDeadJobs(maintenance), { revived: 1 });
  const revived = await store.jobs.find("a");
  assertEquals([revived.state, revived.attempts], ["pending", 0]);
  assertMatch(revived.reason ?? "", /dead_retry_after/);

  await dieAgain(store);
  clock.advance(2 * DAY);
  assertEquals(await reviveDeadJobs(maintenance), { revived: 0 });
  assertEquals((await store.jobs.find("a")).state, "dead");
});

Deno.test("a person's retry gives a dead job its second life back", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  const { store } = temp;
  await aJob(store, { id: "a", state: "dead" });
  const maintenance = maintenanceOf(temp, { dead_retry_after: "1h" });
  clock.advance(2 * 60 * MINUTE);
  await reviveDeadJobs(maintenance);
  await dieAgain(store);

  await store.jobs.retry({ ids: ["a"] });
  await dieAgain(store);
  clock.advance(2 * 60 * MINUTE);

  assertEquals(await reviveDeadJobs(maintenance), { revived: 1 });
});

Deno.test("dead jobs stay dead while dead_retry_after is off", async () => {
  const clock = new FakeClock();
  await using temp = await tempStore({ clock });
  await aJob(temp.store, { id: "a", state: "dead" });
  clock.advance(365 * DAY);

  assertEquals(await reviveDeadJobs(maintenanceOf(temp)), {});
});

async function dieAgain(store: Store): Promise<void> {
  const [claimed] = await store.jobs.claim(aClaim());
  await store.jobs.finish([aReport(claimed!, { result: { kind: "exited", code: 1 } })]);
}
