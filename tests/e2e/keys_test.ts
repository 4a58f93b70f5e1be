/** Keys: one job for each. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("a second job with a key prints the id of the first, exit 0", async () => {
  await using box = await sandbox();
  const first = await box.ok(["enqueue", "--key", "backup", "true"]);

  const second = await box.run(["enqueue", "--key", "backup", "true"]);

  assertEquals([second.code, second.stdout], [0, `${first}\n`]);
  const shown = await box.json(["enqueue", "--key", "backup", "false"]);
  assertEquals([shown.id, shown.command, shown.deduplicated], [first, "true", true]);
  assertEquals((await box.json(["enqueue", "--key", "other", "true"])).deduplicated, false);
  assertEquals((await box.json(["list"])).length, 2);
});

Deno.test("a key is free again when its job has ended, unless a window holds it", async () => {
  await using box = await sandbox();
  const first = await box.ok(["enqueue", "--key", "backup", "true"]);
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(await box.ok(["enqueue", "--key", "backup", "--key-scope", "window:1h", "true"]), first);
  assertEquals((await box.json(["enqueue", "--key", "backup", "true"])).deduplicated, false);
});

Deno.test("--on-conflict fail is exit 4, replace cancels the job that waits", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "first", "--key", "k", "true"]);

  const failed = await box.run(["enqueue", "--key", "k", "--on-conflict", "fail", "true"]);
  assertEquals(failed.code, 4);
  assertStringIncludes(failed.stderr, 'key "k" is held by job "first", pending');

  assertEquals(await box.ok(["enqueue", "--id", "second", "--key", "k", "--on-conflict", "replace", "true"]), "second");
  const first = await box.json(["show", "first"]);
  assertEquals([first.state, first.reason], ["cancelled", "replaced by second"]);
  assertEquals((await box.run(["retry", "first"])).code, 4);
});

Deno.test("what is said about keys is checked", async () => {
  await using box = await sandbox();
  for (const args of [["--key-scope", "waiting"], ["--on-conflict", "skip"], ["--key", "k", "--key-scope", "ever"]]) {
    assertEquals((await box.run(["enqueue", ...args, "true"])).code, 2);
  }
});
