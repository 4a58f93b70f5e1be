/** One worker in the foreground: what it runs, in which order, how often, and when it stops. */
import { assert, assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

interface Run {
  run: number;
  attempt: number;
  outcome: string;
  started_at: string;
  finished_at: string;
  exit_code: number | null;
  reason: string;
}

const DRAIN = ["worker", "run", "--drain"];

/** What the jobs appended to `order`, in the order in which they ran. */
function order(box: Sandbox): string[] {
  return Deno.readTextFileSync(`${box.directory}/order`).trim().split("\n");
}

Deno.test("a job runs, its output can be read, and it is completed with one run", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "echo hi"]);

  assertEquals((await box.run(DRAIN)).code, 0);

  assertMatch(await box.ok(["output", id]), /^STDOUT:\nhi$/m);
  const job = await box.json(["show", id]);
  assertEquals([job.state, job.exit_code, job.attempts, job.runs.length], ["completed", 0, 1, 1]);
  assertEquals(job.runs[0].outcome, "succeeded");
});

Deno.test("two databases in one folder with the same job id keep their outputs apart", async () => {
  await using box = await sandbox();
  const databases = ["one.db", "two.db"];
  for (const db of databases) await box.ok(["--db", db, "enqueue", "--id", "job1", `echo from ${db}`]);
  for (const db of databases) await box.ok(["--db", db, ...DRAIN]);

  const outputs = [];
  for (const db of databases) outputs.push(await box.ok(["--db", db, "output", "job1", "--stdout"]));

  assertEquals(outputs, ["from one.db", "from two.db"]);
});

Deno.test("a failing job with 2 retries and base 2 runs 3 times, 2 and 4 seconds apart, and is dead", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "max_retries", "2"]);
  await box.ok(["config", "set", "backoff_base", "2"]);
  const id = await box.ok(["enqueue", "exit 3"]);

  const { code, stderr } = await box.run(DRAIN);

  assertEquals(code, 1);
  assertMatch(stderr, /worker stopped \(drained\): 0 completed, 2 failed, 1 dead/);
  const job = await box.json<{ state: string; attempts: number; reason: string; runs: Run[] }>(["show", id]);
  assertEquals([job.state, job.attempts], ["dead", 3]);
  assertMatch(job.reason, /exited with code 3 on the last of 3 attempts/);
  assertEquals(job.runs.map((run) => [run.run, run.attempt, run.outcome, run.exit_code]), [
    [1, 1, "failed", 3],
    [2, 2, "failed", 3],
    [3, 3, "failed", 3],
  ]);
  // Not sooner; how much later is up to the machine.
  const [first, second, third] = job.runs.map((run) => ({
    start: Date.parse(run.started_at),
    end: Date.parse(run.finished_at),
  }));
  assertGreaterOrEqual(second!.start - first!.end, 2_000);
  assertGreaterOrEqual(third!.start - second!.end, 4_000);
});

Deno.test("a job that fails at first and succeeds later is completed", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--backoff", "fixed:10ms", 'test "$QUEUECTL_ATTEMPT" = 3']);

  assertEquals((await box.run(DRAIN)).code, 0);

  const job = await box.json<{ state: string; attempts: number; runs: Run[] }>(["show", id]);
  assertEquals([job.state, job.attempts], ["completed", 3]);
  assertEquals(job.runs.map((run) => run.outcome), ["failed", "failed", "succeeded"]);
});

Deno.test("--no-wait-retries leaves the retries of failed jobs to the next worker", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--backoff", "fixed:1h", "exit 1"]);

  assertEquals((await box.run([...DRAIN, "--no-wait-retries"])).code, 0);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.attempts], ["failed", 1]);
  assertMatch(job.reason, /retry 1 of 3 in 1h/);
});

Deno.test("max_retries 0 means one attempt", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--max-retries", "0", "false"]);

  assertEquals((await box.run(DRAIN)).code, 1);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.attempts, job.runs.length], ["dead", 1, 1]);
});

Deno.test("a timeout ends the whole tree of a job", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--timeout", "200ms", "--max-retries", "0", "sleep 300 & sleep 300"]);

  assertEquals((await box.run(DRAIN)).code, 1);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.runs[0].outcome], ["dead", "timed_out"]);
  assertMatch(job.reason, /timed out after 200ms/);
  assertEquals(box.processes(), []);
});

Deno.test("a job that ignores TERM is killed after kill_grace", async () => {
  await using box = await sandbox();
  const id = await box.ok(
    // The loop is needed: the sleep itself heeds TERM. The timeout leaves time to set the trap on a busy machine.
    ["enqueue", "--timeout=3s", "--kill-grace=200ms", "--retries=0", "trap '' TERM; while :; do sleep 300; done"],
  );

  assertEquals((await box.run(DRAIN)).code, 1);

  const { runs: [run] } = await box.json(["show", id]);
  assertEquals([run.outcome, run.signal], ["timed_out", "SIGKILL"]);
  assertEquals(box.processes(), []);
});

Deno.test("stdout and stderr are kept apart, and binary output is kept as it is", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "printf 'out\\000\\377'; echo err >&2"]);
  await box.ok(DRAIN);

  await box.ok(["-c", `"$0" output ${id} --stdout > out; "$0" output ${id} --stderr > err`, box.binary], {
    program: "sh",
  });

  assertEquals([...Deno.readFileSync(`${box.directory}/out`)], [111, 117, 116, 0, 255]);
  assertEquals(Deno.readTextFileSync(`${box.directory}/err`), "err\n");
});

Deno.test("a program that is not there is not started, with the exit code of a shell", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--max-retries", "0", "--", "no-such-program", "x"]);

  assertEquals((await box.run(DRAIN)).code, 1);

  const job = await box.json(["show", id]);
  assertEquals([job.state, job.exit_code, job.runs[0].outcome], ["dead", 127, "not_started"]);
  assertMatch(job.reason, /program "no-such-program" was not found/);
});

Deno.test("a directory that is gone is a failed run with that reason", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/gone`);
  const id = await box.ok(["enqueue", "--max-retries", "0", "true"], { cwd: `${box.directory}/gone` });
  await Deno.remove(`${box.directory}/gone`);

  assertEquals((await box.run(DRAIN)).code, 1);

  assertMatch((await box.json(["show", id])).reason, /directory ".*\/gone" does not exist/);
});

Deno.test("a worker whose own directory is gone goes on; a job that names none fails with that reason", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/gone`);
  const worker = await box.start(["worker", "run"], { cwd: `${box.directory}/gone` });
  await box.ok(["wait", await box.ok(["enqueue", "true"])]);
  await Deno.remove(`${box.directory}/gone`);

  // Jobs that come from elsewhere may have none.
  await box.ok(["import", "-"], { stdin: '{"id":"nowhere","command":"true","max_retries":0,"state":"pending"}' });
  const { code, stderr } = await box.run(["wait", "nowhere", "--timeout", "20s"]);
  await box.ok(["wait", await box.ok(["enqueue", "true"])]);
  worker.signal("SIGTERM");

  assertEquals([code, (await worker.wait()).code], [126, 0], stderr);
  assertMatch(stderr, /the directory of the worker does not exist any more/);
});

Deno.test("a job runs where it was enqueued, with the worker's environment and its own, and knows itself", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/here`);
  const print = "pwd; echo $OF_CALLER $OF_WORKER $MINE; " +
    "echo $QUEUECTL_JOB_ID $QUEUECTL_RUN $QUEUECTL_ATTEMPT $QUEUECTL_MAX_RETRIES $QUEUECTL_QUEUE; " +
    'echo "$QUEUECTL_DB"; test "$QUEUECTL_CLAIM" -gt 0 && test -n "$QUEUECTL_SCHEDULED_AT" && cat';
  await box.ok(["enqueue", "--id", "me", "--env", "MINE=mine", "--queue", "q", "--max-retries", "5", print], {
    cwd: `${box.directory}/here`,
    env: { OF_CALLER: "caller" },
  });

  await box.ok(DRAIN, { env: { OF_WORKER: "worker" }, cwd: box.home });

  assertEquals((await box.ok(["output", "me", "--stdout"])).split("\n"), [
    `${box.directory}/here`,
    "worker mine",
    "me 1 1 5 q",
    box.db,
  ]);
});

Deno.test("a job reads what --stdin gives it", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/input`, "from a file");
  const ids = [
    await box.ok(["enqueue", "--stdin", "from a word", "cat"]),
    await box.ok(["enqueue", "--stdin", "@input", "cat"]),
    await box.ok(["enqueue", "--stdin", "-", "cat"], { stdin: "from a pipe" }),
    await box.ok(["enqueue", "cat"]),
  ];
  await box.ok(DRAIN);

  const outputs = [];
  for (const id of ids) outputs.push(await box.ok(["output", id, "--stdout"]));

  assertEquals(outputs, ["from a word", "from a file", "from a pipe", ""]);
});

Deno.test("jobs run by priority, equal ones in the order enqueued", async () => {
  await using box = await sandbox();
  for (const [name, priority] of [["a", 0], ["b", 5], ["c", -5], ["d", 5], ["e", 0]] as const) {
    await box.ok(["enqueue", "--priority", String(priority), `echo ${name} >> order`]);
  }

  await box.ok(DRAIN);

  assertEquals(order(box), ["b", "d", "a", "e", "c"]);
});

Deno.test("without --queue all queues are served fairly: a short one does not wait for a long one", async () => {
  await using box = await sandbox();
  for (let i = 0; i < 10; i++) await box.ok(["enqueue", "--queue", "long", "echo long >> order"]);
  for (let i = 0; i < 2; i++) await box.ok(["enqueue", "--queue", "short", "echo short >> order"]);

  await box.ok(DRAIN);

  const ran = order(box);
  assertEquals(ran.length, 12);
  assert(ran.lastIndexOf("short") < 6, `the short queue waited: ${ran.join(" ")}`);
});

Deno.test("--queue a,b serves only these, the first one first", async () => {
  await using box = await sandbox();
  for (const queue of ["b", "other", "a", "b", "a"]) {
    await box.ok(["enqueue", "--queue", queue, "echo $QUEUECTL_QUEUE >> order"]);
  }

  await box.ok([...DRAIN, "--queue", "a,b"]);

  assertEquals(order(box), ["a", "a", "b", "b"]);
  const left = await box.json<{ queue: string }[]>(["list", "--state", "pending"]);
  assertEquals(left.map((job) => job.queue), ["other"]);
});

Deno.test("--concurrency runs several jobs at once", async () => {
  await using box = await sandbox();
  // Each waits for the other: one at a time they would wait for ever.
  const meet = (mine: string, other: string) => `touch ${mine}; until test -e ${other}; do sleep 0.02; done`;
  await box.ok(["enqueue", "--timeout", "30s", "--max-retries", "0", meet("x", "y")]);
  await box.ok(["enqueue", "--timeout", "30s", "--max-retries", "0", meet("y", "x")]);

  assertEquals((await box.run([...DRAIN, "--concurrency", "2"])).code, 0);
});

Deno.test("--max-jobs exits after that many", async () => {
  await using box = await sandbox();
  for (let i = 0; i < 5; i++) await box.ok(["enqueue", "true"]);

  const { code, stderr } = await box.run(["worker", "run", "--max-jobs", "3", "--concurrency", "2"]);

  assertEquals(code, 0);
  assertMatch(stderr, /worker stopped \(ran 3 jobs\): 3 completed/);
  assertEquals((await box.json(["status"])).jobs.pending, 2);
});

Deno.test("--idle-exit exits when nothing came for that long", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);

  const { code, stderr } = await box.run(["worker", "run", "--idle-exit", "200ms"]);

  assertEquals(code, 0);
  assertMatch(stderr, /worker stopped \(idle\): 1 completed, 0 failed, 0 dead/);
});

Deno.test("--drain does not wait for jobs that are scheduled for later", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--delay", "1h", "true"]);

  assertEquals((await box.run(DRAIN)).code, 0);

  assertEquals((await box.json(["show", id])).state, "scheduled");
});

Deno.test("a job that is due soon is run by a worker that waits for it", async () => {
  await using box = await sandbox();
  const before = Date.now();
  const id = await box.ok(["enqueue", "--delay", "1s", "true"]);

  await box.ok(["worker", "run", "--max-jobs", "1"]);

  const job = await box.json(["show", id]);
  assertEquals(job.state, "completed");
  // Counted from when the command was read, a moment before the job was stored.
  assertGreaterOrEqual(Date.parse(job.started_at) - before, 1_000);
});

Deno.test("exit rules decide what an exit code means", async () => {
  await using box = await sandbox();
  const rules = ["--ok-on", "0,3", "--fail-on", "64-78", "--retry-on", "1,timeout", "--backoff", "fixed:10ms"];
  const ids = new Map<string, string>();
  for (const code of ["3", "65", "1", "2"]) {
    ids.set(code, await box.ok(["enqueue", "--max-retries", "1", ...rules, `exit ${code}`]));
  }

  assertEquals((await box.run(DRAIN)).code, 1);

  const ends: Record<string, [string, number]> = {};
  for (const [code, id] of ids) {
    const job = await box.json(["show", id]);
    ends[code] = [job.state, job.attempts];
  }
  assertEquals(ends, { "1": ["dead", 2], "2": ["dead", 1], "3": ["completed", 1], "65": ["dead", 1] });
});

Deno.test("a snoozed run costs no attempt", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "--snooze-on", "75:50ms", 'test "$QUEUECTL_RUN" -gt 2 || exit 75']);

  await box.ok(["worker", "run", "--max-jobs", "3"]);

  const job = await box.json<{ state: string; attempts: number; snoozes: number; runs: Run[] }>(["show", id]);
  assertEquals([job.state, job.attempts, job.snoozes], ["completed", 1, 2]);
  assertEquals(job.runs.map((run) => run.outcome), ["snoozed", "snoozed", "succeeded"]);
});

Deno.test("the summary of a worker can be read as JSON", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);

  assertEquals(await box.json(DRAIN), { completed: 1, failed: 0, dead: 0, reason: "drained" });
});
