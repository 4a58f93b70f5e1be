import { assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Enqueues a job that is not retried, and runs whatever waits. */
async function ran(box: Sandbox, args: readonly string[]): Promise<string> {
  const id = await box.ok(["enqueue", "--max-retries", "0", ...args]);
  await box.run(["worker", "run", "--drain"]);
  return id;
}

Deno.test("wait on one job exits 0 when it completed, whatever code counted as success", async () => {
  await using box = await sandbox();
  const plain = await ran(box, ["true"]);
  const lenient = await ran(box, ["--ok-on", "0,3", "exit 3"]);

  assertEquals(await box.run(["wait", plain]), { code: 0, signal: null, stdout: "", stderr: "" });
  assertEquals((await box.run(["wait", lenient])).code, 0);
});

Deno.test("wait on one dead job exits with its own code, or as shells do", async () => {
  await using box = await sandbox();
  const cases: [expected: number, args: string[]][] = [
    [7, ["exit 7"]],
    [124, ["--timeout", "200ms", "sleep 60"]],
    [137, ["kill -KILL $$"]],
    [127, ["--", "no-such-program-anywhere"]],
    [126, ["--", "/etc/passwd"]],
  ];

  for (const [expected, args] of cases) {
    const id = await ran(box, args);
    assertEquals((await box.run(["wait", id])).code, expected, args.join(" "));
  }
});

Deno.test("wait on a cancelled job exits 125 and says why on stderr", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);
  await box.ok(["cancel", id]);

  const waited = await box.run(["wait", id]);

  assertEquals(waited.code, 125);
  assertEquals(waited.stdout, "");
  assertEquals(waited.stderr, `Job ${id} is cancelled: cancelled by a person\n`);
});

Deno.test("wait goes on until a worker has run the job", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--max-retries", "0", "exit 9"]);
  const waiting = await box.start(["wait", id]);

  await box.run(["worker", "run", "--drain"]);

  assertEquals((await waiting.wait()).code, 9);
});

Deno.test("wait on several jobs exits 0 when all completed and 1 when one did not", async () => {
  await using box = await sandbox();
  const good = await ran(box, ["--tag", "good", "true"]);
  const bad = await ran(box, ["--tag", "bad", "--queue", "q", "exit 7"]);

  assertEquals((await box.run(["wait", good, good])).code, 0);
  assertEquals((await box.run(["wait", good, bad])).code, 1);
  assertEquals((await box.run(["wait", "--tag", "good"])).code, 0);
  assertEquals((await box.run(["wait", "--tag", "bad"])).code, 1);
  assertEquals((await box.run(["wait", "--queue", "q"])).code, 1);
});

Deno.test("wait --any ends with the first of them and prints its id", async () => {
  await using box = await sandbox();
  const done = await ran(box, ["true"]);
  const waiting = await box.ok(["enqueue", "true"]);

  const waited = await box.run(["wait", "--any", waiting, done]);

  assertEquals(waited, { code: 0, signal: null, stdout: `${done}\n`, stderr: "" });
});

Deno.test("wait on nothing and on an unknown id exits 3", async () => {
  await using box = await sandbox();

  for (const args of [["wait"], ["wait", "nope"], ["wait", "--tag", "nope"], ["wait", "--queue", "nope"]]) {
    const waited = await box.run(args);
    assertEquals(waited.code, 3, args.join(" "));
    assertMatch(waited.stderr, /^queuectl: /);
  }
});

Deno.test("wait --timeout exits 123 when it runs out", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);

  const waited = await box.run(["wait", "--timeout", "100ms", id]);

  assertEquals(waited.code, 123);
  assertEquals(waited.stderr, `queuectl: warning: gave up after 100ms: job "${id}" is pending\n`);
});

Deno.test("wait -v says why it waits", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);
  const waiting = await box.start(["wait", "-v", id]);

  await waitFor(() => waiting.stderr() !== "", "a word about it");
  await box.ok(["worker", "run", "--drain"]);

  const { code, stderr } = await waiting.wait();
  assertEquals([code, stderr], [0, `queuectl: Job ${id} is pending: no live worker serves queue "default"\n`]);
});

Deno.test("wait --json prints the job, or the list of several", async () => {
  await using box = await sandbox();
  const id = await ran(box, ["--tag", "t", "true"]);
  const other = await ran(box, ["true"]);

  assertEquals((await box.json(["wait", id])).state, "completed");
  assertEquals((await box.json(["wait", id, other])).map((job: { id: string }) => job.id), [id, other]);
  assertEquals((await box.json(["wait", "--tag", "t"])).map((job: { id: string }) => job.id), [id]);
});

Deno.test("wait refuses ids and a filter together, and what is no duration", async () => {
  await using box = await sandbox();

  assertEquals((await box.run(["wait", "abcd", "--tag", "t"])).code, 2);
  assertEquals((await box.run(["wait", "abcd", "--timeout", "soon"])).code, 2);
});

Deno.test("wait --batch waits for the members of a batch", async () => {
  await using box = await sandbox();
  await ran(box, ["--batch", "b", "true"]);
  await ran(box, ["exit 1"]);

  assertEquals((await box.run(["wait", "--batch", "b"])).code, 0);
  assertEquals((await box.run(["wait", "--batch", "nope"])).code, 3);
});
