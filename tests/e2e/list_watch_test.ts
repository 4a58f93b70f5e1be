/** Looking at jobs as they change, and at very many. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("list --watch prints a snapshot whenever something changes, until it is told to stop", async () => {
  await using box = await sandbox();
  const watch = await box.start(["list", "--watch", "--format", "plain"]);
  const first = await box.ok(["enqueue", "true"]);
  await waitFor(() => watch.stdout().includes(first), "the first job to be shown");
  const second = await box.ok(["enqueue", "true"]);
  await waitFor(() => watch.stdout().includes(second), "the second job to be shown");

  watch.signal("SIGINT");
  const { code, stdout } = await watch.wait();

  assertEquals(code, 0);
  assertEquals(stdout.includes("\x1b"), false);
  // One picture with the first alone, one with both.
  assertEquals(stdout.trimEnd().split("\n").map((line) => line.split("\t")[0]), [first, second, first]);
});

Deno.test("list --watch on a terminal draws in place and gives the cursor back", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);
  const watch = await box.start(["-qec", `'${box.binary}' list --watch & wait $!; echo over $?`, "/dev/null"], {
    program: "/usr/bin/script",
  });
  await waitFor(() => watch.stdout().includes(id), "the job to be drawn");
  for (const { pid, command } of box.processes()) {
    if (command.includes("list --watch") && !command.includes("wait")) Deno.kill(pid, "SIGTERM");
  }

  const { stdout } = await watch.wait();

  assertStringIncludes(stdout, "over 0");
  assertStringIncludes(stdout, "\x1b[?25l\x1b[2J\x1b[H");
  assert(stdout.indexOf("\x1b[?25h") > stdout.indexOf(id), "the cursor is not shown again");
});

Deno.test("list --limit 0 gives all of many jobs in every format", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--lines", "-"], { stdin: "true\n".repeat(2_500) });

  assertEquals((await box.json<unknown[]>(["list", "--limit", "0"])).length, 2_500);
  assertEquals((await box.ok(["list", "--limit", "0", "--format", "ndjson"])).split("\n").length, 2_500);
  assertEquals((await box.ok(["list", "--limit", "0", "--format", "plain"])).split("\n").length, 2_500);
  const table = (await box.ok(["list", "--limit", "0"])).split("\n");
  assertEquals(table.length, 2_501);
  assertEquals(table.filter((line) => line.startsWith("ID")).length, 1);
  assertEquals((await box.json<unknown[]>(["list", "--limit", "0", "--sort", "priority"])).length, 2_500);
});
