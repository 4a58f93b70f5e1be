/** Batches, and what follows them. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

/** Jobs that a batch made when it was done. */
async function callbacks(box: Sandbox): Promise<number> {
  const jobs = await box.json<{ command: string }[]>(["list", "--limit", "0"]);
  return jobs.filter(({ command }) => command.startsWith("echo callback")).length;
}

Deno.test("enqueue --batch leaves a batch open until it is sealed; then one job follows its end", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--batch", "night", "true"]);
  await box.ok(["enqueue", "--batch", "night", "--on-batch-done", "echo callback >>done", "true"]);
  await box.ok(["enqueue", "true"]);
  assertEquals((await box.json(["list", "--batch", "night"])).length, 2);
  await box.ok(["worker", "run", "--drain"]);
  const open = await box.json(["batch", "show", "night"]);
  assertEquals([open.state, open.total, open.ended, open.jobs.completed], ["open", 2, 2, 2]);
  assertEquals(await callbacks(box), 0);

  const sealed = await box.run(["batch", "seal", "night"]);
  assertStringIncludes(sealed.stderr, "Batch night is done: 2 of 2 jobs have ended");
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(await Deno.readTextFile(`${box.directory}/done`), "callback\n");
  const [batch] = await box.json<Record<string, unknown>[]>(["batch", "list"]);
  assertEquals([batch!.name, batch!.state], ["night", "done"]);
  assertEquals((await box.json(["show", String(batch!.done_job_id)])).state, "completed");
  assertStringIncludes(await box.ok(["batch", "show", "night"]), "2 of 2 ended (2 completed)");
});

Deno.test("enqueue-batch seals the batch that it makes", async () => {
  await using box = await sandbox();
  const made = await box.json(["enqueue-batch", "--lines", "--batch", "b", "-"], { stdin: "true\nfalse\n" });
  assertEquals(made, { enqueued: 2, batch: "b" });

  assertEquals((await box.json(["batch", "show", "b"])).sealed, true);
  const late = await box.run(["enqueue", "--batch", "b", "true"]);
  assertEquals(late.code, 4);
  assertStringIncludes(late.stderr, 'Cannot add to batch "b": it is sealed');
  assertEquals((await box.run(["batch", "seal", "b"])).code, 4);
  assertEquals((await box.run(["batch", "show", "nothing"])).code, 3);
  assertEquals((await box.run(["enqueue", "--on-batch-done", "true", "true"])).code, 2);
});

Deno.test("the job after a batch is made exactly once, also when workers are killed", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "max_crashes", "100"]);
  await box.ok(["enqueue-batch", "--lines", "--batch", "b", "--on-batch-done", "echo callback", "-"], {
    stdin: "sleep 0.1\n".repeat(24),
  });
  const start = () => box.start(["worker", "run", "--concurrency", "3"]);
  const workers: Started[] = [await start(), await start()];
  const ended = async () => (await box.json<{ ended: number }>(["batch", "show", "b"])).ended;

  for (const bound of [3, 8, 14, 20]) {
    await waitFor(async () => await ended() >= bound, `${bound} jobs to end`);
    await workers.shift()!.kill();
    workers.push(await start());
  }
  await waitFor(async () => await ended() === 24, "the batch to end");
  for (const worker of workers) worker.signal("SIGTERM");
  for (const worker of workers) await worker.wait();

  assertEquals(await callbacks(box), 1);
  const batch = await box.json(["batch", "show", "b"]);
  assertEquals([batch.state, batch.jobs.completed], ["done", 24]);
  await box.killAll();
});
