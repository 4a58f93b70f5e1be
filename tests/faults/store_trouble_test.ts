/** The database is locked, full, read-only, deleted or replaced: workers survive, and lose nothing. @module */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs, withStore } from "../support/ledger.ts";
import { startClient } from "../support/store_clients.ts";
import { waitFor } from "../support/wait_for.ts";

/** A command that runs until the test makes the file. */
function waitsFor(file: string, ledger: Ledger): string {
  return `while [ ! -e '${file}' ]; do sleep 0.02; done; ${ledger.command()}`;
}

async function stop(...workers: readonly Started[]): Promise<void> {
  for (const worker of workers) worker.signal("SIGTERM");
  for (const worker of workers) assertEquals((await worker.wait()).code, 0, worker.stderr());
}

async function allCompleted(box: Sandbox): Promise<boolean> {
  return (await recordedJobs(box)).every(({ state }) => state === "completed");
}

Deno.test("a writer that holds the lock for longer than the lease: nobody is taken for dead, and all goes on", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const file = `${box.directory}/go`;
  const ids = await enqueueJobs(box, Array(4).fill({ command: waitsFor(file, ledger) }));
  const env = { QUEUECTL_LEASE: "2s", QUEUECTL_HEARTBEAT_INTERVAL: "500ms" };
  const workers = [await box.start(["worker", "run"], { env }), await box.start(["worker", "run"], { env })];
  await waitFor(
    async () => (await recordedJobs(box)).filter(({ state }) => state === "processing").length === 2,
    "two jobs to run",
  );
  {
    await using lock = await startClient([box.db, "lock"]);
    Deno.writeTextFileSync(file, "");
    const locked = performance.now();
    await waitFor(() => performance.now() - locked > 8_000, "four leases to pass");
    await lock.go();
    await lock.result();
  }
  await waitFor(() => allCompleted(box), "all jobs to end");
  await stop(...workers);

  const jobs = await checkLedger(box, ledger, ids);
  assertEquals(jobs.map(({ run_count, crashes }) => [run_count, crashes]), ids.map(() => [1, 0]));
});

Deno.test("a full disk: results wait until there is room, nothing is lost, enqueue says so with exit code 5", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const [mount, file] = [`${box.directory}/small`, `${box.directory}/go`];
  Deno.mkdirSync(mount);
  // A mount of its own, seen by this worker and by those who join it, gone with it.
  const worker = await box.start(
    [
      "-m",
      ...["sh", "-c", 'mount -t tmpfs -o size=4M tmpfs "$1" && exec "$2" --db "$1/queue.db" worker run', "sh"],
      mount,
      box.binary,
    ],
    { program: "/usr/bin/unshare" },
  );
  const inside = `/proc/${worker.pid}/root${mount}`;
  const queuectl = (...args: string[]) =>
    box.run(["-t", String(worker.pid), "-m", box.binary, "--db", `${mount}/queue.db`, ...args], {
      program: "/usr/bin/nsenter",
    });
  await waitFor(() => worker.stderr().includes("worker started"), "the worker to start");
  const ids = [(await queuectl("enqueue", "--cwd", box.directory, waitsFor(file, ledger))).stdout.trim()];
  const show = async () => JSON.parse((await queuectl("show", ids[0]!, "--json")).stdout);
  await waitFor(async () => (await show()).state === "processing", "the job to run");

  fill(`${inside}/filler`);
  const refused = await queuectl("enqueue", "true");
  assertEquals([refused.code, refused.stdout], [5, ""]);
  assertMatch(refused.stderr, /^queuectl: Cannot use database .*: the disk is full\nTry: /);
  Deno.writeTextFileSync(file, "");
  await waitFor(() => worker.stderr().includes("result not stored yet"), "the result to be refused");
  assertEquals((await show()).state, "processing");

  Deno.removeSync(`${inside}/filler`);
  await waitFor(async () => (await show()).state === "completed", "the result to be stored");
  ids.push((await queuectl("enqueue", "--cwd", box.directory, ledger.command())).stdout.trim());
  await waitFor(() => ledger.lines().filter(({ what }) => what === "end").length === 2, "another job to run");
  assertEquals([(await show()).run_count, ledger.starts(ids[0]!), ledger.starts(ids[1]!)], [1, 1, 1]);
  await stop(worker);
});

/** Until nothing more goes in. */
function fill(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (const size of [65_536, 512]) {
    const bytes = new Uint8Array(size);
    try {
      while (file.writeSync(bytes) > 0);
    } catch (error) {
      assertMatch(String(error), /No space left/);
    }
  }
}

Deno.test("a read-only file system: one sentence, exit code 5, nothing changed", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const before = Deno.readFileSync(box.db);
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';

  for (const args of [["enqueue", "true"], ["worker", "run", "--drain"]]) {
    const { code, stdout, stderr } = await box.run(
      ["-m", "sh", "-c", script, "sh", box.directory, box.binary, ...args],
      { program: "/usr/bin/unshare" },
    );
    assertEquals([code, stdout], [5, ""], stderr);
    assertMatch(stderr, /^queuectl: Cannot use database "[^\n]*\n(Try: [^\n]*\n)?$/);
  }
  assertEquals(Deno.readFileSync(box.db), before);
});

for (const how of ["deleted", "replaced"] as const) {
  Deno.test(`the database is ${how} under a worker: it ends what runs, touches nothing of the new one, and leaves`, async () => {
    await using box = await sandbox();
    const ledger = new Ledger(box);
    const file = `${box.directory}/go`;
    await enqueueJobs(box, Array(2).fill({ command: waitsFor(file, ledger) }));
    const worker = await box.start(["worker", "run"]);
    await waitFor(
      async () => (await recordedJobs(box)).some(({ state }) => state === "processing"),
      "a job to run",
    );

    if (how === "replaced") await box.ok(["--db", `${box.directory}/other.db`, "enqueue", "--id", "new", "true"]);
    for (const suffix of ["", "-wal", "-shm"]) removeIfThere(`${box.db}${suffix}`);
    if (how === "replaced") Deno.renameSync(`${box.directory}/other.db`, box.db);
    else await box.ok(["enqueue", "--id", "new", "true"]);
    Deno.writeTextFileSync(file, "");

    const { code, stderr } = await worker.wait();
    assertEquals(code, 0, stderr);
    assertMatch(stderr, /worker stopped \(the database was replaced or upgraded\): 1 completed/);
    assertEquals((await recordedJobs(box)).map(({ id, state }) => [id, state]), [["new", "pending"]]);
    await box.ok(["worker", "run", "--drain"]);
    assertEquals((await recordedJobs(box)).map(({ id, state }) => [id, state]), [["new", "completed"]]);
  });
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

Deno.test("32 processes at one database: 16 enqueue, 16 work, no user sees an error, every job runs once", async () => {
  await using box = await sandbox();
  const ledger = new Ledger(box);
  const early = await enqueueJobs(box, Array(32).fill({ command: ledger.command({ ticks: 0 }) }));

  const workers = Array.from({ length: 16 }, () => box.run(["worker", "run", "--drain", "--quiet"]));
  const late = Array.from({ length: 16 }, () => box.run(["enqueue", ledger.command({ ticks: 0 })]));
  const ended = await Promise.all([...workers, ...late]);
  for (const { code, stderr } of ended) assertEquals([code, stderr], [0, ""]);
  await box.ok(["worker", "run", "--drain"]);

  const ids = [...early, ...(await Promise.all(late)).map(({ stdout }) => stdout.trim())];
  const jobs = await checkLedger(box, ledger, ids);
  assert(jobs.every(({ state, run_count }) => state === "completed" && run_count === 1));
  assertEquals(await withStore(box.db, (store) => store.workers.list()), []);
});
