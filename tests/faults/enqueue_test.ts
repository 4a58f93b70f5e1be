/** What `enqueue` said is kept, whatever happens to it. @module */
import { assert, assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { sandbox } from "../support/binary.ts";
import { recordedJobs } from "../support/ledger.ts";
import { integrity } from "../support/sqlite_database.ts";
import { waitFor } from "../support/wait_for.ts";

const KILLS = 40;

Deno.test("enqueue is killed at random: an id that was printed is a job that is there, and no job is there by half", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "first", "true"]);
  const started = performance.now();
  await box.ok(["enqueue", "--id", "second", "true"]);
  const usualMs = performance.now() - started;
  const printed: string[] = ["first", "second"];

  for (let kill = 0; kill < KILLS; kill++) {
    const enqueue = await box.start(["enqueue", "--id", `job${kill}`, "--tag", "t", "true"]);
    // Spread over its whole life, a bit beyond its end.
    await delay(usualMs * 1.3 * (kill + 1) / KILLS);
    const { stdout } = await enqueue.kill();
    if (stdout !== "") printed.push(stdout.trim());
  }

  const jobs = await recordedJobs(box);
  const there = new Set(jobs.map(({ id }) => id));
  assertEquals(printed.filter((id) => !there.has(id)), [], "an acknowledged job is lost");
  assertEquals(
    jobs.filter(({ id, tags }) => id.startsWith("job") && tags.join() !== "t"),
    [],
    "a job is there by half",
  );
  assertEquals(integrity(box.db), "ok");
});

Deno.test("the log of the database is synced before enqueue prints the id", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const trace = `${box.directory}/trace`;

  const { code, stdout, stderr } = await box.run(
    ["-f", "-qq", "-y", "-o", trace, "-e", "trace=fdatasync,fsync,write,pwrite64", box.binary, "enqueue", "true"],
    { program: "/usr/bin/strace" },
  );

  assertEquals(code, 0, stderr);
  const calls = Deno.readTextFileSync(trace).split("\n");
  const told = calls.findIndex((call) => /\bwrite\(1</.test(call) && call.includes(stdout.trim()));
  const before = calls.slice(0, Math.max(0, told));
  const written = before.findLastIndex((call) => /\bpwrite64\(\d+<[^>]*-wal>/.test(call));
  const synced = before.findLastIndex((call) => /\b(fdatasync|fsync)\(\d+<[^>]*-wal>/.test(call));
  assert(written >= 0 && synced > written, calls.join("\n"));
});

Deno.test("a copy of the files as a power cut would leave them is whole, with every job that was acknowledged", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const workers = [await box.start(["worker", "run", "--quiet"]), await box.start(["worker", "run", "--quiet"])];
  const acknowledged: string[] = [];
  let isOver = false;
  const enqueuing = (async () => {
    while (!isOver) acknowledged.push(await box.ok(["enqueue", "true"]));
  })();

  for (const [cut, enough] of [2, 6, 12].entries()) {
    await waitFor(() => acknowledged.length >= enough, `${enough} jobs to be acknowledged`);
    // What is under way ends in the copy as it stands at this moment.
    const all = box.processes().map(({ pid }) => pid);
    for (const pid of all) signal(pid, "SIGSTOP");
    const known = [...acknowledged];
    const copy = `${box.directory}/copy${cut}.db`;
    for (const suffix of ["", "-wal"]) Deno.copyFileSync(`${box.db}${suffix}`, `${copy}${suffix}`);
    for (const pid of all) signal(pid, "SIGCONT");

    assertEquals(integrity(copy), "ok");
    const there = new Set((await box.json(["--db", copy, "list", "--limit", "0"])).map(({ id }: { id: string }) => id));
    assertEquals(known.filter((id) => !there.has(id)), []);
  }

  isOver = true;
  await enqueuing;
  for (const worker of workers) worker.signal("SIGTERM");
  for (const worker of workers) await worker.wait();
});

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
