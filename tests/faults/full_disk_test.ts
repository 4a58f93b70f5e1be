/** The disk is full while jobs are enqueued, claimed, finished, or print: all of it waits, and nothing is lost. @module */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Sandbox, sandbox, type Started } from "../support/binary.ts";
import { Ledger } from "../support/ledger.ts";
import { type SmallDisk, smallDisk } from "../support/small_disk.ts";
import { waitFor } from "../support/wait_for.ts";

/** Room for the database and a little more. */
const DISK = "4m";

interface Trouble extends AsyncDisposable {
  readonly box: Sandbox;
  readonly disk: SmallDisk;
  readonly worker: Started;
  readonly ledger: Ledger;
  /** Adds a job that runs where there is room. */
  enqueue(options: readonly string[], command: string): Promise<string>;
  // deno-lint-ignore no-explicit-any -- as of Sandbox.json
  show(id: string): Promise<any>;
  /** A command that waits until `letGo()`. */
  gated(command: string): string;
  letGo(): Promise<void>;
}

/** A worker whose database and output are on a small disk. */
async function trouble(workerArgs: readonly string[] = []): Promise<Trouble> {
  await using stack = new AsyncDisposableStack();
  const box = stack.use(await sandbox());
  const disk = stack.use(await smallDisk(DISK));
  const db = ["--db", `${disk.path}/queue.db`];
  const worker = await box.start([...db, "worker", "run", ...workerArgs], { env: { TOKEN: "hunter2-and-more" } });
  await waitFor(() => worker.stderr().includes("worker started"), "the worker to start");
  const go = `${box.directory}/go`;
  const kept = stack.move();
  return {
    box,
    disk,
    worker,
    ledger: new Ledger(box),
    enqueue: (options, command) => box.ok([...db, "enqueue", "--max-retries", "0", ...options, command]),
    show: (id) => box.json([...db, "show", id]),
    gated: (command) => `while [ ! -e '${go}' ]; do sleep 0.02; done; ${command}`,
    letGo: () => Deno.writeTextFile(go, ""),
    async [Symbol.asyncDispose]() {
      // First of all: it has files open there.
      await worker.kill();
      await kept.disposeAsync();
    },
  };
}

async function stop(worker: Started): Promise<void> {
  worker.signal("SIGTERM");
  assertEquals((await worker.wait()).code, 0, worker.stderr());
}

Deno.test("a full disk while enqueuing: exit code 5 and one sentence, nothing is there by half", async () => {
  await using t = await trouble();
  await t.disk.fill();

  const db = ["--db", `${t.disk.path}/queue.db`];
  const refused = await t.box.run([...db, "enqueue", "true"]);
  assertEquals([refused.code, refused.stdout], [5, ""]);
  assertMatch(refused.stderr, /^queuectl: Cannot use database .*: the disk is full\nTry: /);
  const batch = await t.box.run([...db, "enqueue-batch", "--lines", "-"], { stdin: "true\n".repeat(1_000) });
  assertEquals([batch.code, batch.stdout], [5, ""]);
  assertEquals(await t.box.json([...db, "list"]), []);

  await t.disk.free();
  const id = await t.enqueue([], t.ledger.command());
  await waitFor(async () => (await t.show(id)).state === "completed", "the worker to go on");
  await stop(t.worker);
});

Deno.test("a full disk while claiming: the job waits and runs once when there is room", async () => {
  await using t = await trouble();
  const id = await t.enqueue(["--delay", "1s"], t.ledger.command());
  await t.disk.fill();

  await waitFor(() => /the store is in trouble .*the disk is full/.test(t.worker.stderr()), "the claim to be refused");
  assertEquals([(await t.show(id)).run_count, t.ledger.lines()], [0, []]);

  await t.disk.free();
  await waitFor(async () => (await t.show(id)).state === "completed", "the job to run");
  assertEquals([(await t.show(id)).run_count, t.ledger.starts(id)], [1, 1]);
  await stop(t.worker);
});

Deno.test("a full disk while finishing: the result waits until there is room, and the job ran once", async () => {
  await using t = await trouble();
  const id = await t.enqueue([], t.gated(t.ledger.command()));
  await waitFor(async () => (await t.show(id)).state === "processing", "the job to run");
  await t.disk.fill();

  await t.letGo();
  await waitFor(() => t.worker.stderr().includes("result not stored yet"), "the result to be refused");
  assertEquals((await t.show(id)).state, "processing");

  await t.disk.free();
  await waitFor(async () => (await t.show(id)).state === "completed", "the result to be stored");
  assertEquals([(await t.show(id)).run_count, t.ledger.starts(id)], [1, 1]);
  await stop(t.worker);
});

Deno.test("a full disk while printing: no job fails because of it, and what was lost is counted", async () => {
  await using t = await trouble(["--concurrency", "2"]);
  // 3.4 MB each, much more than a pipe holds. The first writes to its file itself, and may do with the error what it
  // likes; for the second we write.
  const plain = await t.enqueue([], t.gated("seq 500000; : >plain"));
  const redacted = await t.enqueue(["--secret-env", "TOKEN"], t.gated("seq 500000 && echo $TOKEN && : >redacted"));
  await waitFor(
    async () => (await t.show(plain)).state === "processing" && (await t.show(redacted)).state === "processing",
    "both jobs to run",
  );
  await t.disk.fill(64 * 1024);

  await t.letGo();
  const printed = ["plain", "redacted"].map((name) => `${t.box.directory}/${name}`);
  await waitFor(() => printed.every(exists), "both jobs to have printed all");
  await t.disk.free();

  for (const id of [plain, redacted]) {
    await waitFor(async () => (await t.show(id)).state === "completed", `job ${id} to end`);
  }
  const { runs: [{ stdout_bytes, dropped_bytes }] } = await t.show(redacted);
  assertEquals(stdout_bytes, 3_388_895 + "[redacted]\n".length);
  // All but what went into the room that was left, and what was still in the pipe when there was room again.
  assert(dropped_bytes > 1_000_000, `only ${dropped_bytes} of ${stdout_bytes} bytes are counted as dropped`);
  await stop(t.worker);
});

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

Deno.test("a full disk while a pool is to stop: TERM drains its workers and ends it", async () => {
  await using box = await sandbox();
  await using disk = await smallDisk(DISK);
  const db = ["--db", `${disk.path}/queue.db`];
  const supervisor = await box.start([...db, "worker", "start", "--foreground"]);
  try {
    await waitFor(async () => (await box.json([...db, "worker", "status"])).length === 1, "the worker to start");
    await disk.fill();

    supervisor.signal("SIGTERM");

    assertEquals((await supervisor.wait()).code, 0);
    assertMatch(supervisor.stderr(), /worker drains .*^\d\d:\d\d:\d\d supervisor ended how=stopped$/ms);
    assertEquals(box.processes(), []);
  } finally {
    await box.killAll();
  }
});
