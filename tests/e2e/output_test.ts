/** What jobs wrote, as people and as scripts see it. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

/** A job that writes its run number to both streams, and succeeds at its second run. */
async function withTwoRuns(box: Sandbox): Promise<string> {
  const command = 'echo "out $QUEUECTL_RUN"; echo "err $QUEUECTL_RUN" >&2; test "$QUEUECTL_RUN" = 2';
  const id = await box.ok(["enqueue", "--backoff", "fixed:10ms", command]);
  await box.ok(["worker", "run", "--drain"]);
  return id;
}

Deno.test("output shows a header, then stdout and stderr of the last run", async () => {
  await using box = await sandbox();
  const id = await withTwoRuns(box);

  assertEquals(await box.ok(["output", id]), `Job ${id}, run 2: succeeded\nSTDOUT:\nout 2\nSTDERR:\nerr 2`);
});

Deno.test("output --run shows an earlier run; --stdout, --stderr and --raw print the bytes alone", async () => {
  await using box = await sandbox();
  const id = await withTwoRuns(box);

  assertMatch(await box.ok(["output", id, "--run", "1"]), /run 1: failed[^]*out 1[^]*err 1/);
  assertEquals((await box.run(["output", id, "--stdout"])).stdout, "out 2\n");
  assertEquals((await box.run(["output", id, "--run", "1", "--stderr"])).stdout, "err 1\n");
  assertEquals((await box.run(["output", id, "--raw"])).stdout, "out 2\nerr 2\n");
  const json = await box.json(["output", id]);
  assertEquals([json.id, json.run, json.stdout, json.stderr, json.dropped_bytes], [id, 2, "out 2\n", "err 2\n", 0]);
});

Deno.test("output of a run that does not exist, or of a job that has not run, is exit code 3", async () => {
  await using box = await sandbox();
  const id = await withTwoRuns(box);
  await box.ok(["enqueue", "--id", "waiting", "true"]);

  const noRun = await box.run(["output", id, "--run", "3"]);
  const notYet = await box.run(["output", "waiting"]);

  assertEquals([noRun.code, notYet.code], [3, 3]);
  assertMatch(noRun.stderr, /No run 3 of job ".*": it has runs 1 to 2\nTry: queuectl output .* --run 2\n/);
  assertMatch(notYet.stderr, /No output of job "waiting": it has not run yet/);
});

Deno.test("output of more than fits the database is there in full", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "yes 0123456789abcde | head -n 20000"]);
  await box.ok(["worker", "run", "--drain"]);

  const { stdout } = await box.run(["output", id, "--stdout"]);

  assertEquals(stdout.length, 16 * 20_000);
  assertEquals((await box.json(["show", id])).runs[0].stdout_bytes, 16 * 20_000);
});

Deno.test("--no-output keeps nothing", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--no-output", "echo secret"]);
  await box.ok(["worker", "run", "--drain"]);

  assertEquals((await box.run(["output", id, "--raw"])).stdout, "");
  const found = await box.run(["-c", 'grep -rl "^secret" "$0" "$0.d"', box.db], { program: "sh" });
  assertEquals(found.stdout, "");
});
