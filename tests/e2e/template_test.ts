import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("a job made from a template has its command and options", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "report", "--queue", "slow", "--env", "A=1", "--command", "echo $A $B"]);

  const id = await box.ok(["enqueue", "--template", "report", "--env", "B=2"]);
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(await box.ok(["output", id, "--stdout"]), "1 2");
  const job = await box.json(["show", id]);
  assertEquals([job.queue, job.template, job.state], ["slow", "report", "completed"]);
});

Deno.test("what the job says goes over its template, by flag and by JSON", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "t", "--priority", "5", "--max-retries", "9", "--", "ls", "-l"]);

  const flags = await box.json(["enqueue", "--template", "t", "--priority", "7", "true"]);
  const json = await box.json(["enqueue", '{"template": "t", "retries": 1}']);

  assertEquals([flags.priority, flags.max_retries, flags.command, flags.argv], [7, 9, "true", null]);
  assertEquals([json.priority, json.max_retries, json.command, json.argv], [5, 1, null, ["ls", "-l"]]);
});

Deno.test("a template in use is exit 4, unless it is to be replaced", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "t", "--priority", "1"]);

  const refused = await box.run(["template", "create", "t", "--priority", "2"]);
  assertEquals(refused.code, 4);
  assertStringIncludes(refused.stderr, "--replace");
  await box.ok(["template", "create", "t", "--priority", "3", "--replace"]);

  assertEquals((await box.json(["template", "show", "t"])).job, { priority: "3" });
});

Deno.test("template list prints an array, and show one of them", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "b", "--tag", "x", "make all"]);
  await box.ok(["template", "create", "a", '{"priority": 4}']);

  const list = await box.json(["template", "list"]);

  assertEquals(list.map((template: { name: string }) => template.name), ["a", "b"]);
  assertEquals(list[0].job, { priority: 4 });
  assertMatch(list[0].created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assertEquals(await box.json(["template", "show", "a"]), list[0]);
  assertEquals(await box.ok(["template", "show", "b"]), 'Template b\n  command: make all\n  tags: ["x"]');
});

Deno.test("a template that is removed is unknown, and unknown ones are exit 3", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "t"]);
  assertEquals(await box.json(["template", "remove", "t"]), { removed: "t" });

  for (
    const args of [["template", "show", "t"], ["template", "remove", "t"], ["enqueue", "--template", "t", "true"]]
  ) {
    const refused = await box.run(args);
    assertEquals(refused.code, 3, args.join(" "));
    assertStringIncludes(refused.stderr, 'No template "t"');
  }
  assertEquals(await box.json(["template", "list"]), []);
});

Deno.test("bad templates and templates without a command are refused with one sentence", async () => {
  await using box = await sandbox();

  const bad = await box.run(["template", "create", "t", "--priority", "abc"]);
  assertEquals([bad.code, bad.stderr.split("\n")[0]], [
    2,
    'queuectl: Invalid priority "abc": expected a whole number from -2147483647 to 2147483647',
  ]);
  assertEquals((await box.run(["template", "create", "a/b"])).code, 2);
  await box.ok(["template", "create", "t"]);
  const empty = await box.run(["enqueue", "--template", "t"]);
  assertEquals([empty.code, empty.stdout], [2, ""]);
  assertStringIncludes(empty.stderr, "Missing command");
});

Deno.test("completion knows the names of templates", async () => {
  await using box = await sandbox();
  await box.ok(["template", "create", "nightly"]);

  assertEquals(await box.ok(["__complete", "template", "ni"]), "nightly");
});
