import { assertEquals } from "@std/assert";
import { execute } from "../support/sqlite_database.ts";
import { describeCompletion } from "./_cases.ts";
import { CompletionShell } from "./_shells.ts";

describeCompletion("bash");

Deno.test("bash completes an id with a colon, of which readline replaces only the end", async () => {
  await using line = await CompletionShell.open("bash");
  await line.run("queuectl", "enqueue", "--id", "site:backup", "true");

  assertEquals(await line.words("queuectl show site:b"), ["backup"]);
});

Deno.test("bash never runs what a stored name says", async () => {
  await using line = await CompletionShell.open("bash");
  await line.run("queuectl", "enqueue", "--id", "a-job", "true");
  // No command takes such a name; a file from elsewhere may hold one all the same.
  execute(line.database, "insert into queues (name, created_at) values ('$(touch${IFS}hacked)', 0)");

  await line.words("queuectl list --queue ");
  await line.words("queuectl show ");

  const files = await Array.fromAsync(Deno.readDir(line.directory), (entry) => entry.name);
  assertEquals(files.includes("hacked"), false);
});

Deno.test("bash does not offer a flag again, unless it may be repeated", async () => {
  await using line = await CompletionShell.open("bash");

  assertEquals(await line.words("queuectl enqueue --priority 3 --prio"), []);
  assertEquals(await line.words("queuectl enqueue --tag a --ta"), ["--tag"]);
});
