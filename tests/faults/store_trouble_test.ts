/** The database is read-only, deleted, replaced, or used by many: workers survive, and lose nothing. @module */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { checkLedger, enqueueJobs, Ledger, recordedJobs, withStore } from "../support/ledger.ts";
import { waitFor } from "../support/wait_for.ts";

/** A command that runs until the test makes the file. */
function waitsFor(file: string, ledger: Ledger): string {
  return `while [ ! -e '${file}' ]; do sleep 0.02; done; ${ledger.command()}`;
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
