/** Care of the data: backup, restore, doctor. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { execute, integrity, query } from "../support/sqlite_database.ts";
import { processStatus } from "../../lib/host/process_identity.ts";
import { waitFor } from "../support/wait_for.ts";

interface CheckJson {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly fix: string | null;
  readonly fixed: boolean;
}

async function doctor(
  box: Sandbox,
  ...args: string[]
): Promise<{ code: number; troubles: string[]; checks: CheckJson[] }> {
  const { code, stdout } = await box.run(["doctor", "--json", ...args]);
  const checks: CheckJson[] = JSON.parse(stdout);
  return { code, checks, troubles: checks.filter(({ status }) => status !== "ok").map(({ name }) => name) };
}

Deno.test("backup under load opens, passes the check and holds every job acknowledged before it", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const worker = await box.start(["worker", "run", "--concurrency", "2", "-q"]);
  const lines = Array.from({ length: 300 }, (_, i) => JSON.stringify({ id: `before-${i}`, command: "true" })).join(
    "\n",
  );
  await box.ok(["enqueue-batch", "-"], { stdin: lines });

  const copy = await box.json(["backup", "backup.db"]);

  assertEquals(copy.file, `${box.directory}/backup.db`);
  assertEquals(integrity(copy.file), "ok");
  const ids = new Set(query(copy.file, "select id from jobs").map(({ id }) => id));
  for (let i = 0; i < 300; i++) assert(ids.has(`before-${i}`), `before-${i} is missing`);
  assertEquals(copy.jobs, 301);
  worker.signal("SIGTERM");
  await worker.wait();
});

Deno.test("backup says what it did on stderr, and refuses a file that exists", async () => {
  await using box = await sandbox();
  const nothing = await box.run(["backup", "b.db"]);
  await box.ok(["enqueue", "true"]);

  const first = await box.run(["backup", "b.db"]);
  const second = await box.run(["backup", "b.db"]);
  const third = await box.run(["backup", "--replace", "b.db"]);
  const nowhere = await box.run(["backup", "no/such/folder/b.db"]);

  assertEquals([nothing.code, first.code, second.code, third.code, nowhere.code], [3, 0, 4, 0, 1]);
  assertEquals(first.stdout, "");
  assertMatch(first.stderr, /^Wrote .*\/b\.db: 1 jobs, .*, checked\n$/);
  assertStringIncludes(second.stderr, "the file exists");
});

Deno.test("restore asks, elsewhere needs --yes, checks first and sets the former database aside", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "old", "true"]);
  await box.ok(["backup", "b.db"]);
  await box.ok(["enqueue", "--id", "new", "true"]);
  await Deno.writeTextFile(`${box.directory}/notes`, "x".repeat(10_000));

  const unasked = await box.run(["restore", "b.db"]);
  const missing = await box.run(["restore", "--yes", "missing.db"]);
  const foreign = await box.run(["restore", "--yes", "notes"]);
  const ids = await box.json<{ id: string }[]>(["list"]);
  const restored = await box.json(["restore", "--yes", "b.db"]);

  assertEquals([unasked.code, missing.code, foreign.code], [2, 3, 5]);
  assertEquals(ids.map(({ id }) => id), ["new", "old"]);
  assertEquals([restored.jobs, restored.released], [1, 0]);
  assertEquals((await box.json<{ id: string }[]>(["list"])).map(({ id }) => id), ["old"]);
  assertEquals(query(restored.set_aside, "select id from jobs order by id").map(({ id }) => id), ["new", "old"]);
});

Deno.test("restore refuses while a worker is alive, and not because of one that was killed", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "done", "true"]);
  await box.ok(["backup", "b.db"]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(async () => (await box.json(["status"])).workers.length > 0, "the worker to register");

  const refused = await box.run(["restore", "--yes", "b.db"]);
  await worker.kill();
  const restored = await box.run(["restore", "--yes", "b.db"]);

  assertEquals([refused.code, restored.code], [4, 0], refused.stderr + restored.stderr);
  assertStringIncludes(refused.stderr, "registered and alive");
  await box.killAll();
});

Deno.test("restore ends what killed workers left running of the jobs that it replaces", async () => {
  await using box = await sandbox();
  const started = `${box.directory}/started`;
  await box.ok(["enqueue", "--id", "left", `echo $$ >'${started}'; while :; do sleep 0.05; done`]);
  const worker = await box.start(["worker", "run"]);
  const pid = await waitFor(() => Number(readOr(started, "")), "the job to run");
  await box.ok(["backup", "b.db"]);
  const guardian = box.processes().find(({ command }) => command.includes("while read -r _ p start _"))!;
  for (const killed of [guardian.pid, worker.pid]) Deno.kill(killed, "SIGKILL");
  await worker.wait();
  assertEquals(processStatus(pid).isDead, false);

  await box.ok(["restore", "--yes", "b.db"]);

  const { start, isDead } = processStatus(pid);
  assert(start === "" || isDead, "it runs on");
  await box.killAll();
});

function readOr(path: string, missing: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return missing;
  }
}

Deno.test("a job that was running when the backup was made runs again after it was restored", async () => {
  await using box = await sandbox();
  const go = `${box.directory}/go`;
  await box.ok(["enqueue", "--id", "long", `until [ -e '${go}' ]; do sleep 0.05; done`]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(async () => (await box.json(["show", "long"])).state === "processing", "the job to run");
  await box.ok(["backup", "b.db"]);
  await Deno.writeTextFile(go, "");
  await waitFor(async () => (await box.json(["show", "long"])).state === "completed", "the job to end");
  worker.signal("SIGTERM");
  await worker.wait();

  const { released } = await box.json(["restore", "--yes", "b.db"]);
  await box.ok(["worker", "run", "--drain"]);

  const job = await box.json(["show", "long"]);
  assertEquals([released, job.state, job.attempts], [1, "completed", 1]);
  assertEquals(job.runs.map((run: { outcome: string }) => run.outcome), ["interrupted", "succeeded"]);
});

Deno.test("doctor of a healthy queue is exit 0 and changes nothing, also while a worker runs", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "echo hi"]);
  await box.ok(["worker", "run", "--drain"]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(async () => (await box.json(["status"])).workers.length > 0, "the worker to register");

  const { code, troubles, checks } = await doctor(box);
  worker.signal("SIGTERM");
  await worker.wait();

  assertEquals([code, troubles], [0, []]);
  assert(checks.length > 15, "everything is looked at");
  assertEquals((await box.run(["--db", `${box.directory}/none.db`, "doctor"])).code, 0);
  assertEquals((await doctor(box, "--quick")).checks.map(({ name, status }) => [name, status]), [["integrity", "ok"]]);
});

Deno.test("doctor tells each trouble with what to do about it, and --fix mends what is safe", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  await box.ok(["worker", "run", "--drain"]);
  await Deno.chmod(box.db, 0o644);
  await Deno.writeTextFile(`${box.db}.d/logs/77-1.out`, "nobody's");
  await Deno.writeTextFile(`${box.db}.d/run/worker-left.lock`, "");
  await Deno.utime(`${box.db}.d/run/worker-left.lock`, 0, 0);
  execute(box.db, "update job_counts set n = 9 where state = 'completed'");

  const found = await doctor(box);
  const page = await box.run(["doctor"]);
  const mended = await doctor(box, "--fix");
  const after = await doctor(box);

  assertEquals([found.code, page.code, mended.code, after.code], [1, 1, 0, 0]);
  assertEquals(found.troubles, ["permissions", "counters", "output files", "locks"]);
  for (const check of found.checks) if (check.status !== "ok") assert(check.fix !== null, check.name);
  assertStringIncludes(page.stdout, "Try: queuectl doctor --fix");
  assertStringIncludes(await box.ok(["doctor", "--format", "plain"]), "ok\tcounters\t");
  assertEquals(mended.checks.filter(({ fixed }) => fixed).map(({ name }) => name), found.troubles);
  assertEquals((await box.json(["status"])).jobs.completed, 1);
});

Deno.test("doctor sees a clock that was wrong and a stop file that was left", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  execute(box.db, "update jobs set created_at = created_at + 86400000");
  await Deno.mkdir(`${box.db}.d`, { mode: 0o700 });
  await Deno.writeTextFile(`${box.db}.d/.stop_workers`, "");

  const { code, troubles } = await doctor(box);

  assertEquals([code, troubles], [1, ["stop file", "clock"]]);
});

Deno.test("doctor of a newer schema, a foreign file and a directory is exit 5, and changes nothing", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  execute(box.db, "pragma user_version = 9999");
  const before = await Deno.readFile(box.db);
  await Deno.writeTextFile(`${box.directory}/notes`, "x".repeat(10_000));

  const newer = await box.run(["doctor", "--fix"]);

  assertEquals(newer.code, 5);
  assertStringIncludes(newer.stdout, "newer queuectl");
  assertEquals(await Deno.readFile(box.db), before);
  assertEquals((await box.run(["--db", "notes", "doctor"])).code, 5);
  assertEquals((await box.run(["--db", ".", "doctor"])).code, 5);
  assertEquals((await box.run(["doctor", "--fix", "--quick"])).code, 2);
});

Deno.test("status warns of damage that was found after the start of the host, until doctor finds none", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  await Deno.mkdir(`${box.db}.d/run`, { recursive: true, mode: 0o700 });
  await Deno.chmod(`${box.db}.d`, 0o700);
  const found = { boot_id: "x", checked_at: 1, damage: "page 7 is never used" };
  await Deno.writeTextFile(`${box.db}.d/run/boot-check.json`, JSON.stringify(found));

  const warned = await box.json(["status"]);
  const report = await doctor(box);
  const mended = await doctor(box, "--fix");
  const after = await box.json(["status"]);

  assert(warned.warnings.some((text: string) => text.includes("page 7 is never used")), String(warned.warnings));
  assertEquals([report.code, report.troubles, mended.code], [1, ["boot check"], 0]);
  assert(!after.warnings.some((text: string) => text.includes("damaged")), String(after.warnings));
});
