/** Only commands that are allowed get in, and only they run. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("enqueue, enqueue-batch and edit refuse what allow_commands does not name", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "allow_commands", "echo *,true"]);

  const refused = await box.run(["enqueue", "rm -r x"]);
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, 'queuectl: Cannot take command "rm -r x": allow_commands has no pattern for it');
  assertEquals((await box.run(["enqueue", "echo hi; rm -r x"])).code, 2);
  const batch = await box.run(["enqueue-batch", "--lines", "-"], { stdin: "true\nrm -r x\n" });
  assertEquals(batch.code, 2);
  assertStringIncludes(batch.stderr, "line 2 of standard input");
  assertEquals(await box.json(["list"]), []);

  const id = await box.ok(["enqueue", "echo hi"]);
  assertEquals((await box.run(["edit", id, "--command", "rm x"])).code, 2);
  assertEquals(await box.ok(["enqueue", "--id", "a", "--", "echo", "a; b"]), "a");
});

Deno.test("a worker does not start what is no longer allowed", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--max-retries", "0", "touch ran"]);
  await box.ok(["config", "set", "allow_commands", "true"]);

  assertEquals((await box.run(["worker", "run", "--drain"])).code, 1);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.exit_code, job.runs[0].outcome], ["dead", 126, "not_started"]);
  assertStringIncludes(job.reason, "allow_commands has no pattern for it");
  assertEquals([...Deno.readDirSync(box.directory)].some((file) => file.name === "ran"), false);
});
