import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { readOnlyFolder } from "../support/small_disk.ts";
import { waitFor } from "../support/wait_for.ts";

/** The only job there is, once there is one. */
async function theJob(box: Sandbox): Promise<{ id: string; state: string; run_count: number; attempts: number }> {
  return await waitFor(async () => (await box.json(["list"]))[0], "a job");
}

async function whileRunning(box: Sandbox): Promise<string> {
  const job = await waitFor(async () => {
    const [job] = await box.json(["list"]);
    return job?.state === "processing" ? job : undefined;
  }, "a job that runs");
  return job.id;
}

/** Nothing of the sandbox runs any more: clients, workers, guardians, jobs. */
async function nothingRuns(box: Sandbox): Promise<void> {
  await waitFor(() => box.processes().length === 0, "all processes to end");
}

Deno.test("run keeps stdout and stderr apart and exits with the job's code; nothing runs before or after", async () => {
  await using box = await sandbox();

  const ran = await box.run(["run", "--max-retries", "0", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);

  assertEquals(ran, { code: 7, signal: null, stdout: "out\n", stderr: "err\n" });
  await nothingRuns(box);
});

Deno.test("run is 0 when the job's code counts as success", async () => {
  await using box = await sandbox();

  const ran = await box.run(["run", "--ok-on", "0,3", "--", "sh", "-c", "exit 3"]);

  assertEquals([ran.code, ran.stdout, ran.stderr], [0, "", ""]);
});

Deno.test("run takes shell commands and JSON as enqueue does", async () => {
  await using box = await sandbox();

  assertEquals((await box.run(["run", "echo a | tr a b"])).stdout, "b\n");
  assertEquals((await box.run(["run", '{"id": "mine", "command": "echo $QUEUECTL_JOB_ID"}'])).stdout, "mine\n");
});

Deno.test("run gives the job the caller's environment and directory", async () => {
  await using box = await sandbox();

  const ran = await box.run(["run", "echo $COLOUR; pwd"], { env: { COLOUR: "green" } });

  assertEquals(ran.stdout, `green\n${box.directory}\n`);
});

Deno.test("run hands on what the job prints byte for byte, also much of it", async () => {
  await using box = await sandbox();
  const script = `head -c 300000 /dev/zero | tr '\\0' 'x'; printf '\\377\\000\\n'; printf 'no newline' >&2`;

  const ran = await box.run(["run", `${script}`]);

  assertEquals(ran.code, 0);
  assertEquals(ran.stderr, "no newline");
  // The two bytes at the end are no UTF-8 text: looked at as bytes by another program.
  const summed = await box.run(["-c", `"$QUEUECTL" run "$1" | sha256sum; sh -c "$1" 2>&- | sha256sum`, "sh", script], {
    program: "/bin/sh",
    env: { QUEUECTL: box.binary },
  });
  const [first, second] = summed.stdout.trim().split("\n");
  assertEquals(first, second);
});

Deno.test("run shows output while the job runs", async () => {
  await using box = await sandbox();
  const running = await box.start(["run", "echo begun; while ! [ -e go ]; do sleep 0.05; done; echo ended"]);

  await waitFor(() => running.stdout() === "begun\n", "the first line");
  await Deno.writeTextFile(`${box.directory}/go`, "");

  assertEquals(await running.wait(), { code: 0, signal: null, stdout: "begun\nended\n", stderr: "" });
});

Deno.test("run sees to the retries of its job and shows each run", async () => {
  await using box = await sandbox();

  const ran = await box.run([
    "run",
    "--max-retries",
    "2",
    "--backoff",
    "fixed:100ms",
    "echo $QUEUECTL_ATTEMPT; exit 5",
  ]);

  assertEquals(ran, { code: 5, signal: null, stdout: "1\n2\n3\n", stderr: "" });
});

Deno.test("run exits as shells do when the job has no code of its own, and says why", async () => {
  await using box = await sandbox();
  const cases: [code: number, why: RegExp | undefined, args: string[]][] = [
    [124, /timed out after 200ms/, ["--timeout", "200ms", "sleep 60"]],
    [127, /"no-such-program" was not found/, ["--", "no-such-program"]],
    [126, /not executable/, ["--", "/etc/passwd"]],
    [137, undefined, ["kill -KILL $$"]],
  ];

  for (const [code, why, args] of cases) {
    const ran = await box.run(["run", "--max-retries", "0", ...args]);
    assertEquals(ran.code, code, args.join(" "));
    if (why === undefined) assertEquals(ran.stderr, "");
    else assertMatch(ran.stderr, why);
  }
});

Deno.test("run exits 125 for every failure of queuectl itself", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "used", "true"]);

  for (
    const args of [
      ["run"],
      ["run", "--no-such-option", "true"],
      ["run", "--priority", "abc", "true"],
      ["run", "sleep", "5"],
      ["run", "--id", "used", "true"],
      ["run", "--template", "nope", "true"],
      ["--db", "/dev/null/q.db", "run", "true"],
    ]
  ) {
    const ran = await box.run(args);
    assertEquals([ran.code, ran.stdout], [125, ""], args.join(" "));
    assertMatch(ran.stderr, /^queuectl: /);
  }
});

Deno.test("a job goes on when the client that shows it is killed", async () => {
  await using box = await sandbox();
  const running = await box.start(["run", "while ! [ -e go ]; do sleep 0.05; done; echo done"]);
  const id = await whileRunning(box);

  await running.kill();
  await Deno.writeTextFile(`${box.directory}/go`, "");

  assertEquals((await box.run(["wait", id])).code, 0);
  assertEquals(await box.ok(["output", id, "--stdout"]), "done");
  await nothingRuns(box);
});

Deno.test("another worker does not take the job of run, nor its retries", async () => {
  await using box = await sandbox();
  const pool = await box.start(["worker", "run", "--concurrency", "4"], { env: { WHOSE: "pool" } });
  await waitFor(async () => (await box.json(["status"])).workers.length === 1, "the worker");

  const ran = await box.run(["run", "--max-retries", "1", "--backoff", "fixed:100ms", "echo $WHOSE; exit 5"], {
    env: { WHOSE: "mine" },
  });

  assertEquals([ran.code, ran.stdout], [5, "mine\nmine\n"]);
  pool.signal("SIGTERM");
  assertEquals((await pool.wait()).code, 0);
});

Deno.test("run --on-workers leaves the job to the workers that run", async () => {
  await using box = await sandbox();
  const pool = await box.start(["worker", "run"], { env: { WHOSE: "pool" } });

  const ran = await box.run(["run", "--on-workers", "--max-retries", "0", "echo $WHOSE; exit 6"], {
    env: { WHOSE: "mine" },
  });

  assertEquals([ran.code, ran.stdout], [6, "pool\n"]);
  pool.signal("SIGTERM");
  assertEquals((await pool.wait()).code, 0);
});

Deno.test("run --on-workers says that there is no worker, and waits for one", async () => {
  await using box = await sandbox();
  const running = await box.start(["run", "--on-workers", "--id", "j", "echo ran"]);

  await waitFor(() => running.stderr() !== "", "a word about it");
  await box.ok(["worker", "run", "--drain"]);

  const ran = await running.wait();
  assertEquals([ran.code, ran.stdout], [0, "ran\n"]);
  assertEquals(ran.stderr, 'queuectl: Job j is pending: no live worker serves queue "default"\n');
});

Deno.test("run --quiet-on-success prints nothing on success and everything on failure, as cron likes it", async () => {
  await using box = await sandbox();
  const asCron = (script: string) =>
    box.run(
      ["-i", `QUEUECTL_DB=${box.db}`, box.binary, "run", "--key", "b", "--on-conflict", "skip", "--quiet-on-success"]
        .concat("--max-retries", "0", "--", "sh", "-c", script),
      { program: "/usr/bin/env" },
    );

  const good = await asCron("echo fine; echo noise >&2");
  const bad = await asCron("echo one; echo two >&2; echo three; exit 3");

  assertEquals(good, { code: 0, signal: null, stdout: "", stderr: "" });
  assertEquals([bad.code, bad.stdout], [3, "one\nthree\n"]);
  assert(bad.stderr.startsWith("two\n"), bad.stderr);
  assertStringIncludes(bad.stderr, "exited with code 3 on the only attempt");
});

Deno.test("run --json prints the job with its runs instead of what it printed", async () => {
  await using box = await sandbox();

  const ran = await box.run(["run", "--json", "--max-retries", "0", "echo hidden; exit 4"]);

  assertEquals([ran.code, ran.stderr], [4, ""]);
  const job = JSON.parse(ran.stdout);
  assertEquals([job.state, job.exit_code, job.runs.length], ["dead", 4, 1]);
});

Deno.test("a job whose reader is gone goes on to its end, and run has its code", async () => {
  await using box = await sandbox();

  const ran = await box.run([
    "-c",
    `{ "$QUEUECTL" run 'seq 100000; sleep 0.2; seq 100000; exit 0'; echo $? >&2; } | head -1`,
  ], {
    program: "/bin/sh",
    env: { QUEUECTL: box.binary },
  });

  assertEquals([ran.stdout, ran.stderr], ["1\n", "0\n"]);
  assertEquals((await theJob(box)).state, "completed");
});

Deno.test("run waits while its queue is paused, and says so", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--queue", "q", "--id", "first", "true"]);
  await box.ok(["queue", "pause", "q"]);
  const running = await box.start(["run", "--queue", "q", "--id", "mine", "echo ran"]);
  await waitFor(async () => (await box.json(["status"])).workers.length === 1, "its worker");

  await waitFor(() => running.stderr() !== "", "a word about it");
  assertEquals((await box.json(["show", "mine"])).state, "pending");
  await box.ok(["queue", "resume", "q"]);

  const ran = await running.wait();
  assertEquals([ran.code, ran.stdout], [0, "ran\n"]);
  assertEquals(ran.stderr, 'queuectl: Job mine is pending: queue "q" is paused\n');
  assertEquals((await box.json(["show", "first"])).state, "pending", "its worker runs its job and no other");
});

Deno.test("Ctrl-C cancels the job; run then exits 125", async () => {
  await using box = await sandbox();
  const running = await box.start(["run", "--kill-grace", "1s", "sleep 300"]);
  const id = await whileRunning(box);

  running.signal("SIGINT");

  const ran = await running.wait();
  assertEquals(ran.code, 125);
  assertMatch(ran.stderr, new RegExp(`^Cancelling job ${id}; Ctrl-C again leaves it to itself\n`));
  assertEquals((await box.json(["show", id])).state, "cancelled");
  await nothingRuns(box);
});

Deno.test("Ctrl-C cancels a job that waits, too", async () => {
  await using box = await sandbox();
  const running = await box.start(["run", "--delay", "1h", "true"]);
  const { id } = await theJob(box);
  await waitFor(() => running.stderr() !== "", "a word about its time");

  running.signal("SIGINT");

  assertEquals((await running.wait()).code, 125);
  assertEquals((await box.json(["show", id])).state, "cancelled");
  await nothingRuns(box);
});

Deno.test("a second Ctrl-C leaves the job to itself and says its id", async () => {
  await using box = await sandbox();
  const running = await box.start([
    "run",
    "--kill-grace",
    "60s",
    "trap '' TERM; while ! [ -e go ]; do sleep 0.05; done",
  ]);
  const id = await whileRunning(box);

  running.signal("SIGINT");
  await waitFor(() => running.stderr().includes("Cancelling"), "the first Ctrl-C to be heard");
  running.signal("SIGINT");

  const ran = await running.wait();
  assertEquals(ran.code, 130);
  assertStringIncludes(ran.stderr, `Job ${id} is left to itself`);
  assertEquals((await box.json(["show", id])).state, "processing");
  await Deno.writeTextFile(`${box.directory}/go`, "");
  await nothingRuns(box);
});

Deno.test("run gives up with 125 when no worker can be had, and leaves the job in the queue", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "other", "true"]);
  // Where workers keep their locks nothing can be made: none can start.
  await Deno.mkdir(`${box.db}.d`, { mode: 0o700 });
  await using _ = await readOnlyFolder(`${box.db}.d/run`);

  const ran = await box.run(["run", "--id", "j", "true"]);

  assertEquals([ran.code, ran.stdout], [125, ""]);
  assertStringIncludes(ran.stderr, 'Cannot run job "j": its worker ended 3 times before it began');
  assertEquals((await box.json(["show", "j"])).state, "pending");
});

Deno.test("run refuses while workers are told to stop, with 125", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  await Deno.mkdir(`${box.db}.d`, { recursive: true });
  await Deno.writeTextFile(`${box.db}.d/.stop_workers`, "");

  const ran = await box.run(["run", "true"]);

  assertEquals(ran.code, 125);
  assertStringIncludes(ran.stderr, ".stop_workers");
  assertEquals((await box.json(["list"])).length, 1);
});

/** A job that runs until the file `go` is there. */
const UNTIL_GO = "echo begun; while ! [ -e go ]; do sleep 0.05; done; exit 9";

async function go(box: Sandbox): Promise<void> {
  await Deno.writeTextFile(`${box.directory}/go`, "");
}

Deno.test("run --key twice at once is one job; it goes on without its client, and a third run attaches", async () => {
  await using box = await sandbox();
  const args = ["run", "--key", "deploy", "--max-retries", "0", UNTIL_GO];
  const first = await box.start(args);
  await waitFor(() => first.stdout() === "begun\n", "the first client to show it");
  const second = await box.start(args);
  await waitFor(() => second.stdout() === "begun\n", "the second client to show it");

  await first.kill();
  const third = await box.start(args);
  await waitFor(() => third.stdout() === "begun\n", "the third client to show it");
  await go(box);

  assertEquals(await second.wait(), { code: 9, signal: null, stdout: "begun\n", stderr: "" });
  assertEquals(await third.wait(), { code: 9, signal: null, stdout: "begun\n", stderr: "" });
  assertEquals((await box.json(["list"])).length, 1);
  await nothingRuns(box);
});

Deno.test("run --key --on-conflict skip is 0 and silent while the key is held", async () => {
  await using box = await sandbox();
  const first = await box.start(["run", "--key", "k", "--max-retries", "0", UNTIL_GO]);
  await whileRunning(box);

  const second = await box.run(["run", "--key", "k", "--on-conflict", "skip", "--quiet-on-success", "--", "false"]);
  const third = await box.run(["run", "--key", "k", "--on-conflict", "fail", "--", "false"]);

  assertEquals(second, { code: 0, signal: null, stdout: "", stderr: "" });
  assertEquals([third.code, third.stdout], [125, ""]);
  assertStringIncludes(third.stderr, 'key "k" is held by job');
  await go(box);
  assertEquals((await first.wait()).code, 9);
});

Deno.test("run --key runs a job that is there already and that nobody runs", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--key", "k", "--max-retries", "0", "echo from before; exit 3"]);

  const ran = await box.run(["run", "--key", "k", "--", "false"]);

  assertEquals([ran.code, ran.stdout], [3, "from before\n"]);
  assertEquals((await box.json(["list"])).map((job: { id: string }) => job.id), [id]);
});

Deno.test("run --json of a job that was there already says so", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--key", "k", "true"]);

  const ran = await box.run(["run", "--json", "--key", "k", "--", "false"]);

  assertEquals([ran.code, JSON.parse(ran.stdout).deduplicated], [0, true]);
});

Deno.test("run waits for its lock and says who holds it", async () => {
  await using box = await sandbox();
  const first = await box.start(["run", "--id", "one", "--lock", "disk", "--max-retries", "0", UNTIL_GO]);
  await whileRunning(box);
  const second = await box.start(["run", "--id", "two", "--lock", "disk", "[ -e go ] && echo after"]);

  await waitFor(() => second.stderr() !== "", "a word about the lock");
  await go(box);

  assertEquals((await first.wait()).code, 9);
  assertEquals(await second.wait(), {
    code: 0,
    signal: null,
    stdout: "after\n",
    stderr: 'queuectl: Job two is pending: job one holds its lock "disk"\n',
  });
});

Deno.test("run of a job whose parent dies is 125 and says why", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "parent", "--max-retries", "0", "exit 1"]);
  const child = await box.start(["run", "--after", "parent", "echo never"]);
  await waitFor(async () => (await box.json(["list", "--state", "blocked"])).length === 1, "the child");

  await box.run(["worker", "run", "--drain"]);

  const ran = await child.wait();
  assertEquals([ran.code, ran.stdout], [125, ""]);
  assertMatch(ran.stderr, /cancelled: parent "parent" ended dead/);
});

Deno.test("run waits for room in its queue and for its gate, and says so", async () => {
  await using box = await sandbox();
  await box.ok(["queue", "set", "api", "--concurrency", "1"]);
  const first = await box.start(["run", "--id", "one", "--queue", "api", "--max-retries", "0", UNTIL_GO]);
  await whileRunning(box);
  const second = await box.start(["run", "--id", "two", "--queue", "api", "echo after"]);
  const gated = await box.start(["run", "--id", "three", "--when", `file:${box.directory}/go`, "echo open"]);
  await waitFor(() => second.stderr() !== "" && gated.stderr() !== "", "a word about the queue and the gate");

  await go(box);

  assertEquals((await first.wait()).code, 9);
  const [room, gate] = [await second.wait(), await gated.wait()];
  assertEquals([room.code, room.stdout], [0, "after\n"]);
  assertEquals(room.stderr, 'queuectl: Job two is pending: queue "api" runs 1 at once, and one does\n');
  assertEquals([gate.code, gate.stdout], [0, "open\n"]);
  assertMatch(gate.stderr, /^queuectl: Job three is pending: waits for its gate: .*go/);
});
