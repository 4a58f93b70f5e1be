import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { poolBox } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

/** Starts a worker and waits until it is there. */
async function worker(box: Sandbox, args: readonly string[] = []): Promise<Started> {
  const started = await box.start(["worker", "run", ...args]);
  await waitFor(async () => (await box.json(["worker", "status"])).length > 0, "the worker");
  return started;
}

async function stopped(worker: Started): Promise<void> {
  worker.signal("SIGTERM");
  await worker.wait();
}

const UNTIL_GO = "while ! [ -e go ]; do sleep 0.05; done";

/** A job that runs until the file `go` is there. */
async function running(box: Sandbox, args: readonly string[]): Promise<string> {
  const id = await box.ok(["enqueue", ...args, UNTIL_GO]);
  await waitFor(async () => (await box.json(["show", id])).state === "processing", "the job to run");
  return id;
}

async function whyOf(box: Sandbox, id: string): Promise<{ why: string; by: string[]; next: string; reason: string }> {
  return await box.json(["why", id]);
}

Deno.test("why says that nobody serves the queue, dead workers included, and what to do", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);
  assertEquals((await whyOf(box, id)).why, "no_worker");

  // One that serves another queue, and one that is killed: neither counts.
  const dead = await worker(box, ["--queue", "other"]);
  assertEquals((await whyOf(box, id)).why, "no_worker");
  await dead.kill();

  assertEquals(
    await box.ok(["why", id]),
    `Job ${id} is pending: no live worker serves queue "default"\nTry: queuectl worker start`,
  );
});

Deno.test("the next step of why brings workers to a queue that those who run leave alone", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--queue", "other"]);
  const id = await box.ok(["enqueue", "--queue", "mail", "true"]);

  const { next } = await whyOf(box, id);
  assertEquals(next, "queuectl worker start --pool mail --queue mail");
  await box.ok(next.split(" ").slice(1));

  await box.ok(["wait", id]);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("why tells a paused queue", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--queue", "mail", "true"]);
  await box.ok(["queue", "pause", "mail"]);

  assertEquals(await box.json(["why", id]), {
    id,
    state: "pending",
    why: "paused",
    reason: 'queue "mail" is paused',
    by: [],
    until: null,
    next: "queuectl queue resume mail",
  });
});

Deno.test("why tells the time of a job that waits for one, and of one that waits for its retry", async () => {
  await using box = await sandbox();
  const later = await box.json(["enqueue", "--delay", "1h", "true"]);
  const again = await box.ok(["enqueue", "--backoff", "fixed:1h", "exit 7"]);
  await box.run(["worker", "run", "--drain", "--no-wait-retries"]);

  const [first, second] = [await box.json(["why", later.id]), await box.json(["why", again])];

  assertEquals([first.why, first.until], ["run_at", later.run_at]);
  assertEquals(second.why, "backoff");
  assertMatch(second.reason, /exited with code 7; retry 1 of 3/);
  assertEquals(second.next, `queuectl retry ${again}`);
});

Deno.test("why tells how a job ended", async () => {
  await using box = await sandbox();
  const dead = await box.ok(["enqueue", "--max-retries", "0", "exit 7"]);
  const good = await box.ok(["enqueue", "true"]);
  await box.run(["worker", "run", "--drain"]);
  const cancelled = await box.ok(["enqueue", "true"]);
  await box.ok(["cancel", cancelled]);

  assertEquals((await whyOf(box, dead)).reason, "it has ended: exited with code 7 on the only attempt");
  assertEquals((await whyOf(box, good)).why, "completed");
  assertEquals((await whyOf(box, cancelled)).why, "cancelled");
});

Deno.test("why tells who runs a job, and that all slots are taken for another", async () => {
  await using box = await sandbox();
  const busy = await worker(box);
  const first = await running(box, []);
  const second = await box.ok(["enqueue", "true"]);

  assertMatch((await whyOf(box, first)).reason, /^worker \w+ runs it$/);
  assertEquals((await whyOf(box, second)).why, "busy");

  await Deno.writeTextFile(`${box.directory}/go`, "");
  await stopped(busy);
});

Deno.test("why of an unknown job is exit 3", async () => {
  await using box = await sandbox();

  assertEquals((await box.run(["why", "nope"])).code, 3);
});

Deno.test("why names the job that holds the lock, and the parents that are not finished", async () => {
  await using box = await sandbox();
  const two = await worker(box, ["--concurrency", "2"]);
  const holder = await running(box, ["--lock", "disk"]);
  const locked = await box.ok(["enqueue", "--lock", "disk", "true"]);
  const child = await box.ok(["enqueue", "--after", holder, "true"]);

  const [lock, parent] = [await whyOf(box, locked), await whyOf(box, child)];

  assertEquals([lock.why, lock.by, lock.next], ["lock", [holder], `queuectl why ${holder}`]);
  assertEquals([parent.why, parent.by], ["parent", [holder]]);
  assertEquals(parent.reason, `it waits for ${holder} (processing)`);
  await Deno.writeTextFile(`${box.directory}/go`, "");
  await stopped(two);
});

Deno.test("why names the jobs that fill a queue, and tells when its rate allows a start", async () => {
  await using box = await sandbox();
  await box.ok(["queue", "set", "api", "--concurrency", "1"]);
  await box.ok(["queue", "set", "slow", "--rate", "1/1h"]);
  const three = await worker(box, ["--concurrency", "3"]);
  const first = await running(box, ["--queue", "api"]);
  const second = await box.ok(["enqueue", "--queue", "api", "true"]);
  assertEquals((await box.run(["wait", await box.ok(["enqueue", "--queue", "slow", "true"])])).code, 0);
  const rated = await box.ok(["enqueue", "--queue", "slow", "true"]);

  const [limit, rate] = [await whyOf(box, second), await box.json(["why", rated])];

  assertEquals([limit.why, limit.by], ["limit", [first]]);
  assertEquals(limit.next, "queuectl queue set api --concurrency 2");
  assertEquals(rate.why, "rate");
  assertMatch(rate.until, /^\d{4}-.*Z$/);
  await Deno.writeTextFile(`${box.directory}/go`, "");
  await stopped(three);
});

Deno.test("why tells what was seen at a closed gate", async () => {
  await using box = await sandbox();
  const one = await worker(box);
  const id = await box.ok(["enqueue", "--when", "file:/never/there", "true"]);
  await waitFor(async () => (await whyOf(box, id)).why === "gate", "the gate to be looked at");

  assertStringIncludes((await whyOf(box, id)).reason, "/never/there");
  await stopped(one);
});

Deno.test("why looks at the gate anew: once it is open, a worker is what is missing", async () => {
  await using box = await sandbox();
  const one = await worker(box);
  const id = await box.ok(["enqueue", "--when", `file:${box.directory}/ready`, "true"]);
  await waitFor(async () => (await whyOf(box, id)).why === "gate", "the gate to be looked at");
  await stopped(one);
  assertEquals((await whyOf(box, id)).why, "gate");

  await Deno.writeTextFile(`${box.directory}/ready`, "");

  assertEquals((await whyOf(box, id)).why, "no_worker");
});

Deno.test("why tells that a job expired", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--expires", "1ms", "true"]);

  // Nobody was there to cancel it: a worker that is started now would not run it either.
  const before = await whyOf(box, id);
  assertEquals([before.why, before.next], ["expired", `queuectl edit ${id} --expires 1h`]);
  await box.ok(["worker", "run", "--drain"]);
  assertEquals((await whyOf(box, id)).why, "expired");
});

Deno.test("why tells that a job which crashed its workers waits for an idle one", async () => {
  await using box = await sandbox();
  const victim = await worker(box);
  const id = await running(box, []);
  await victim.kill();
  // The next worker finds another job first; then it rescues this one and cannot take it.
  await box.ok(["enqueue", "--queue", "busy", UNTIL_GO]);
  const other = await box.start(["worker", "run", "--concurrency", "2", "--queue", "busy,default"]);

  await waitFor(async () => (await whyOf(box, id)).why === "alone", "the job to be given back");
  await Deno.writeTextFile(`${box.directory}/go`, "");
  await stopped(other);
});
