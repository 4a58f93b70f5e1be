/** Copies, examinations and rescues of a SQLite file as a whole. @module */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConflictError, NotFoundError, StoreUnavailableError } from "../../lib/core/errors.ts";
import { careOf, type Check, type Store } from "../../lib/store/mod.ts";
import { Connection } from "../../lib/store/sqlite/connection.ts";
import { openDriver } from "../../lib/store/sqlite/driver.ts";
import { migrate } from "../../lib/store/sqlite/migrate.ts";
import initialSchema from "../../lib/store/sqlite/migrations/001_initial.sql" with { type: "text" };
import { aClaim, aJob, aNewJob, aReport, aWorker } from "../support/factories.ts";
import { START } from "../support/fake_clock.ts";
import { execute, integrity, query } from "../support/sqlite_database.ts";
import { startClient } from "../support/store_clients.ts";
import { tempDirectory, type TempStore, tempStore } from "../support/temp_store.ts";

const ACTOR = { user: "test", host: "host", pid: 1 };
const PAGE = 4_096;

async function checksOf(path: string, { fix = false } = {}): Promise<Map<string, Check>> {
  const checks = await (await careOf(path)).examine({ fix, now: Date.now() });
  return new Map(checks.map((check) => [check.name, check]));
}

async function troubles(path: string): Promise<string[]> {
  return [...(await checksOf(path)).values()].filter(({ status }) => status !== "ok").map(({ name }) => name);
}

/** A store with jobs of all kinds, closed: `count` pending ones, a completed one with output, a running one. */
async function filled(count: number): Promise<TempStore> {
  const temp = await tempStore();
  const { store } = temp;
  await store.settings.set("lease", "1m");
  const done = await aJob(store, { id: "done", state: "processing" });
  const stdout = new TextEncoder().encode("hi\n");
  const output = { stdout, stderr: null, stdoutBytes: 3, stderrBytes: 0, droppedBytes: 0 };
  await store.jobs.finish([aReport(done, { output })]);
  await aJob(store, { id: "running", state: "processing", workerId: "w1" });
  await store.workers.register(aWorker({ id: "w1" }));
  await store.jobs.enqueue(
    Array.from({ length: count }, (_, i) => aNewJob({ id: `job-${i}`, command: `echo ${i} ${"x".repeat(i % 300)}` })),
  );
  await store.close();
  return temp;
}

async function idsOf(store: Store): Promise<string[]> {
  return (await store.jobs.list({})).map(({ id }) => id).toReversed();
}

/** Makes a page unreadable; pages count from 1. */
function damage(path: string, page: number): void {
  using file = Deno.openSync(path, { read: true, write: true });
  file.seekSync((page - 1) * PAGE, Deno.SeekMode.Start);
  file.writeSync(new Uint8Array(PAGE).fill(0xa5));
}

function pagesOf(path: string, table: string): number[] {
  return query(path, `select pageno from dbstat where name = '${table}' order by pageno`).map((row) =>
    Number(row.pageno)
  );
}

Deno.test("a backup holds all that was there, is for its owner only, and opens", async () => {
  await using temp = await filled(20);
  const file = `${temp.directory}/backup.db`;

  const copy = await (await careOf(temp.path)).backup(file, { replace: false });

  assertEquals([copy.jobs, copy.bytes], [22, (await Deno.stat(file)).size]);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  assertEquals(integrity(file), "ok");
  assertEquals(query(file, "select count(*) as n from jobs").map(({ n }) => n), [22]);
  assertEquals([...Deno.readDirSync(temp.directory)].filter(({ name }) => /partial/.test(name)), []);
});

Deno.test("a backup under a writer holds every job that was acknowledged before it", async () => {
  await using temp = await tempStore();
  const care = await careOf(temp.path);
  await using client = await startClient([temp.path, "enqueue", "busy", "400", "3"]);
  await client.go();

  const counts: number[] = [];
  for (let i = 0; i < 5; i++) {
    const before = (await temp.store.jobs.counts()).reduce((sum, { n }) => sum + n, 0);
    const { jobs } = await care.backup(`${temp.directory}/backup-${i}.db`, { replace: false });
    assert(jobs >= before, `${jobs} in the copy, ${before} before it was made`);
    assertEquals(jobs % 3, 0, "a batch is in it whole or not at all");
    assertEquals(integrity(`${temp.directory}/backup-${i}.db`), "ok");
    counts.push(jobs);
  }
  await client.result();
});

Deno.test("a backup never overwrites a file, unless told to replace it", async () => {
  await using temp = await filled(1);
  const file = `${temp.directory}/notes`;
  await Deno.writeTextFile(file, "mine");
  const care = await careOf(temp.path);

  await assertRejects(() => care.backup(file, { replace: false }), ConflictError, "the file exists");
  assertEquals(await Deno.readTextFile(file), "mine");
  await care.backup(file, { replace: true });
  assertEquals(integrity(file), "ok");
});

Deno.test("a backup never replaces the database itself, its log, or it by another name", async () => {
  await using temp = await filled(3);
  const care = await careOf(temp.path);
  await Deno.symlink(temp.path, `${temp.directory}/link`);
  const before = await Deno.readFile(temp.path);

  for (const file of [temp.path, `${temp.path}-wal`, `${temp.directory}/link`]) {
    await assertRejects(() => care.backup(file, { replace: true }), ConflictError, "itself");
  }
  assertEquals(await Deno.readFile(temp.path), before);
});

Deno.test("restoring through a link replaces what it leads to, and the link stays", async () => {
  await using temp = await filled(3);
  const link = `${temp.directory}/link.db`;
  await Deno.symlink(temp.path, link);
  await (await careOf(temp.path)).backup(`${temp.directory}/backup.db`, { replace: false });
  const later = await temp.open();
  await aJob(later, { id: "later" });
  await later.close();

  const { setAside } = await (await careOf(link)).restore(`${temp.directory}/backup.db`, { now: START, actor: ACTOR });

  assertEquals((await Deno.lstat(link)).isSymlink, true);
  assertEquals(query(link, "select id from jobs where id = 'later'"), []);
  assertEquals(query(setAside!, "select id from jobs where id = 'later'").length, 1);
  assertEquals(setAside!.startsWith(`${temp.path}.replaced-`), true);
});

Deno.test("where there is no database there is no backup, and none is made by asking", async () => {
  await using temp = await tempDirectory();

  const care = await careOf(`${temp.path}/queue.db`);

  await assertRejects(() => care.backup(`${temp.path}/b.db`, { replace: false }), NotFoundError, "nothing to copy");
  assertEquals([...Deno.readDirSync(temp.path)], []);
});

Deno.test("restoring puts the backup in place, the former database aside, and what was running back", async () => {
  await using temp = await filled(3);
  const care = await careOf(temp.path);
  const file = `${temp.directory}/backup.db`;
  await care.backup(file, { replace: false });
  const later = await temp.open();
  await aJob(later, { id: "later", priority: 9, state: "completed" });
  await later.close();

  const restored = await care.restore(file, { now: START, actor: ACTOR });

  assertEquals([restored.jobs, restored.released], [5, 1]);
  const store = await temp.open();
  assertEquals(await idsOf(store), ["done", "running", "job-0", "job-1", "job-2"]);
  const running = await store.jobs.find("running");
  assertEquals([running.state, running.attempts, running.run_count], ["pending", 0, 1]);
  assertEquals((await store.jobs.runs(running.seq)).map(({ outcome }) => outcome), ["interrupted"]);
  assertEquals(await store.workers.list(), []);
  assertEquals((await store.audit.list({})).filter(({ action }) => action === "restore").map(({ target }) => target), [
    file,
  ]);
  assertEquals(query(restored.setAside!, "select count(*) as n from jobs").map(({ n }) => n), [6]);
  assertEquals(query(temp.path, "pragma journal_mode").map((row) => row.journal_mode), ["wal"]);
});

Deno.test("restoring never gives a number again that a job had meanwhile", async () => {
  await using temp = await filled(3);
  const care = await careOf(temp.path);
  await care.backup(`${temp.directory}/backup.db`, { replace: false });
  const before = await temp.open();
  const { seq } = await aJob(before, { id: "later" });
  await before.close();
  await Deno.mkdir(`${temp.path}.d/logs`, { recursive: true });
  await Deno.writeTextFile(`${temp.path}.d/logs/900-1.out`, "of somebody else");

  await care.restore(`${temp.directory}/backup.db`, { now: START, actor: ACTOR });

  const after = await temp.open();
  const next = await aJob(after, { id: "next" });
  assert(next.seq > seq && next.seq > 900, `${next.seq}`);
  assertEquals([...Deno.readDirSync(`${temp.path}.d/logs`)], [], "output of runs that are unknown now is set aside");
});

Deno.test("restoring keeps what the log of the former database holds", async () => {
  await using temp = await filled(1);
  const care = await careOf(temp.path);
  await care.backup(`${temp.directory}/backup.db`, { replace: false });
  // Open, so that its changes are in the log alone.
  const open = await temp.open();
  await aJob(open, { id: "in-the-log" });

  const { setAside } = await care.restore(`${temp.directory}/backup.db`, { now: START, actor: ACTOR });

  assertEquals(query(setAside!, "select id from jobs where id = 'in-the-log'").length, 1);
});

Deno.test("two restores in the same second set two databases aside", async () => {
  await using temp = await filled(1);
  const care = await careOf(temp.path);
  await care.backup(`${temp.directory}/backup.db`, { replace: false });

  const names = [
    (await care.restore(`${temp.directory}/backup.db`, { now: START, actor: ACTOR })).setAside,
    (await care.restore(`${temp.directory}/backup.db`, { now: START, actor: ACTOR })).setAside,
  ];

  assertEquals(names, [`${temp.path}.replaced-20261130T110000Z`, `${temp.path}.replaced-20261130T110000Z-2`]);
});

Deno.test("what cannot be a backup is refused, and the database stays as it is", async () => {
  await using temp = await filled(30);
  const care = await careOf(temp.path);
  const path = (name: string) => `${temp.directory}/${name}`;
  await Deno.writeTextFile(path("notes"), "not a database at all, only some text that somebody wrote\n".repeat(99));
  await Deno.writeTextFile(path("empty"), "");
  execute(path("foreign"), "create table songs (title text)");
  await care.backup(path("newer"), { replace: false });
  execute(path("newer"), "pragma user_version = 9999");
  await care.backup(path("damaged"), { replace: false });
  damage(path("damaged"), pagesOf(path("damaged"), "jobs").at(-1)!);
  const before = await Deno.readFile(temp.path);

  await assertRejects(() => care.inspect(path("missing")), NotFoundError, "No backup");
  for (const name of ["notes", "empty", "foreign", "newer", "damaged", "."]) {
    await assertRejects(() => care.inspect(path(name)), StoreUnavailableError, "Cannot use");
  }
  assertEquals(await Deno.readFile(temp.path), before);
});

Deno.test("a database cannot be restored from itself", async () => {
  await using temp = await filled(1);

  const care = await careOf(temp.path);

  await assertRejects(() => care.restore(temp.path, { now: START, actor: ACTOR }), ConflictError, "itself");
});

Deno.test("a healthy database has no troubles, and looking changes nothing", async () => {
  await using temp = await filled(10);
  const before = await Deno.readFile(temp.path);

  assertEquals(await troubles(temp.path), []);
  assertEquals(await Deno.readFile(temp.path), before);
});

Deno.test("every damaged page of jobs or runs is found, nothing is written, and the other jobs are saved", async () => {
  await using temp = await filled(150);
  const whole = await Deno.readFile(temp.path);
  const pages = [1, ...pagesOf(temp.path, "jobs"), ...pagesOf(temp.path, "runs"), ...pagesOf(temp.path, "jobs_id")];
  const leaves = "name = 'jobs' and pagetype = 'leaf'";
  const mostOnAPage = Number(query(temp.path, `select max(ncell) as n from dbstat where ${leaves}`)[0]?.n);
  for (const page of pages) {
    await Deno.writeFile(temp.path, whole);
    damage(temp.path, page);
    const damaged = await Deno.readFile(temp.path);
    const saved = `${temp.directory}/saved-${page}.db`;

    const checks = await checksOf(temp.path, { fix: true });
    const { jobs } = await (await careOf(temp.path)).salvage(saved, { now: START });

    assert([...checks.values()].some(({ isFatal }) => isFatal), `page ${page}: not found`);
    assertEquals(await Deno.readFile(temp.path), damaged, `page ${page}: changed`);
    assert(jobs >= 152 - mostOnAPage && mostOnAPage < 40, `page ${page}: only ${jobs} jobs saved`);
    // Without its first page the list of tables is gone, and with it what was kept of the output.
    assertEquals((await troubles(saved)).filter((name) => page > 1 || name !== "output of runs"), [], `page ${page}`);
  }
});

Deno.test("damage above the pages that hold the jobs costs not one of them, and they go on", async () => {
  await using temp = await filled(150);
  const root = Number(query(temp.path, "select rootpage from sqlite_schema where name = 'jobs'")[0]?.rootpage);
  damage(temp.path, root);
  const saved = `${temp.directory}/saved.db`;

  const salvaged = await (await careOf(temp.path)).salvage(saved, { now: START });

  assertEquals([salvaged.jobs, salvaged.foundByPage, salvaged.runs], [152, 152, 2]);
  await (await careOf(temp.path)).restore(saved, { now: START, actor: ACTOR });
  const store = await temp.open();
  assertEquals((await store.jobs.find("job-149")).command, `echo 149 ${"x".repeat(149)}`);
  assertEquals((await store.jobs.find("running")).state, "pending");
  assertEquals(await store.settings.all(), new Map([["lease", "1m"]]));
  assertEquals((await store.jobs.claim(aClaim({ slots: 200 }))).length, 151);
});

Deno.test("with a backup even the jobs on damaged pages come back, and none that was removed since", async () => {
  await using temp = await filled(150);
  const care = await careOf(temp.path);
  await care.backup(`${temp.directory}/backup.db`, { replace: false });
  const later = await temp.open();
  await aJob(later, { id: "later", tags: ["x"] });
  await later.jobs.remove({ states: ["completed"] }, 1);
  await later.close();
  // Not the first: "done" was on it.
  const [, , page] = pagesOf(temp.path, "jobs").slice(1);
  damage(temp.path, page!);
  const saved = `${temp.directory}/saved.db`;

  const salvaged = await care.salvage(saved, { now: START, backup: `${temp.directory}/backup.db` });

  const ids = new Set(query(saved, "select id from jobs").map(({ id }) => id));
  assert(salvaged.fromBackup > 0);
  for (let i = 0; i < 150; i++) assert(ids.has(`job-${i}`), `job-${i} is missing`);
  assertEquals([ids.has("later"), ids.has("running"), ids.has("done"), ids.size], [true, true, false, 152]);
  assertEquals(await troubles(saved), []);
});

Deno.test("salvage never overwrites a file, and of a healthy database it loses nothing", async () => {
  await using temp = await filled(5);
  const care = await careOf(temp.path);
  await Deno.writeTextFile(`${temp.directory}/mine`, "mine");

  await assertRejects(() => care.salvage(`${temp.directory}/mine`, { now: START }), ConflictError);
  const saved = await care.salvage(`${temp.directory}/saved.db`, { now: START });

  assertEquals([saved.jobs, saved.runs, saved.refused, saved.incomplete], [7, 2, 0, []]);
  assertEquals([...Deno.readDirSync(temp.directory)].filter(({ name }) => /staging|salvage-/.test(name)), []);
});

const MENDED: Readonly<Record<string, { readonly spoil: (path: string) => void; readonly check: string }>> = {
  "a wrong counter": {
    spoil: (path) => execute(path, "update job_counts set n = n + 5 where state = 'pending'"),
    check: "counters",
  },
  "a missing counter": { spoil: (path) => execute(path, "delete from job_counts"), check: "counters" },
  "a missing index": { spoil: (path) => execute(path, "drop index jobs_ready"), check: "schema" },
  "a missing trigger": { spoil: (path) => execute(path, "drop trigger jobs_count_delete"), check: "schema" },
  "a file that others may read": { spoil: (path) => Deno.chmodSync(path, 0o644), check: "permissions" },
  "a journal in another mode": { spoil: (path) => execute(path, "pragma journal_mode = delete"), check: "journal" },
  "an output file of nobody": {
    spoil: (path) => {
      Deno.mkdirSync(`${path}.d/logs`, { recursive: true, mode: 0o700 });
      Deno.chmodSync(`${path}.d`, 0o700);
      Deno.writeTextFileSync(`${path}.d/logs/999-1.out`, "x");
    },
    check: "output files",
  },
  "half a copy": {
    spoil: (path) => {
      Deno.writeTextFileSync(`${path}.4711.staging`, "x");
      Deno.utimeSync(`${path}.4711.staging`, 0, 0);
    },
    check: "left over",
  },
};

for (const [what, { spoil, check }] of Object.entries(MENDED)) {
  Deno.test(`${what} is found, left as it is without --fix, and mended with it`, async () => {
    await using temp = await filled(5);
    spoil(temp.path);

    assertEquals(await troubles(temp.path), [check]);
    assertEquals(await troubles(temp.path), [check], "looking mends nothing");
    const mended = (await checksOf(temp.path, { fix: true })).get(check);
    assertEquals([mended?.status, mended?.isFixed], ["ok", true]);
    assertEquals(await troubles(temp.path), []);
  });
}

Deno.test("a run whose output file is gone is found", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { state: "processing" });
  const output = { stdout: new Uint8Array(8), stderr: null, stdoutBytes: 100_000, stderrBytes: 0, droppedBytes: 0 };
  await temp.store.jobs.finish([aReport(job, { output })]);

  const check = (await checksOf(temp.path)).get("output of runs");

  assertEquals(check?.status, "warning");
  assertStringIncludes(check?.message ?? "", "1-1");
});

Deno.test("a table that another program changed makes the database unusable", async () => {
  await using temp = await filled(1);
  execute(temp.path, "alter table jobs add column extra text");

  const check = (await checksOf(temp.path)).get("schema");

  assertEquals([check?.status, check?.isFatal], ["error", true]);
});

Deno.test("a database that is gone while its folder is there is told, and nothing is made", async () => {
  await using temp = await tempDirectory();
  await Deno.mkdir(`${temp.path}/queue.db.d`);

  const gone = (await checksOf(`${temp.path}/queue.db`)).get("database");
  const never = (await checksOf(`${temp.path}/other.db`)).get("database");

  assertEquals([gone?.status, gone?.isFatal, never?.status], ["error", true, "ok"]);
  assertEquals([...Deno.readDirSync(temp.path)].map(({ name }) => name), ["queue.db.d"]);
});

Deno.test("a migration is preceded by a copy, and the newest three copies are kept", async () => {
  await using temp = await filled(2);
  const first = () => Promise.resolve({ default: initialSchema });
  const step = (n: number) => () => Promise.resolve({ default: `create table added_${n} (x integer)` });
  const folder = `${temp.path}.d/backups`;
  for (let version = 2; version <= 6; version++) {
    const connection = new Connection(openDriver(temp.path, { busyTimeoutMs: 0 }), {
      path: temp.path,
      busyTimeoutMs: 0,
    });
    const added = Array.from({ length: version - 1 }, (_, i) => step(i + 2));

    await migrate(connection, [first, ...added]);

    connection.close();
  }

  const copies = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
  assertEquals(copies.map((name) => name.slice(0, 15)), ["before-schema-4", "before-schema-5", "before-schema-6"]);
  const newest = `${folder}/${copies.at(-1)}`;
  assertEquals(query(newest, "pragma user_version").map((row) => row.user_version), [5]);
  assertEquals(query(newest, "select count(*) as n from jobs").map(({ n }) => n), [4]);
  assertEquals(query(temp.path, "pragma user_version").map((row) => row.user_version), [6]);
});

Deno.test("a migration that fails leaves the database as it was", async () => {
  await using temp = await filled(2);
  const connection = new Connection(openDriver(temp.path, { busyTimeoutMs: 0 }), { path: temp.path, busyTimeoutMs: 0 });
  const first = () => Promise.resolve({ default: initialSchema });
  const broken = () => Promise.resolve({ default: "create table half (x integer); create table half (x integer)" });

  await assertRejects(() => migrate(connection, [first, broken]));

  connection.close();
  assertEquals(await troubles(temp.path), []);
});

Deno.test("a backup that was copied into place by hand is in WAL mode again once it is written to", async () => {
  await using temp = await filled(2);
  await (await careOf(temp.path)).backup(`${temp.directory}/b.db`, { replace: false });
  for (const ending of ["", "-wal", "-shm"]) await Deno.remove(temp.path + ending).catch(() => {});
  await Deno.copyFile(`${temp.directory}/b.db`, temp.path);

  const store = await temp.open();

  assertEquals((await idsOf(store)).length, 4);
  assertEquals(query(temp.path, "pragma journal_mode").map((row) => row.journal_mode), ["wal"]);
});
