/** Many jobs at once, all or none. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("enqueue-batch takes NDJSON from standard input; stdout is empty, the count is on stderr", async () => {
  await using box = await sandbox();

  const { code, stdout, stderr } = await box.run(["enqueue-batch", "-", "--queue", "mail", "--tag", "import"], {
    stdin: '{"command":"echo 1"}\n{"argv":["echo","2"],"queue":"other"}\n',
  });

  assertEquals({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "2 jobs enqueued\n" });
  const jobs = await box.json<Record<string, unknown>[]>(["list", "--tag", "import"]);
  assertEquals(jobs.map((job) => [job.queue, job.command ?? job.argv]), [["other", ["echo", "2"]], ["mail", "echo 1"]]);
});

Deno.test("enqueue-batch takes a JSON array from a file, and prints the ids when asked", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/jobs.json`, '[\n {"id":"a","command":"true"},\n {"command":"false"}\n]');

  const ids = (await box.ok(["enqueue-batch", "--ids", "jobs.json"])).split("\n");

  assertEquals(ids.length, 2);
  assertEquals(ids[0], "a");
  assertEquals((await box.json(["show", ids[1]!])).command, "false");
});

Deno.test("enqueue-batch --lines takes a command from each line; a worker runs them in order", async () => {
  await using box = await sandbox();

  const result = await box.json(["enqueue-batch", "--lines", "-"], {
    stdin: "echo a >>out\n\necho b >>out\necho c >>out",
  });
  assertEquals(result, { enqueued: 3, batch: null });
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(await Deno.readTextFile(`${box.directory}/out`), "a\nb\nc\n");
});

Deno.test("a broken line far down is exit 2 with its number, and nothing is stored", async () => {
  await using box = await sandbox();
  const lines = Array.from({ length: 80_000 }, (_, i) => `{"command":"true ${i}"}`);
  lines[69_999] = '{"command":"true"';

  const { code, stdout, stderr } = await box.run(["enqueue-batch", "-"], { stdin: lines.join("\n") });

  assertEquals({ code, stdout }, { code: 2, stdout: "" });
  assertMatch(stderr, /^queuectl: Cannot enqueue line 70000 of standard input: invalid JSON: .* at column 18\n/);
  assertEquals(await box.json(["list"]), []);
});

Deno.test("a used id is exit 4 and an unreadable file exit 2; nothing is stored", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "taken", "true"]);

  const used = await box.run(["enqueue-batch", "-"], {
    stdin: '{"command":"true"}\n{"id":"taken","command":"true"}\n',
  });
  const missing = await box.run(["enqueue-batch", "nowhere.json", "--json"]);

  assertEquals(used.code, 4);
  assertStringIncludes(used.stderr, 'line 2 of standard input, job "taken": the id is in use');
  assertEquals(missing.code, 2);
  assertEquals(JSON.parse(missing.stderr).error.message, 'Cannot read "nowhere.json": no such file');
  assertEquals((await box.json<unknown[]>(["list"])).length, 1);
});

Deno.test("lines that are no JSON are refused with a hint at --lines", async () => {
  await using box = await sandbox();

  const { code, stderr } = await box.run(["enqueue-batch", "-"], { stdin: "echo hi\n" });

  assertEquals(code, 2);
  assertMatch(stderr, /line 1 of standard input: invalid JSON[^\n]*\nTry: queuectl enqueue-batch --lines/);
});

Deno.test("a slow producer blocks nobody", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  // The fifo is opened and written to, and stays open until the test says so.
  const script = 'mkfifo in; "$0" enqueue-batch - <in & exec 3>in; echo \'{"command":"true"}\' >&3; ' +
    "while [ ! -e go ]; do sleep 0.05; done; exec 3>&-; wait $!";
  const slow = await box.start(["-c", script, box.binary], { program: "/bin/sh" });
  await waitFor(() => box.processes().length >= 2, "the batch to be reading");

  await box.ok(["enqueue", "true"]);

  assertEquals((await box.json<unknown[]>(["list"])).length, 2);
  await Deno.writeTextFile(`${box.directory}/go`, "");
  assertEquals((await slow.wait()).code, 0);
  assertEquals((await box.json<unknown[]>(["list"])).length, 3);
});

Deno.test("a batch that is too large for memory leaves no file behind, also when it is refused", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  await Deno.mkdir(`${box.db}.d`, { recursive: true });
  const line = `{"command":"true ${"x".repeat(1_000)}"}\n`;

  const refused = await box.run(["enqueue-batch", "-"], { stdin: line.repeat(12_000) + "broken" });
  const taken = await box.run(["enqueue-batch", "-"], { stdin: line.repeat(12_000) });

  assertEquals([refused.code, taken.code], [2, 0]);
  assertStringIncludes(refused.stderr, "line 12001 of standard input");
  assertEquals([...Deno.readDirSync(`${box.db}.d`)].filter((file) => file.name.startsWith("spool")), []);
  assertEquals((await box.json(["status"])).jobs.pending, 12_001);
});
