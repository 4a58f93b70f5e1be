/** Jobs whose children belong to another user, as with sudo: the worker may neither signal them nor read their cookie. */
import { assertEquals, assertMatch } from "@std/assert";
import { oddSeconds, runningWith } from "../support/process_tree.ts";
import { type TwoUsers, twoUsers } from "../support/two_users.ts";
import { waitFor } from "../support/wait_for.ts";

/** The first run has a child of root; later ones end at once. */
function firstRunOf(users: TwoUsers, rest: string): string {
  return `[ "$QUEUECTL_RUN" = 1 ] || exit 0; ${users.asRoot} ${rest}`;
}

async function untilReason(users: TwoUsers, id: string, pattern: RegExp): Promise<string> {
  return await waitFor(async () => {
    const { reason } = await users.json(["show", id]);
    return pattern.test(reason ?? "") && reason as string;
  }, `reason ${pattern}`);
}

async function untilRunning(seconds: string): Promise<number> {
  return await waitFor(() => runningWith("sleep", seconds)[0], "the child of root");
}

Deno.test("after its timeout a job waits for its child of another user, and runs again only when that is gone", async () => {
  await using users = await twoUsers();
  const seconds = oddSeconds();
  const id = await users.ok([
    ...["enqueue", "--timeout", "500ms", "--kill-grace", "100ms", "--max-retries", "1", "--backoff", "fixed:50ms"],
    firstRunOf(users, `sleep ${seconds}; true`),
  ]);

  const worker = await users.start(["worker", "run", "--drain"]);
  const pid = await untilRunning(seconds);
  await untilReason(users, id, new RegExp(`process ${pid} of it does not end`));
  const held = await users.json(["show", id]);
  assertEquals([held.state, held.runs.length], ["processing", 1]);
  Deno.kill(pid, "SIGKILL");

  await worker.wait();
  const { state, runs } = await users.json(["show", id]);
  assertEquals(state, "completed");
  assertEquals(runs.map(({ outcome }: { outcome: string }) => outcome), ["timed_out", "succeeded"]);
});

Deno.test("a worker that is stopped leaves a run that it cannot end to rescue, which waits as well", async () => {
  await using users = await twoUsers();
  const seconds = oddSeconds();
  const id = await users.ok([
    ...["enqueue", "--timeout", "500ms", "--kill-grace", "100ms", "--max-retries", "1", "--backoff", "fixed:50ms"],
    firstRunOf(users, `sleep ${seconds}; true`),
  ]);
  const worker = await users.start(["worker", "run"]);
  const pid = await untilRunning(seconds);
  await untilReason(users, id, /does not end/);

  worker.signal("SIGTERM");
  await worker.wait();
  assertEquals((await users.json(["show", id])).state, "processing");
  const other = await users.start(["worker", "run"]);
  await untilReason(users, id, new RegExp(`process ${pid} of an earlier run does not end`));
  assertEquals(runningWith("sleep", seconds), [pid]);
  assertMatch(other.stderr() + other.stdout(), /jobs not rescued yet/);
  Deno.kill(pid, "SIGKILL");

  await waitFor(async () => (await users.json(["show", id])).state === "completed", "its second run");
  other.signal("SIGTERM");
  await other.wait();
});

Deno.test("a worker is killed: its job does not run again beside a child of another user", async () => {
  await using users = await twoUsers();
  const seconds = oddSeconds();
  const id = await users.ok(["enqueue", firstRunOf(users, `sleep ${seconds}; true`)]);
  const worker = await users.start(["worker", "run"]);
  const pid = await untilRunning(seconds);
  await worker.kill();

  const other = await users.start(["worker", "run"]);
  await untilReason(users, id, new RegExp(`process ${pid} of an earlier run does not end`));
  assertEquals((await users.json(["show", id])).runs.length, 1);
  Deno.kill(pid, "SIGKILL");

  await waitFor(async () => (await users.json(["show", id])).state === "completed", "its second run");
  other.signal("SIGTERM");
  await other.wait();
});

Deno.test("a job that failed does not start again beside a child of another user that it left, and says which", async () => {
  await using users = await twoUsers();
  const seconds = oddSeconds();
  const id = await users.ok([
    ...["enqueue", "--max-retries", "1", "--backoff", "fixed:50ms"],
    firstRunOf(users, `sleep ${seconds} & sleep 0.3; exit 1`),
  ]);

  await users.run(["worker", "run", "--drain"]);

  const [pid] = runningWith("sleep", seconds);
  const { state, reason, runs } = await users.json(["show", id]);
  assertEquals([state, runs.length], ["dead", 2]);
  assertMatch(reason, new RegExp(`process ${pid} of an earlier run does not end`));
});
