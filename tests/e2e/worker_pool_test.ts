import { assertEquals, assertMatch } from "@std/assert";
import { poolBox, type SeenWorker } from "../support/pool_box.ts";
import { waitFor } from "../support/wait_for.ts";

const pids = (workers: readonly SeenWorker[]) => workers.map(({ pid }) => pid).sort((a, b) => a - b);

Deno.test("worker start returns when its workers are registered, and says so", async () => {
  await using box = await poolBox();

  const started = await box.ok(["worker", "start", "--count", "2", "--concurrency", "3"]);

  const workers = await box.workers();
  assertMatch(started, /^Started pool default: 2 workers \(pid \d+, \d+\)$/);
  assertEquals(workers.map(({ pool, state, slots }) => [pool, state, slots]), [
    ["default", "running", 3],
    ["default", "running", 3],
  ]);
  assertEquals(await box.ok(["worker", "stop"]), "Stopped pool default");
  assertEquals(await box.workers(), []);
  await box.untilEmpty();
});

Deno.test("workers in the background have no terminal, no stream and no directory of the caller", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"], { env: { HOME: undefined, TERM: undefined } });

  const [worker] = await box.workers();
  const process = `/proc/${worker!.pid}`;
  assertEquals([0, 1, 2].map((fd) => Deno.readLinkSync(`${process}/fd/${fd}`)), Array(3).fill("/dev/null"));
  assertEquals(Deno.readLinkSync(`${process}/cwd`), "/");
  // Behind the name: state, parent, group, session.
  const stat = Deno.readTextFileSync(`${process}/stat`);
  const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  assertEquals([group, session], [String(worker!.pid), String(worker!.pid)]);

  await box.ok(["worker", "stop"]);
});

Deno.test("a pool that is started under a lock of the caller does not hold it", async () => {
  await using box = await poolBox();
  const lock = `${box.directory}/lock`;

  await box.ok(["-c", 'exec 9>"$0"; flock 9; "$@"', lock, box.binary, "worker", "start"], { program: "sh" });

  const locked = await box.run(["--nonblock", lock, "true"], { program: "flock" });
  assertEquals(locked.code, 0);
  await box.ok(["worker", "stop"]);
});

Deno.test("jobs of a pool run with the environment that the pool was started in", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"], { env: { GREETING: "from the caller" } });

  const id = await box.ok(["enqueue", 'echo "$GREETING"']);
  await box.untilState(id, "completed");

  assertEquals(await box.ok(["output", "--stdout", id]), "from the caller");
  await box.ok(["worker", "stop"]);
});

Deno.test("the same start again says what runs; other options are refused and change nothing", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2"]);
  const before = pids(await box.workers());

  const again = await box.run(["worker", "start", "--count", "2"]);
  const bare = await box.run(["worker", "start"]);
  const more = await box.run(["worker", "start", "--count", "3"]);
  const other = await box.run(["worker", "start", "--concurrency", "4", "--queue", "a,b"]);

  assertEquals([again.code, bare.code, more.code, other.code], [0, 0, 4, 4]);
  assertMatch(again.stdout, /^Already running: pool default: 2 workers/);
  assertMatch(more.stderr, /^queuectl: Cannot start pool "default": it runs with other options \(--count is 2\)\n/m);
  assertMatch(more.stderr, /^Try: queuectl worker scale 3$/m);
  assertMatch(other.stderr, /^Try: queuectl worker restart --concurrency 4 --queue a,b$/m);
  assertEquals(pids(await box.workers()), before);
  await box.ok(["worker", "stop"]);
});

Deno.test("two starts at once make one pool", async () => {
  await using box = await poolBox();

  const starts = await Promise.all([1, 2, 3].map(() => box.run(["worker", "start", "--count", "2"])));

  assertEquals(starts.map(({ code }) => code), [0, 0, 0]);
  assertEquals((await box.workers()).length, 2);
  await box.ok(["worker", "stop"]);
});

Deno.test("of two starts at once with different options one is refused", async () => {
  await using box = await poolBox();

  const starts = await Promise.all(["a", "b"].map((queue) => box.run(["worker", "start", "--queue", queue])));

  assertEquals(starts.map(({ code }) => code).sort(), [0, 4]);
  const [winner, loser] = starts[0]!.code === 0 ? ["a", "b"] : ["b", "a"];
  assertEquals((await box.workers()).map(({ queues }) => queues), [[winner]]);
  const refused = starts.find(({ code }) => code === 4)!.stderr;
  assertMatch(refused, new RegExp(`it runs with other options \\(--queue is ${winner}\\)`));
  assertMatch(refused, new RegExp(`^Try: queuectl worker restart --queue ${loser}$`, "m"));
  await box.ok(["worker", "stop"]);
});

Deno.test("a pool is the same one by every name of its database", async () => {
  await using box = await poolBox();
  await Deno.symlink(box.db, `${box.directory}/link.db`);
  await box.ok(["--db", "link.db", "worker", "start"]);

  assertMatch(await box.ok(["worker", "start"]), /^Already running/);
  await box.ok(["worker", "stop"]);
  await box.untilEmpty();
});

Deno.test("the order of --queue is strict", async () => {
  await using box = await poolBox();
  for (const queue of ["low", "high", "low", "high"]) {
    await box.ok(["enqueue", "--queue", queue, "--priority", queue === "low" ? "100" : "0", `echo ${queue} >>order`]);
  }

  await box.ok(["worker", "start", "--queue", "high,low"]);

  const order = await waitFor(async () => {
    const lines = (await Deno.readTextFile(`${box.directory}/order`).catch(() => "")).trim().split("\n");
    return lines.length === 4 && lines;
  }, "all jobs to run");
  assertEquals(order, ["high", "high", "low", "low"]);
  await box.ok(["worker", "stop"]);
});

Deno.test("a pool that cannot start says why and leaves nothing behind", async () => {
  await using box = await poolBox();

  const failed = await box.run(["worker", "start"], { env: { QUEUECTL_WORKER_CONCURRENCY: "many" } });

  assertEquals(failed.code, 1);
  assertMatch(
    failed.stderr,
    /^queuectl: Cannot start the workers of pool "default": Invalid worker_concurrency "many": /m,
  );
  assertMatch(failed.stderr, /^Try: queuectl worker logs --level error --pool default$/m);
  await box.untilEmpty();
  assertMatch(await box.ok(["worker", "logs", "--level", "error"]), /did not start reason="Invalid worker_concurrency/);
});

Deno.test("worker start --foreground looks after a pool until it is told to stop", async () => {
  await using box = await poolBox();
  const supervisor = await box.start(["worker", "start", "--foreground", "--count", "2"]);
  await box.untilWorking(2);
  const job = await box.gatedJob("long");
  await job.started();
  assertEquals((await box.run(["worker", "start", "--foreground"])).code, 4);
  // A command that waits for the pool would take it for a reason to give up.
  assertEquals(await box.ok(["worker", "logs", "--level", "error"]), "");

  // Its workers are replaced, it stays: whoever started it waits for it.
  const { supervisor_pid } = await box.json(["worker", "restart"]);
  assertEquals(supervisor_pid, supervisor.pid);

  supervisor.signal("SIGTERM");
  await waitFor(async () => (await box.workers()).every(({ state }) => state === "draining"), "all workers to drain");
  await job.letGo();
  assertEquals((await supervisor.wait()).code, 0);
  assertEquals((await box.json(["show", job.id])).state, "completed");
  await box.untilEmpty();
});

Deno.test("worker logs shows what happened, by level, as JSON, and as it comes", async () => {
  await using box = await poolBox();
  assertEquals(await box.json(["worker", "logs"]), []);
  const follower = await box.start(["worker", "logs", "--follow"]);
  await box.ok(["worker", "start"]);
  const id = await box.ok(["enqueue", "--max-retries", "0", "exit 3"]);

  await waitFor(() => follower.stdout().includes(`job finished id=${id} state=dead`), "the log to tell of the job");
  follower.signal("SIGINT");
  assertEquals((await follower.wait()).code, 0);
  await box.ok(["worker", "stop"]);

  const entries = await box.json(["worker", "logs"]);
  const finished = entries.find(({ event }: { event: string }) => event === "job finished");
  assertEquals([finished.level, finished.role, finished.fields.id, finished.fields.state], [
    "info",
    "worker",
    id,
    "dead",
  ]);
  assertMatch(finished.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assertEquals(await box.ok(["worker", "logs", "--level", "error"]), "");
  assertEquals((await box.ok(["worker", "logs", "--tail", "1"])).split("\n").length, 1);
  assertEquals((await box.run(["worker", "logs", "--pool", "nope"])).code, 3);
  assertEquals((await box.run(["worker", "logs", "--tail", "-1"])).code, 2);
});

Deno.test("worker logs shows what happened also when the database cannot be read", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);
  await box.ok(["worker", "stop"]);
  await Deno.writeTextFile(box.db, "no database");

  assertMatch(await box.ok(["worker", "logs"]), /supervisor ended how=stopped$/);
  await Deno.writeTextFile(`${box.directory}/other`, "no database");
  assertEquals((await box.run(["--db", "other", "worker", "logs"])).code, 5);
});

Deno.test("worker status of a pool without workers does not say that there are none at all", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start"]);

  assertEquals(
    (await box.run(["worker", "status", "--pool", "nope"])).stderr,
    "No workers of pool nope are registered\n",
  );
  assertEquals((await box.run(["worker", "status", "--pool", "../x"])).code, 2);
  await box.ok(["worker", "stop"]);
});

Deno.test("status shows pools and their workers, and warns of jobs that nobody serves", async () => {
  await using box = await poolBox();
  await box.ok(["worker", "start", "--count", "2", "--queue", "mail"]);
  await box.ok(["enqueue", "--queue", "reports", "true"]);

  const shown = await box.run(["status"]);
  const { pools, warnings } = await box.json(["status"]);

  assertMatch(shown.stdout, /^Pool default on \S+: 2 of 2 workers, queues mail, supervisor pid \d+$/m);
  assertMatch(shown.stderr, /^queuectl: warning: jobs are waiting and no worker serves reports$/m);
  assertEquals(pools.length, 1);
  assertEquals([pools[0].count, pools[0].working, pools[0].supervisor.alive], [2, 2, true]);
  assertEquals(warnings, ["jobs are waiting and no worker serves reports"]);
  await box.ok(["worker", "stop"]);
});

Deno.test("worker status tells what an idle worker has done without waiting for its next heartbeat", async () => {
  await using box = await poolBox();
  await box.ok(["config", "set", "heartbeat_interval", "1h"]);
  await box.ok(["worker", "start"]);

  await box.ok(["enqueue", "--max-retries", "0", "false"]);
  await box.untilState(await box.ok(["enqueue", "true"]), "completed");

  await waitFor(async () => {
    const [worker] = await box.json(["worker", "status"]);
    return worker.done === 1 && worker.failed === 1;
  }, "one job done and one failed");
  await box.ok(["worker", "stop"]);
});

Deno.test("a log that cannot be written fails no job, and status tells", async () => {
  await using box = await poolBox();
  await box.ok(["config", "set", "heartbeat_interval", "200ms"]);
  await Deno.mkdir(`${box.folder}/logs/worker-default.log`, { recursive: true });

  await box.ok(["worker", "start"]);
  const id = await box.ok(["enqueue", "true"]);

  await box.untilState(id, "completed");
  const warnings = await waitFor(async () => {
    const found: string[] = (await box.json(["status"])).warnings;
    return found.length >= 2 && found;
  }, "the worker and the supervisor to say so");
  assertMatch(warnings.join("\n"), /^worker \S+: \d+ log lines? w\w+ not written: /m);
  assertMatch(warnings.join("\n"), /^supervisor of pool default: \d+ log lines? w\w+ not written: /m);
  await box.ok(["worker", "stop"]);
});
