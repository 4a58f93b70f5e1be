/** list, show, status: what can be seen of jobs, by people and by scripts. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openStore } from "../../lib/store/mod.ts";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { aNewJob } from "../support/factories.ts";
import { FakeClock } from "../support/fake_clock.ts";

interface Listed {
  id: string;
  state: string;
  queue: string;
  priority: number;
}

/** Jobs a to e: two completed, one dead, two waiting, of which one is in another queue. */
async function withJobs(box: Sandbox): Promise<void> {
  await box.ok(["enqueue", "--id", "a", "--tag", "nightly", "echo alpha"]);
  await box.ok(["enqueue", "--id", "b", "--max-retries", "0", "exit 4"]);
  await box.ok(["enqueue", "--id", "c", "--priority", "5", "echo gamma"]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["enqueue", "--id", "d", "--queue", "mail", "--tag", "nightly", "--", "echo", "two words"]);
  await box.ok(["enqueue", "--id", "e", "--run-at", "+1h", "true"]);
}

async function ids(box: Sandbox, ...args: string[]): Promise<string> {
  return (await box.json<Listed[]>(["list", ...args])).map((job) => job.id).join("");
}

Deno.test("list shows the newest first, and what its filters ask for", async () => {
  await using box = await sandbox();
  await withJobs(box);

  assertEquals(await ids(box), "edcba");
  assertEquals(await ids(box, "--state", "completed"), "ca");
  assertEquals(await ids(box, "--state", "dead,pending"), "db");
  assertEquals(await ids(box, "--state", "dead", "--state", "scheduled"), "eb");
  assertEquals(await ids(box, "--queue", "mail"), "d");
  assertEquals(await ids(box, "--tag", "nightly"), "da");
  assertEquals(await ids(box, "--tag", "nightly", "--state", "completed"), "a");
  assertEquals(await ids(box, "--search", "gam"), "c");
  assertEquals(await ids(box, "--since", "1h"), "edcba");
  assertEquals(await ids(box, "--limit", "2"), "ed");
  assertEquals(await ids(box, "--limit", "0"), "edcba");
  assertEquals((await ids(box, "--sort", "-priority"))[0], "c");
});

Deno.test("list is a table for people, lines for plain, one record to a line for ndjson", async () => {
  await using box = await sandbox();
  await withJobs(box);

  const [header, ...rows] = (await box.ok(["list"])).split("\n");
  assertMatch(header!, /^ID +STATE +QUEUE +PRIO +TRIES +WHEN +COMMAND$/);
  assertMatch(rows[1]!, /^d +pending +mail +0 +0\/4 +\S.* +echo 'two words'$/);
  assertMatch(rows[3]!, /^b +dead +default +0 +1\/1 +\S.* +exit 4$/);
  const plain = (await box.ok(["list", "--format", "plain"])).split("\n");
  assertEquals(plain.map((line) => line.split("\t").slice(0, 3).join(" ")), [
    "e scheduled default",
    "d pending mail",
    "c completed default",
    "b dead default",
    "a completed default",
  ]);
  const lines = (await box.ok(["list", "--format", "ndjson"])).split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).id).join(""), "edcba");
});

Deno.test("list of an empty queue is [] for scripts and a note for people, and makes no database", async () => {
  await using box = await sandbox();

  assertEquals(await box.json(["list"]), []);
  const { code, stdout, stderr } = await box.run(["list"]);

  assertEquals({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "No jobs\n" });
  assertEquals([...Deno.readDirSync(box.directory)], []);
});

Deno.test("list shows 50, and says so", async () => {
  await using box = await sandbox();
  // Not by 51 commands, which would take seconds.
  const store = await openStore(box.db, { mode: "write", clock: new FakeClock() });
  await store.jobs.enqueue(Array.from({ length: 51 }, () => aNewJob()));
  await store.close();

  const { stdout, stderr } = await box.run(["list"]);

  assertEquals(stdout.trimEnd().split("\n").length, 1 + 50);
  assertEquals(stderr, "The newest 50 are shown; --limit 0 shows all\n");
  assertEquals((await box.json(["list", "--limit", "0"])).length, 51);
});

Deno.test("control characters of a job do not reach the terminal", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "echo \x1b[2Jboo"]);

  for (const command of [["list"], ["show", id]]) {
    const shown = await box.ok(command);
    assert(!shown.includes("\x1b"), `${command[0]} passed an escape on`);
    assert(shown.includes("boo"));
  }
  assertEquals((await box.json(["show", id])).command, "echo \x1b[2Jboo");
});

Deno.test("show tells a person what became of a job and of each run", async () => {
  await using box = await sandbox();
  await withJobs(box);

  const shown = await box.ok(["show", "b"]);

  assertMatch(shown, /^State: +dead$/m);
  assertMatch(shown, /^Reason: +exited with code 4 on the only attempt$/m);
  assertMatch(shown, /^Command: +exit 4$/m);
  assertMatch(shown, /^Attempts: +1 of 1, 1 run$/m);
  assertMatch(shown, /^ {2}1\. .* failed: exited with code 4/m);
});

Deno.test("show --json has every field of the contract, and the runs", async () => {
  await using box = await sandbox();
  await withJobs(box);

  const job = await box.json(["show", "b"]);

  const fields =
    "id command argv type queue priority max_retries backoff timeout kill_grace exit_rules run_at tags cwd " +
    "env secret_env stdin umask nice limits keep_output state seq attempts run_count crashes snoozes created_at updated_at started_at " +
    "finished_at duration_ms exit_code signal reason worker_id claim runs";
  assertEquals(fields.split(" ").filter((field) => !(field in job)), []);
  const { runs: [run] } = job;
  assertEquals(
    Object.keys(run).toSorted(),
    ("run attempt claim outcome started_at finished_at duration_ms exit_code signal reason worker_id stdout_bytes " +
      "stderr_bytes dropped_bytes").split(" ").toSorted(),
  );
  assertEquals([run.run, run.attempt, run.outcome, run.exit_code, run.claim], [1, 1, "failed", 4, job.claim]);
});

Deno.test("a generated id may be shortened to four characters", async () => {
  await using box = await sandbox();
  const id = await box.ok(["enqueue", "true"]);

  assertEquals((await box.json(["show", id.slice(0, 4)])).id, id);
  assertEquals((await box.run(["show", id.slice(0, 3)])).code, 3);
});

Deno.test("job show and job list are other names of show and list", async () => {
  await using box = await sandbox();
  await withJobs(box);

  assertEquals(await box.json(["job", "show", "b"]), await box.json(["show", "b"]));
  assertEquals(await box.json(["job", "list"]), await box.json(["list"]));
});

Deno.test("status counts jobs by queue and state, and warns when no worker serves what waits", async () => {
  await using box = await sandbox();
  await withJobs(box);

  const status = await box.json(["status"]);
  const { stdout, stderr } = await box.run(["status"]);

  assertEquals(status.db, box.db);
  assertEquals(status.jobs, {
    scheduled: 1,
    blocked: 0,
    pending: 1,
    processing: 0,
    completed: 2,
    failed: 0,
    dead: 1,
    cancelled: 0,
  });
  const mail = status.queues.find((queue: { name: string }) => queue.name === "mail");
  assertEquals(mail.jobs.pending, 1);
  assertMatch(stdout, /^mail .*1/m);
  assertMatch(stderr, /warning: jobs are waiting and no worker serves mail/);
});

Deno.test("a closed pipe ends quietly", async () => {
  await using box = await sandbox();
  await withJobs(box);

  const { code, stderr } = await box.run(["-c", '{ "$0" list; echo "code $?" >&2; } | true', box.binary], {
    program: "sh",
  });

  assertEquals({ code, stderr }, { code: 0, stderr: "code 0\n" });
});
