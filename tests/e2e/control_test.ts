/** What people do to jobs that exist: cancel, retry, edit, dead letters, queues, cleanup, audit. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

async function stateOf(box: Sandbox, id: string): Promise<string> {
  return (await box.json(["show", id])).state;
}

async function ids(box: Sandbox, args: readonly string[] = []): Promise<string[]> {
  return (await box.json<{ id: string }[]>(["list", "--limit", "0", ...args])).map((job) => job.id).sort();
}

/** Runs a command on a terminal of its own, with what is typed there. */
async function onTerminal(
  box: Sandbox,
  args: readonly string[],
  typed: string,
): Promise<{ code: number; seen: string }> {
  const line = [box.binary, ...args].map((word) => `'${word}'`).join(" ");
  const { code, stdout } = await box.run(["-qec", line, "/dev/null"], { program: "/usr/bin/script", stdin: typed });
  return { code, seen: stdout };
}

Deno.test("cancel ends a job that waits; a finished one is exit 4, an unknown one exit 3", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);

  const { code, stdout, stderr } = await box.run(["cancel", id]);
  assertEquals({ code, stdout, stderr }, { code: 0, stdout: "", stderr: `Job ${id} cancelled\n` });
  assertEquals(await stateOf(box, id), "cancelled");

  const again = await box.run(["cancel", id]);
  assertEquals(again.code, 4);
  assertStringIncludes(
    again.stderr,
    `queuectl: Cannot cancel job "${id}": already cancelled\nTry: queuectl show ${id}`,
  );
  assertEquals((await box.run(["cancel", "nobody"])).code, 3);
  assertEquals((await box.run(["cancel"])).code, 2);
});

Deno.test("cancel by filter needs --yes where nobody can be asked, and takes what the filter says", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--lines", "--queue", "mail", "-"], { stdin: "true\ntrue\ntrue" });
  await box.ok(["enqueue", "--id", "other", "true"]);

  const refused = await box.run(["cancel", "--queue", "mail"]);
  assertEquals(refused.code, 2);
  assertMatch(refused.stderr, /Cannot ask "Cancel 3 jobs\?": this is not a terminal\nTry: add --yes/);
  assertEquals((await box.json<unknown[]>(["list", "--state", "pending"])).length, 4);

  const result = await box.json(["cancel", "--queue", "mail", "--yes"]);
  assertEquals(result.changed, 3);
  assertEquals(Object.keys(result.jobs[0]), ["id", "from", "to"]);
  assertEquals(await ids(box, ["--state", "pending"]), ["other"]);
  assertEquals((await box.run(["cancel", "--queue", "mail", "--yes"])).stderr, "No jobs match\n");
});

Deno.test("a filter from an empty variable is refused instead of meaning everything", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "a", "true"]);
  await box.ok(["enqueue", "--id", "dead", "--max-retries", "0", "--priority", "9", "false"]);
  await box.run(["worker", "run", "--max-jobs", "1"]);

  for (
    const args of [
      ["cancel", "--state", "pending", "--queue", ""],
      ["cancel", "--search", ""],
      ["retry", "--state", "dead", "--tag", ""],
      ["dlq", "purge", "--queue", ""],
      ["dlq", "retry", "--all", "--queue", ""],
      ["cleanup", "--older-than", "0s", "--queue", ""],
      ["cleanup", "--older-than", "0s", "--state", ""],
      ["worker", "run", "--drain", "--queue", ""],
      ["worker", "start", "--queue", ""],
    ]
  ) {
    const { code, stderr } = await box.run([...args, "--yes"]);
    assertEquals(code, 2, args.join(" "));
    assertMatch(stderr, /^queuectl: Invalid --(queue|search|tag|state) "": expected a value\n$/);
  }
  const jobs = await box.json<{ id: string; state: string }[]>(["list"]);
  assertEquals(jobs.map(({ id, state }) => [id, state]).sort(), [["a", "pending"], ["dead", "dead"]]);
});

Deno.test("cancel of several jobs asks on a terminal, and does as it is told", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--lines", "-"], { stdin: "true\ntrue" });

  const no = await onTerminal(box, ["cancel", "--state", "pending"], "n\n");
  assertStringIncludes(no.seen, "Cancel 2 jobs? [y/N]");
  assertEquals(no.code, 1);
  assertEquals((await ids(box, ["--state", "pending"])).length, 2);

  const yes = await onTerminal(box, ["cancel", "--state", "pending"], "y\n");
  assertEquals(yes.code, 0);
  assertEquals(await ids(box, ["--state", "pending"]), []);
});

Deno.test("a filter over many jobs changes all of them", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--lines", "-"], { stdin: "true\n".repeat(3_500) });

  const { stderr } = await box.run(["cancel", "--state", "pending", "--yes"]);

  assertEquals(stderr, "3500 jobs cancelled\n");
  assertEquals((await box.json(["status"])).jobs.cancelled, 3_500);
});

Deno.test("retry of a failed job runs it now, without its backoff", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--backoff", "fixed:1h", "test -e ok"]);
  await box.run(["worker", "run", "--drain", "--no-wait-retries"]);
  assertEquals(await stateOf(box, id), "failed");
  await Deno.writeTextFile(`${box.directory}/ok`, "");

  await box.ok(["retry", id]);
  assertEquals((await box.run(["retry", id])).code, 4);
  await box.ok(["worker", "run", "--drain"]);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.attempts, job.runs.length], ["completed", 1, 2]);
});

Deno.test("edit changes a job that waits, and is refused for one that is over", async () => {
  await using box = await sandbox();
  const late = await box.ok(["enqueue", "echo late >>order"]);
  await box.ok(["enqueue", "--priority", "5", "echo early >>order"]);

  assertEquals((await box.json(["edit", late, "--priority", "10", "--tag", "x"])).priority, 10);
  await box.ok(["worker", "run", "--drain"]);

  assertEquals(await Deno.readTextFile(`${box.directory}/order`), "late\nearly\n");
  assertEquals(await ids(box, ["--tag", "x"]), [late]);
  const over = await box.run(["edit", late, "--priority", "1"]);
  assertEquals(over.code, 4);
  assertStringIncludes(over.stderr, `Cannot edit job "${late}": already completed`);
  assertEquals((await box.run(["edit", late])).code, 2);
  const waits = await box.ok(["enqueue", "--delay", "1h", "true"]);
  assertEquals((await box.run(["edit", waits, "--priority", "abc"])).code, 2);
  assertEquals((await box.json(["edit", waits, "--run-at", "+1s"])).state, "scheduled");
});

Deno.test("dead letters are listed, shown, retried and purged; other jobs are not touched by that", async () => {
  await using box = await sandbox();
  for (const id of ["d1", "d2", "d3"]) {
    await box.ok(["enqueue", "--id", id, "--max-retries", "0", "--queue", id === "d3" ? "mail" : "default", "exit 7"]);
  }
  await box.ok(["enqueue", "--id", "fine", "true"]);
  assertEquals((await box.run(["worker", "run", "--drain"])).code, 1);

  assertEquals((await box.json<{ id: string }[]>(["dlq", "list"])).map((job) => job.id), ["d3", "d2", "d1"]);
  assertEquals((await box.json(["dlq", "show", "d1"])).exit_code, 7);
  assertEquals((await box.run(["dlq", "show", "fine"])).code, 4);

  const living = await box.run(["dlq", "retry", "d1", "fine"]);
  assertEquals(living.code, 4);
  assertStringIncludes(living.stderr, 'Cannot retry dead job "fine": it is completed');
  assertEquals(await stateOf(box, "d1"), "dead");

  await box.ok(["dlq", "retry", "d1"]);
  assertEquals(await stateOf(box, "d1"), "pending");
  await box.ok(["dlq", "retry", "--all", "--queue", "mail"]);
  assertEquals(await stateOf(box, "d3"), "pending");
  assertEquals((await box.run(["dlq", "retry", "--all", "d2"])).code, 2);
  assertEquals((await box.json(["dlq", "retry", "--all"])).changed, 1);
  assertEquals((await box.run(["dlq", "retry"])).code, 2);

  await box.run(["worker", "run", "--drain"]);
  assertEquals(await box.json(["dlq", "purge", "--dry-run"]), { would_remove: 3 });
  assertEquals((await box.run(["dlq", "purge"])).code, 2);
  assertEquals(await box.json(["dlq", "purge", "--yes"]), { removed: 3 });
  assertEquals(await ids(box), ["fine"]);
});

Deno.test("a paused queue waits, a cleared one is empty, and only an empty one is removed", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--queue", "mail", "--id", "a", "true"]);
  await box.ok(["enqueue", "--queue", "mail", "--id", "b", "true"]);

  assertEquals((await box.run(["queue", "pause", "mail"])).stderr, "Queue mail is paused\n");
  await box.ok(["worker", "run", "--drain"]);
  assertEquals(await stateOf(box, "a"), "pending");
  const [queue] = await box.json(["queue", "list"]);
  assertEquals([queue.name, queue.paused, queue.jobs.pending], ["mail", true, 2]);

  assertEquals((await box.run(["queue", "remove", "mail"])).code, 4);
  assertEquals((await box.run(["queue", "clear", "mail"])).code, 2);
  await box.ok(["queue", "clear", "mail", "--yes"]);
  assertEquals(await stateOf(box, "a"), "cancelled");
  await box.ok(["queue", "remove", "mail"]);
  assertEquals(await box.json(["queue", "list"]), []);
  for (const verb of ["pause", "resume", "clear", "remove"]) {
    assertEquals((await box.run(["queue", verb, "mail", "--yes"])).code, 3, verb);
  }

  await box.ok(["enqueue", "--queue", "mail", "--id", "c", "true"]);
  await box.ok(["queue", "pause", "mail"]);
  await box.ok(["queue", "resume", "mail"]);
  await box.ok(["worker", "run", "--drain"]);
  assertEquals(await stateOf(box, "c"), "completed");
});

Deno.test("cleanup removes rows and output files of what was asked for, and nothing else", async () => {
  await using box = await sandbox();
  // Too much for the database, so that it lives in files.
  const much = "head -c 300000 /dev/zero | tr '\\0' x";
  await box.ok(["enqueue", "--id", "done", much]);
  await box.ok(["enqueue", "--id", "bad", "--max-retries", "0", `${much}; exit 1`]);
  await box.ok(["enqueue", "--id", "waits", "--delay", "1h", "true"]);
  await box.run(["worker", "run", "--drain"]);
  const files = () =>
    [...Deno.readDirSync(`${box.db}.d/logs`)].map((file) => file.name).filter((name) => /^\d/.test(name));
  const before = files();
  assert(before.length >= 2, `output files: ${before}`);

  assertEquals(await box.json(["cleanup", "--older-than", "1h", "--dry-run"]), { would_remove: 0 });
  assertEquals(await box.json(["cleanup", "--older-than", "0s", "--state", "completed"]), { removed: 1 });

  assertEquals(await ids(box), ["bad", "waits"]);
  const { seq } = await box.json(["show", "bad"]);
  assertEquals(files().every((name) => name.startsWith(`${seq}-`)), true);
  assertEquals((await box.ok(["output", "bad", "--stdout"])).length, 300_000);
  assertEquals((await box.run(["cleanup", "--older-than", "0s", "--state", "pending", "--yes"])).code, 2);
  assertEquals((await box.run(["cleanup", "--yes"])).code, 2);
});

Deno.test("cleanup of several jobs needs --yes where nobody can be asked", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue-batch", "--lines", "-"], { stdin: "true\n".repeat(1_200) });
  await box.ok(["cancel", "--state", "pending", "--yes"]);

  assertEquals((await box.run(["cleanup", "--older-than", "0s"])).code, 2);
  assertEquals((await box.run(["cleanup", "--older-than", "0s", "--yes"])).stderr, "Removed 1200 jobs\n");

  assertEquals(await ids(box), []);
});

Deno.test("audit tells who did what, in every format", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "a", "true"]);
  await box.ok(["cancel", "a"]);
  await box.ok(["config", "set", "max_retries", "5"]);

  const entries = await box.json(["audit"]);
  assertEquals(entries.map((entry: { action: string }) => entry.action), ["config set", "cancel", "enqueue"]);
  assertEquals(Object.keys(entries[0]), ["at", "user", "host", "pid", "action", "target", "detail"]);
  assertEquals(entries[1].target, "a");
  assertEquals((await box.ok(["audit", "--format", "ndjson", "--limit", "1"])).split("\n").length, 1);
  const [line] = (await box.ok(["audit", "--format", "plain"])).split("\n");
  assertMatch(line!, /^\d{4}-[^\t]+Z\t[^\t]+\t\d+\tconfig set\tmax_retries\t/);
  assertStringIncludes(await box.ok(["audit"]), "WHEN");
});
