/** A copy of a database on the host of the original: nothing of the original is touched by what works on the copy. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { execute, query } from "../support/sqlite_database.ts";
import { waitFor } from "../support/wait_for.ts";
import { processStatus } from "../../lib/host/process_identity.ts";

interface Original {
  readonly worker: Started;
  /** The process of the job that runs. */
  readonly jobPid: number;
  /** Lets the job end. */
  letGo(): Promise<void>;
}

/** A worker at work on one job, `nightly`, that has no retry. Leases are short, so that silence tells soon. */
async function busyOriginal(box: Sandbox): Promise<Original> {
  await box.ok(["config", "set", "heartbeat_interval", "200ms"]);
  await box.ok(["config", "set", "lease", "1s"]);
  const [started, go] = [`${box.directory}/started`, `${box.directory}/go`];
  // The same command in a copy finds the file there, and ends at once.
  const command = `[ -e '${started}' ] && exit 0; echo $$ >'${started}'; until [ -e '${go}' ]; do sleep 0.05; done`;
  await box.ok(["enqueue", "--id", "nightly", "--max-retries", "0", command]);
  const worker = await box.start(["worker", "run"]);
  const jobPid = await waitFor(() => {
    try {
      // The shell makes the file before it writes to it.
      return Number(Deno.readTextFileSync(started)) || undefined;
    } catch {
      return undefined;
    }
  }, "the job to run");
  return { worker, jobPid, letGo: () => Deno.writeTextFile(go, "") };
}

async function assertUntouched(box: Sandbox, { worker, jobPid, letGo }: Original): Promise<void> {
  for (const pid of [worker.pid, jobPid]) {
    const { start, isDead } = processStatus(pid);
    assert(start !== "" && !isDead, `process ${pid} was ended:\n${worker.stderr()}`);
  }
  await letGo();
  const { state, runs } = await waitFor(async () => {
    const job = await box.json(["show", "nightly"]);
    return job.state !== "processing" && job;
  }, "the job of the original to end");
  assertEquals([state, runs.length], ["completed", 1]);
  worker.signal("SIGTERM");
  assertEquals((await worker.wait()).code, 0, worker.stderr());
}

async function untilCompleted(box: Sandbox, db: string): Promise<void> {
  const job = await waitFor(async () => {
    const job = await box.json(["--db", db, "show", "nightly"]);
    return ["completed", "dead"].includes(job.state) && job;
  }, `the job to end in ${db}`);
  assertEquals(job.state, "completed", JSON.stringify(job));
}

Deno.test("a backup that is restored beside the original leaves the running job of the original alone", async () => {
  await using box = await sandbox();
  const original = await busyOriginal(box);
  await box.ok(["backup", "b.db"]);
  await box.ok(["--db", "stage.db", "restore", "--yes", "b.db"]);

  await box.ok(["--db", "stage.db", "worker", "run", "--drain"]);

  await untilCompleted(box, "stage.db");
  await assertUntouched(box, original);
});

const COPIES: Readonly<Record<string, (box: Sandbox) => Promise<unknown>>> = {
  "a backup": (box) => box.ok(["backup", "copy.db"]),
  "a plain copy": async (box) => {
    // As `cp` of all three, at a moment at which nothing is written.
    query(box.db, "pragma wal_checkpoint(truncate)");
    await Deno.copyFile(box.db, `${box.directory}/copy.db`);
  },
  "a plain copy with its folder": async (box) => {
    query(box.db, "pragma wal_checkpoint(truncate)");
    await Deno.copyFile(box.db, `${box.directory}/copy.db`);
    await new Deno.Command("cp", { args: ["-a", `${box.db}.d`, `${box.directory}/copy.db.d`] }).output();
  },
};

for (const [what, copy] of Object.entries(COPIES)) {
  Deno.test(`a worker on ${what} ends neither worker nor job of the original, and runs the jobs of the copy`, async () => {
    await using box = await sandbox();
    const original = await busyOriginal(box);
    await copy(box);

    const worker = await box.start(["--db", "copy.db", "worker", "run"]);
    await untilCompleted(box, "copy.db");
    worker.signal("SIGTERM");
    await worker.wait();

    assert(!worker.stderr().includes("killed"), worker.stderr());
    await assertUntouched(box, original);
  });
}

Deno.test("a pool on a plain copy takes no worker of the original for its own", async () => {
  await using box = await sandbox();
  const original = await busyOriginal(box);
  execute(box.db, "update workers set pool = 'default'");
  await COPIES["a plain copy with its folder"]!(box);

  await box.ok(["--db", "copy.db", "worker", "start"]);
  await untilCompleted(box, "copy.db");
  await box.ok(["--db", "copy.db", "worker", "stop"]);

  await assertUntouched(box, original);
  await box.killAll();
});

Deno.test("a row that names a stranger's process as a worker ends nobody", async () => {
  await using box = await sandbox();
  const original = await busyOriginal(box);
  await box.ok(["--db", "other.db", "config", "set", "heartbeat_interval", "200ms"]);
  await box.ok(["--db", "other.db", "config", "set", "lease", "1s"]);
  const [row] = query(box.db, "select * from workers");
  const columns = Object.keys(row!);
  execute(
    `${box.directory}/other.db`,
    `insert into workers (${columns.join(", ")}) values (${columns.map((name) => literal(row![name])).join(", ")})`,
  );

  const { code, stderr } = await box.run(["--db", "other.db", "worker", "run", "--idle-exit", "4s"]);

  assertEquals(code, 0, stderr);
  assert(!stderr.includes("killed"), stderr);
  assertEquals(query(`${box.directory}/other.db`, "select id from workers"), []);
  await assertUntouched(box, original);
});

function literal(value: unknown): string {
  return value === null ? "null" : typeof value === "number" ? String(value) : `'${String(value)}'`;
}

Deno.test("each copy has an identity of its own, which its jobs are told, and a moved database keeps its", async () => {
  await using box = await sandbox();
  const identityOf = async (db: string) => {
    const id = await box.ok(["--db", db, "enqueue", 'echo "$QUEUECTL_STORE"']);
    await box.ok(["--db", db, "worker", "run", "--drain", "-q"]);
    return await box.ok(["--db", db, "output", "--stdout", id]);
  };
  const first = await identityOf(box.db);
  await box.ok(["backup", "backup.db"]);
  await box.ok(["--db", "restored.db", "restore", "--yes", "backup.db"]);
  await box.ok(["doctor", "--salvage", "salvaged.db"]);
  await Deno.copyFile(box.db, `${box.directory}/cp.db`);

  const all = [first];
  for (const name of ["backup.db", "restored.db", "salvaged.db", "cp.db"]) all.push(await identityOf(name));
  for (const ending of ["", ".d"]) await Deno.rename(box.db + ending, `${box.directory}/moved.db${ending}`);

  assertEquals(new Set(all).size, 5);
  for (const identity of all) assertNotEquals(identity, "");
  assertEquals(await identityOf("moved.db"), first);
  assertEquals(await identityOf("cp.db"), all[4]);
});
