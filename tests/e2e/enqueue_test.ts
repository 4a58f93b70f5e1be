/** Adding jobs: as a command, a program, JSON, a file, or standard input. */
import { assertEquals, assertMatch } from "@std/assert";
import { sandbox } from "../support/binary.ts";

Deno.test("enqueue prints the id of the new job and nothing else", async () => {
  await using box = await sandbox();

  const { code, stdout, stderr } = await box.run(["enqueue", "echo hi"]);

  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertMatch(stdout, /^[a-z2-7]{12}\n$/);
  const job = await box.json(["show", stdout.trim()]);
  assertEquals([job.state, job.command, job.argv, job.type], ["pending", "echo hi", null, "shell"]);
});

Deno.test("enqueue takes a program with its arguments behind --, word by word", async () => {
  await using box = await sandbox();

  const id = await box.ok(["enqueue", "--priority", "3", "--", "printf", "%s\\n", "a b", "--priority", "$HOME"]);

  const job = await box.json(["show", id]);
  assertEquals([job.type, job.command, job.priority], ["exec", null, 3]);
  assertEquals(job.argv, ["printf", "%s\\n", "a b", "--priority", "$HOME"]);
});

Deno.test("enqueue takes JSON as a word, from a file and from standard input", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/job.json`, '{\n  "id": "from-file",\n  "command": "true"\n}\n');

  const ids = [
    await box.ok(["enqueue", '{"id":"from-word","command":"sleep 2"}']),
    await box.ok(["enqueue", "@job.json"]),
    await box.ok(["enqueue", "-"], { stdin: '{"id":"from-stdin","argv":["sleep","2"]}' }),
  ];

  assertEquals(ids, ["from-word", "from-file", "from-stdin"]);
  const listed = await box.json<{ id: string; state: string }[]>(["list", "--state", "pending"]);
  assertEquals(listed.map((job) => job.id), ["from-stdin", "from-file", "from-word"]);
});
