/**
 * docs/recovery.md, taken at its word: each case brings about a trouble and
 * then runs the commands that the page gives for it, as they stand there.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Ended, type Sandbox, sandbox } from "../support/binary.ts";
import { execute, query } from "../support/sqlite_database.ts";
import { waitFor } from "../support/wait_for.ts";

const PAGE_SIZE = 4_096;

/** The commands below a heading of the page, block by block. */
function documented(heading: string): string[] {
  const text = Deno.readTextFileSync(new URL("../../docs/recovery.md", import.meta.url));
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/recovery.md has no section "${heading}"`);
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
}

/** Runs commands of the page; what it calls /backup is a folder of the sandbox. */
async function follow(box: Sandbox, commands: string): Promise<Ended> {
  const folder = `${box.directory}/backup`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.mkdir(`${box.home}/bin`, { recursive: true });
  await Deno.symlink(box.binary, `${box.home}/bin/queuectl`).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
  return await box.run(["-ec", commands.replaceAll(/(?<![\w.])\/backup\//g, `${folder}/`)], {
    program: "/bin/sh",
    env: { PATH: `${box.home}/bin:${Deno.env.get("PATH")}` },
  });
}

async function succeed(box: Sandbox, commands: string): Promise<string> {
  const { code, stdout, stderr } = await follow(box, commands);
  assertEquals(code, 0, `${commands}\n${stdout}${stderr}`);
  return stdout;
}

async function enqueueMany(box: Sandbox, prefix: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ id: `${prefix}-${i}`, command: `echo ${i}` }));
  await box.ok(["enqueue-batch", "-"], { stdin: lines.join("\n") });
}

/** Overwrites a page in the middle of the jobs. */
function flipPage(path: string): void {
  const pages = query(path, "select pageno from dbstat where name = 'jobs' and pagetype = 'leaf' order by pageno");
  const page = Number(pages[Math.floor(pages.length / 2)]?.pageno);
  using file = Deno.openSync(path, { read: true, write: true });
  file.seekSync((page - 1) * PAGE_SIZE, Deno.SeekMode.Start);
  file.writeSync(crypto.getRandomValues(new Uint8Array(PAGE_SIZE)));
}

async function idsIn(box: Sandbox): Promise<Set<string>> {
  return new Set((await box.json<{ id: string }[]>(["list", "--limit", "0"])).map(({ id }) => id));
}

Deno.test("a flipped page: doctor reports it, nothing is overwritten, and the page brings every job back", async () => {
  await using box = await sandbox();
  const [backup = ""] = documented("Before: make backups");
  const [salvage = "", , putInPlace = ""] = documented("The database is damaged");
  await enqueueMany(box, "early", 200);
  await succeed(box, backup);
  await enqueueMany(box, "late", 3);
  execute(box.db, "pragma wal_checkpoint(truncate)");
  flipPage(box.db);
  const damaged = await Deno.readFile(box.db);

  const report = await box.run(["doctor"]);
  const fixing = await box.run(["doctor", "--fix"]);
  assertEquals([report.code, fixing.code], [5, 5]);
  assertStringIncludes(report.stdout, "The database is damaged");
  assertStringIncludes(report.stdout, "--salvage");
  assertEquals(await Deno.readFile(box.db), damaged, "the damaged file was changed");

  await succeed(box, salvage);
  assertEquals(await Deno.readFile(box.db), damaged, "the damaged file was changed");
  await succeed(box, putInPlace);

  const ids = await idsIn(box);
  for (let i = 0; i < 200; i++) assert(ids.has(`early-${i}`), `early-${i} is lost`);
  for (let i = 0; i < 3; i++) assert(ids.has(`late-${i}`), `late-${i} is lost`);
  const aside = [...Deno.readDirSync(box.directory)].find(({ name }) => /^queue\.db\.replaced-\w+$/.test(name));
  assertEquals(
    await Deno.readFile(`${box.directory}/${aside?.name}`),
    damaged,
    "the damaged file is set aside as it was",
  );
  await box.ok(["worker", "run", "--drain", "--concurrency", "4", "-q"]);
  assertEquals((await box.json(["status"])).jobs.completed, 203);
});

Deno.test("a flipped page without a backup costs the jobs of that page and no other", async () => {
  await using box = await sandbox();
  const [, salvage = "", putInPlace = ""] = documented("The database is damaged");
  await enqueueMany(box, "job", 200);
  execute(box.db, "pragma wal_checkpoint(truncate)");
  const leaves = "name = 'jobs' and pagetype = 'leaf'";
  const most = Number(query(box.db, `select max(ncell) as n from dbstat where ${leaves}`)[0]?.n);
  flipPage(box.db);

  await succeed(box, salvage);
  await succeed(box, putInPlace);

  const ids = await idsIn(box);
  assert(ids.size >= 200 - most, `only ${ids.size} of 200 are left`);
});

Deno.test("a damaged database can be replaced by the backup alone", async () => {
  await using box = await sandbox();
  const [backup = ""] = documented("Before: make backups");
  const restore = documented("The database is damaged").at(-1) ?? "";
  await enqueueMany(box, "job", 20);
  await succeed(box, backup);
  await Deno.writeFile(box.db, crypto.getRandomValues(new Uint8Array(50_000)));
  assertEquals((await box.run(["doctor"])).code, 5);

  await succeed(box, restore);

  assertEquals((await idsIn(box)).size, 20);
});

Deno.test("killed everything: a worker gives back what was running, and all is well", async () => {
  await using box = await sandbox();
  const [restart = ""] = documented("Everything was killed");
  const go = `${box.directory}/go`;
  await box.ok(["enqueue", "--id", "long", `until [ -e '${go}' ]; do sleep 0.05; done`]);
  const worker = await box.start(["worker", "run"]);
  await waitFor(async () => (await box.json(["show", "long"])).state === "processing", "the job to run");
  await worker.kill();
  await box.killAll();
  await Deno.writeTextFile(go, "");
  const report = await box.json<{ name: string; status: string }[]>(["doctor"]).catch((error) => String(error));
  assertStringIncludes(String(report), "gone", "doctor tells of the worker");

  await succeed(box, restart);

  assertEquals((await box.json(["show", "long"])).state, "completed");
});

Deno.test("a lost log: the database is whole as of its last checkpoint", async () => {
  await using box = await sandbox();
  const [look = ""] = documented("The log beside the database is lost");
  await enqueueMany(box, "job", 20);
  execute(box.db, "pragma wal_checkpoint(truncate)");
  const holder = await box.start(["worker", "run", "--queue", "nothing"]);
  await waitFor(async () => (await box.json(["status"])).workers.length > 0, "the worker to register");
  await box.ok(["enqueue", "--id", "in-the-log", "true"]);
  await holder.kill();
  await box.killAll();
  for (const ending of ["-wal", "-shm"]) await Deno.remove(box.db + ending).catch(() => {});

  await follow(box, look);

  assertEquals((await idsIn(box)).size, 20);
});

Deno.test("a full disk, a moved database, wrong permissions, a wrong clock and counters: the commands work", async () => {
  await using box = await sandbox();
  await enqueueMany(box, "job", 5);
  await box.ok(["worker", "run", "--drain", "-q"]);
  await box.ok(["enqueue", "--id", "waiting", "--delay", "300d", "true"]);
  execute(box.db, "update job_counts set n = 77 where state = 'completed'");
  await Deno.chmod(box.db, 0o666);

  await succeed(box, documented("Counters, indexes, leftovers")[0] ?? "");
  await succeed(box, documented("The disk is full")[0] ?? "");
  await succeed(box, documented("The database is locked")[0] ?? "");
  await Deno.chmod(box.db, 0o666);
  for (const commands of documented("The permissions are wrong")) {
    await succeed(box, commands);
    assertEquals((await Deno.stat(box.db)).mode! & 0o777, 0o600);
    await Deno.chmod(box.db, 0o666);
  }
  await Deno.chmod(box.db, 0o600);
  await succeed(box, documented("The clock was wrong")[0] ?? "");
  assertEquals((await box.json(["show", "waiting"])).state, "pending");
  await succeed(box, documented("The database is to be moved, or was")[0] ?? "");
  const moved = `${box.directory}/backup/new/queue.db`;
  assertEquals((await box.json(["--db", moved, "list", "--limit", "0"])).length, 6);
});

Deno.test("a newer schema is refused, and the copy from before the upgrade brings the older one back", async () => {
  await using box = await sandbox();
  await enqueueMany(box, "job", 5);
  await Deno.mkdir(`${box.db}.d/backups`, { recursive: true, mode: 0o700 });
  await box.ok(["backup", `${box.db}.d/backups/before-schema-2-20260101T000000Z.db`]);
  execute(box.db, "pragma user_version = 2000");
  assertEquals((await box.run(["list"])).code, 5);

  await succeed(box, documented("The database was written by a newer queuectl")[0] ?? "");

  assertEquals((await idsIn(box)).size, 5);
});
