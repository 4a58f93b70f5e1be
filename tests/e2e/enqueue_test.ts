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

Deno.test("enqueue --json prints the whole job", async () => {
  await using box = await sandbox();

  const job = await box.json(["enqueue", "--id", "report", "--tag", "a", "--tag", "b", "--timeout", "90s", "make"]);

  assertEquals(
    [job.id, job.state, job.queue, job.priority, job.max_retries, job.timeout, job.tags, job.cwd, job.attempts],
    ["report", "pending", "default", 0, 3, 90, ["a", "b"], box.directory, 0],
  );
  assertEquals(job.backoff, { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 });
  assertMatch(job.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { deduplicated, ...stored } = job;
  assertEquals(deduplicated, false);
  assertEquals(await box.json(["show", "report"]), { ...stored, runs: [] });
});

Deno.test("enqueue takes options before and after the command, with and without =", async () => {
  await using box = await sandbox();

  const id = await box.ok(["--quiet", "enqueue", "--priority=4", "true", "--queue", "mail", "--retries", "1"]);

  const job = await box.json(["show", id]);
  assertEquals([job.command, job.priority, job.queue, job.max_retries], ["true", 4, "mail", 1]);
});

Deno.test("flags override the fields of JSON", async () => {
  await using box = await sandbox();

  const id = await box.ok(["enqueue", '{"command":"true","priority":1,"queue":"a"}', "--priority", "9"]);

  const job = await box.json(["show", id]);
  assertEquals([job.priority, job.queue], [9, "a"]);
});

Deno.test("--command says that what looks like JSON is a command", async () => {
  await using box = await sandbox();

  const id = await box.ok(["enqueue", "--command", '{ "$0" --version; }']);

  assertEquals((await box.json(["show", id])).command, '{ "$0" --version; }');
});

Deno.test("a command that begins with a brace and a space is a command, not JSON", async () => {
  await using box = await sandbox();

  const id = await box.ok(["enqueue", "{ echo a; echo b; }"]);

  assertEquals((await box.json(["show", id])).command, "{ echo a; echo b; }");
});

Deno.test("the spellings of other queues work in JSON", async () => {
  await using box = await sandbox();

  const id = await box.ok(["enqueue", '{"command":"true","max_attempts":5,"timeout_seconds":30}']);

  const job = await box.json(["show", id, "--compat"]);
  assertEquals([job.max_retries, job.max_attempts, job.timeout, job.timeout_seconds, job.timeout_ms], [
    4,
    5,
    30,
    30,
    30_000,
  ]);
});

Deno.test("a job takes retries and backoff from the settings of the moment, and keeps them", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "max-retries", "7"]);
  await box.ok(["config", "set", "backoff_base", "1.5"]);
  const id = await box.ok(["enqueue", "true"]);
  await box.ok(["config", "set", "max-retries", "1"]);

  const job = await box.json(["show", id]);

  assertEquals([job.max_retries, job.backoff.base], [7, 1.5]);
});

Deno.test("the environment overrules the stored settings, an option overrules both", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "max_retries", "7"]);
  const env = { QUEUECTL_MAX_RETRIES: "5" };

  const ids = [
    await box.ok(["enqueue", "true"]),
    await box.ok(["enqueue", "true"], { env }),
    await box.ok(["enqueue", "--max-retries", "2", "true"], { env }),
  ];

  const retries = [];
  for (const id of ids) retries.push((await box.json(["show", id])).max_retries);
  assertEquals(retries, [7, 5, 2]);
});

Deno.test("a job with a time to run is scheduled", async () => {
  await using box = await sandbox();
  const cases = ["+1h", "2100-01-01T00:00:00Z", "2100-01-01 02:00", "tomorrow 02:00"];

  for (const time of cases) {
    const job = await box.json(["enqueue", "--run-at", time, "true"]);
    assertEquals(job.state, "scheduled", time);
  }
  assertEquals((await box.json(["enqueue", "--delay", "1h30m", "true"])).state, "scheduled");
  const past = await box.json(["enqueue", "--run-at", "2020-01-01T00:00:00Z", "--allow-past", "true"]);
  assertEquals(past.state, "pending");
});

Deno.test("jobs enqueued by many processes at once are all there, each once", async () => {
  await using box = await sandbox();

  const ids = await Promise.all(Array.from({ length: 12 }, () => box.ok(["enqueue", "true"])));

  assertEquals(new Set(ids).size, 12);
  const listed = await box.json<{ id: string }[]>(["list", "--limit", "0"]);
  assertEquals(listed.map((job) => job.id).toSorted(), ids.toSorted());
});

Deno.test("the binary alone in an empty directory, without an environment, is enough", async () => {
  await using box = await sandbox();
  await Deno.copyFile(box.binary, `${box.directory}/queuectl`);
  const nothing = Object.fromEntries(
    ["HOME", "QUEUECTL_DB", "TMPDIR", "LANG", "TZ", "TERM"].map((name) => [name, undefined]),
  );
  const alone = { program: "./queuectl", env: { ...nothing, PATH: "/usr/bin:/bin" } };

  const id = await box.ok(["--db", "./q.db", "enqueue", "true"], alone);
  await box.ok(["--db", "./q.db", "worker", "run", "--drain"], alone);

  assertEquals((await box.json(["--db", "./q.db", "show", id], alone)).state, "completed");
});

Deno.test("files are for their owner only", async () => {
  await using box = await sandbox();
  const db = `${box.directory}/new/folder/queue.db`;

  await box.ok(["--db", db, "enqueue", "echo hi"]);
  await box.ok(["--db", db, "worker", "run", "--drain"]);

  const modeOf = (path: string) => (Deno.statSync(path).mode! & 0o777).toString(8);
  assertEquals([db, `${box.directory}/new`, `${db}.d`, `${db}.d/logs`].map(modeOf), ["600", "700", "700", "700"]);
});
