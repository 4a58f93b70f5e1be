/** What only a file can get wrong: who may read it, whose it is, whether it is whole, locked or out of space. @module */
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreBusyError, StoreUnavailableError, UsageError } from "../../lib/core/errors.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../lib/store/mod.ts";
import { aClaim, aJob, aNewJob, aReport } from "../support/factories.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { smallDisk } from "../support/small_disk.ts";
import { execute, integrity, query } from "../support/sqlite_database.ts";
import { runClients, startClient } from "../support/store_clients.ts";
import { tempDirectory, tempStore } from "../support/temp_store.ts";

type Mode = OpenStoreOptions["mode"];
const MODES: readonly Mode[] = ["read", "write", "work"];
const WRITING: readonly Mode[] = ["write", "work"];

/** What tells a file of another program from an empty one of ours. */
const FOREIGN: Readonly<Record<string, string>> = {
  "without any mark": "",
  "with an application id": "pragma application_id = 252006673",
  "with a user version": "pragma user_version = 3",
  "in WAL mode": "pragma journal_mode = wal",
};

function open(path: string, mode: Mode = "write", options: Partial<OpenStoreOptions> = {}): Promise<Store> {
  return openStore(path, { mode, clock: new FakeClock(), ...options });
}

async function openAndClose(path: string, mode: Mode = "write"): Promise<void> {
  await (await open(path, mode)).close();
}

async function refused(path: string, mode: Mode): Promise<StoreUnavailableError> {
  return await assertRejects(() => openAndClose(path, mode), StoreUnavailableError, "Cannot use database");
}

function modeOf(path: string): string {
  return (Deno.statSync(path).mode! & 0o7777).toString(8);
}

function filesIn(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map((entry) => entry.name).toSorted();
}

async function hashOf(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}

Deno.test("a new database is for its owner only, and so is the folder made for it", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/one/two/queue.db`;
  const umask = Deno.umask(0);
  try {
    const store = await open(path);
    await aJob(store);

    assertEquals([modeOf(`${temp.path}/one`), modeOf(`${temp.path}/one/two`)], ["700", "700"]);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) assertEquals(modeOf(file), "600", file);
    await store.close();
  } finally {
    Deno.umask(umask);
  }
});

Deno.test("a folder that was there keeps its mode", async () => {
  await using temp = await tempDirectory();
  await Deno.chmod(temp.path, 0o755);

  await openAndClose(`${temp.path}/queue.db`);

  assertEquals(modeOf(temp.path), "755");
});

Deno.test("a path without a folder is a file in the working directory", async () => {
  await using temp = await tempDirectory();
  const before = Deno.cwd();
  Deno.chdir(temp.path);
  try {
    await openAndClose("queue.db");
  } finally {
    Deno.chdir(before);
  }

  assertEquals(filesIn(temp.path), ["queue.db"]);
});

Deno.test("what is stored is there after closing and opening again", async () => {
  await using temp = await tempStore();
  const job = await aJob(temp.store, { tags: ["x"], state: "completed" });
  await temp.store.close();

  const again = await temp.open();

  assertEquals(await again.jobs.find(job.id), job);
  assertEquals((await again.jobs.runs(job.seq)).length, 1);
});

Deno.test("the file is in WAL mode", async () => {
  await using temp = await tempStore();

  assertEquals(query(temp.path, "pragma journal_mode").map((row) => row.journal_mode), ["wal"]);
});

for (const mode of MODES) {
  Deno.test(`a directory is refused as a database (${mode})`, async () => {
    await using temp = await tempDirectory();

    const error = await refused(temp.path, mode);

    assertStringIncludes(error.message, "it is a directory");
    assertEquals(filesIn(temp.path), []);
  });

  Deno.test(`a path below a file is refused (${mode})`, async () => {
    await using temp = await tempDirectory();
    await Deno.writeTextFile(`${temp.path}/file`, "");

    const error = await refused(`${temp.path}/file/queue.db`, mode);

    assertStringIncludes(error.message, "not a directory");
  });

  Deno.test(`a file that may not be read is refused and says so (${mode})`, async () => {
    await using temp = await tempStore();
    await temp.store.close();
    await Deno.chmod(temp.path, 0o000);

    const { error } = await openWithoutPrivileges(temp.path, mode);

    assertMatch(error!, /^StoreUnavailableError: Cannot use database .*: (permission denied|it cannot be opened)$/);
  });

  Deno.test(`a folder that may not be entered is refused and says so (${mode})`, async () => {
    await using temp = await tempDirectory();
    await Deno.mkdir(`${temp.path}/closed`, { mode: 0o000 });

    const { error } = await openWithoutPrivileges(`${temp.path}/closed/queue.db`, mode);

    assertMatch(error!, /^StoreUnavailableError: Cannot use database .*: permission denied$/);
  });

  Deno.test(`a file that is no database is refused and left as it is (${mode})`, async () => {
    await using temp = await tempDirectory();
    const path = `${temp.path}/notes.txt`;
    await Deno.writeTextFile(path, "Not a database, but somebody's notes.\n".repeat(500));
    const before = await hashOf(path);

    const error = await refused(path, mode);

    assertStringIncludes(error.message, "it is not a queuectl database");
    assertEquals(await hashOf(path), before);
    assertEquals(filesIn(temp.path), ["notes.txt"]);
  });

  Deno.test(`a file with a single byte is refused and left as it is (${mode})`, async () => {
    await using temp = await tempDirectory();
    const path = `${temp.path}/tiny`;
    await Deno.writeTextFile(path, "x");

    await refused(path, mode);

    assertEquals(await Deno.readTextFile(path), "x");
  });

  for (const [whose, marks] of Object.entries(FOREIGN)) {
    Deno.test(`a database of another program (${whose}) is refused and left as it is (${mode})`, async () => {
      await using temp = await tempDirectory();
      const path = `${temp.path}/other.db`;
      execute(path, `create table songs (title text); insert into songs values ('x'); ${marks}`);
      const before = await hashOf(path);

      const error = await refused(path, mode);

      assertStringIncludes(error.message, "it belongs to another program");
      assertEquals(await hashOf(path), before);
      assertEquals(filesIn(temp.path), ["other.db"]);
    });
  }

  Deno.test(`a database of a newer queuectl is refused and left as it is (${mode})`, async () => {
    await using temp = await tempStore();
    await aJob(temp.store);
    await temp.store.close();
    execute(temp.path, "pragma user_version = 9999");
    const before = await hashOf(temp.path);

    const error = await refused(temp.path, mode);

    assertStringIncludes(error.message, "newer queuectl (schema 9999");
    assertEquals(error.exitCode, 5);
    assertEquals(await hashOf(temp.path), before);
    assertEquals(filesIn(temp.directory), ["queue.db"]);
  });
}

Deno.test("an empty database of another program, marked as its own, is refused", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/other.db`;
  execute(path, "pragma application_id = 252006673; create table t (x); drop table t");

  for (const mode of MODES) assertStringIncludes((await refused(path, mode)).message, "belongs to another program");
});

Deno.test("a damaged database is reported as corrupt, and reading it changes nothing", async () => {
  await using temp = await tempStore();
  await temp.store.jobs.enqueue(Array.from({ length: 500 }, () => aNewJob()));
  await temp.store.close();
  const { size } = await Deno.stat(temp.path);
  const bytes = await Deno.readFile(temp.path);
  bytes.fill(0xa5, 4_096, size);
  await Deno.writeFile(temp.path, bytes);
  const before = await hashOf(temp.path);

  const error = await assertRejects(async () => {
    const store = await open(temp.path, "read");
    try {
      await store.jobs.list({});
    } finally {
      await store.close();
    }
  }, StoreUnavailableError);

  assertStringIncludes(error.message, "it is corrupt");
  assertEquals(await hashOf(temp.path), before);
});

for (const mode of WRITING) {
  Deno.test(`a file without a byte is a new database (${mode})`, async () => {
    await using temp = await tempDirectory();
    const path = `${temp.path}/queue.db`;
    await Deno.writeFile(path, new Uint8Array());

    const store = await open(path, mode);
    await aJob(store);
    await store.close();

    assertEquals(integrity(path), "ok");
  });
}

Deno.test("reading a database that does not exist shows an empty queue and makes nothing", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/deep/down/queue.db`;

  const store = await open(path, "read");

  assertEquals(await store.jobs.list({}), []);
  assertEquals(await store.jobs.counts(), []);
  assertEquals(await store.settings.all(), new Map());
  assertEquals(store.isSame(), true);
  await store.close();
  assertEquals(filesIn(temp.path), []);
});

Deno.test("reading a file without a byte leaves it so", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/queue.db`;
  await Deno.writeFile(path, new Uint8Array());

  const store = await open(path, "read");

  assertEquals(await store.jobs.list({}), []);
  assertEquals(store.isSame(), true);
  await store.close();
  assertEquals(filesIn(temp.path), ["queue.db"]);
  assertEquals((await Deno.stat(path)).size, 0);
});

Deno.test("a reader of a database that appears later is told that it changed", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/queue.db`;
  const reader = await open(path, "read");

  await openAndClose(path);

  assertEquals(reader.isSame(), false);
  await reader.close();
});

Deno.test("who opened a store for reading cannot write, whether there is a file or not", async () => {
  await using temp = await tempStore();
  for (const path of [temp.path, `${temp.directory}/missing.db`]) {
    const store = await open(path, "read");

    await assertRejects(() => store.jobs.enqueue([aNewJob()]), StoreUnavailableError, "read-only");
    await assertRejects(() => store.settings.set("lease", "1m"), StoreUnavailableError, "read-only");
    assertEquals(await store.jobs.list({}), []);
    await store.close();
  }
});

Deno.test("a reader sees what a writer stores meanwhile", async () => {
  await using temp = await tempStore();
  const reader = await temp.open({ mode: "read" });

  const job = await aJob(temp.store);

  assertEquals(await reader.jobs.list({}), [job]);
});

Deno.test("reading refuses an older schema and does not migrate it", async () => {
  await using temp = await tempStore();
  await temp.store.close();
  execute(temp.path, "pragma user_version = 0");
  const before = await hashOf(temp.path);

  const error = await assertRejects(() => open(temp.path, "read"), StoreUnavailableError, "older queuectl");

  assert(error.hint !== undefined);
  assertEquals(await hashOf(temp.path), before);
});

Deno.test("a location that is no path is refused without showing its password", async () => {
  const error = await assertRejects(() => open("redis://user:s3cret@host/0"), UsageError);

  assertStringIncludes(error.message, "redis://***@host/0");
});

for (const mode of MODES) {
  Deno.test(`a new database that many processes open at once serves them all (${mode} among writers)`, async () => {
    await using temp = await tempDirectory();
    const path = `${temp.path}/new/queue.db`;

    const results = await runClients(["write", "work", "write", mode, mode].map((each) => [path, "open", each]));

    assertEquals(results, Array(5).fill({ error: null }));
    assertEquals(integrity(path), "ok");
  });
}

Deno.test("a store that another process keeps locked is busy after the busy timeout, and usable when it lets go", async () => {
  await using temp = await tempStore({ busyTimeoutMs: 100 });
  await using holder = await startClient([temp.path, "lock"]);

  const error = await assertRejects(() => temp.store.jobs.enqueue([aNewJob()]), StoreBusyError, "keeps it locked");
  assertEquals(error.exitCode, 5);
  await assertRejects(() => temp.store.jobs.claim(aClaim()), StoreBusyError);
  assertEquals(await temp.store.jobs.list({}), []);

  await holder.go();
  await holder.result();
  await aJob(temp.store);
});

Deno.test("a writer waits for a lock that is let go within the busy timeout", async () => {
  await using temp = await tempStore();
  await using holder = await startClient([temp.path, "lock"]);

  const enqueueing = temp.store.jobs.enqueue([aNewJob({ id: "patient" })]);
  await holder.go();

  assertEquals((await enqueueing).map((job) => job.id), ["patient"]);
});

Deno.test("a database that is locked while it is new is busy, not broken", async () => {
  await using temp = await tempDirectory();
  const path = `${temp.path}/queue.db`;
  await Deno.writeFile(path, new Uint8Array());
  await using holder = await startClient([path, "lock"]);

  await assertRejects(() => open(path, "write", { busyTimeoutMs: 100 }), StoreBusyError);

  await holder.go();
  await holder.result();
  await openAndClose(path);
});

Deno.test("a full disk is reported, loses nothing that was stored, and is survived", async () => {
  await using disk = await smallDisk("2m");
  const store = await open(`${disk.path}/queue.db`);
  const stored: string[] = [];
  const fill = async () => {
    // Ends by itself: the disk has no room for this many.
    for (let i = 0; i < 1_000; i++) {
      const batch = Array.from({ length: 20 }, () => aNewJob({ command: `echo ${"x".repeat(1_000)}` }));
      stored.push(...(await store.jobs.enqueue(batch)).map((job) => job.id));
    }
  };

  const error = await assertRejects(fill, StoreUnavailableError, "the disk is full");
  assertEquals(error.exitCode, 5);
  assertNotEquals(stored, []);
  assertEquals((await store.jobs.list({})).map((job) => job.id), stored.toReversed());

  await disk.enlarge("16m");
  await aJob(store, { id: "afterwards", priority: 1, state: "completed" });
  await store.close();
  assertEquals(integrity(`${disk.path}/queue.db`), "ok");
  const again = await open(`${disk.path}/queue.db`);
  assertEquals((await again.jobs.list({})).length, stored.length + 1);
  await again.close();
});

Deno.test("a full disk on which the database is to be made is reported, and works once there is room", async () => {
  await using disk = await smallDisk("64k");
  const path = `${disk.path}/queue.db`;

  await assertRejects(() => open(path), StoreUnavailableError, "the disk is full");

  await disk.enlarge("16m");
  const store = await open(path);
  await aJob(store);
  await store.close();
  assertEquals(integrity(path), "ok");
});

Deno.test("isSame() is false once the file is removed, replaced or of another schema", async () => {
  const changes: Record<string, (path: string) => void> = {
    removed: (path) => Deno.removeSync(path),
    replaced: (path) => {
      Deno.renameSync(path, `${path}.old`);
      Deno.writeFileSync(path, new Uint8Array());
    },
    "replaced by a directory": (path) => {
      Deno.renameSync(path, `${path}.old`);
      Deno.mkdirSync(path);
    },
    "of another schema": (path) => execute(path, "pragma user_version = 9999"),
  };
  for (const [how, change] of Object.entries(changes)) {
    await using temp = await tempStore();
    assertEquals(temp.store.isSame(), true, how);

    change(temp.path);

    assertEquals(temp.store.isSame(), false, how);
  }
});

Deno.test("isSame() stays true while another process holds the write lock", async () => {
  await using temp = await tempStore();
  await using holder = await startClient([temp.path, "lock"]);

  assertEquals(temp.store.isSame(), true);

  await holder.go();
  await holder.result();
});

Deno.test("a mark to cancel outweighs every result of the run", async () => {
  await using temp = await tempStore();
  const results = [
    { kind: "exited", code: 0 },
    { kind: "exited", code: 1 },
    { kind: "interrupted" },
    { kind: "lost" },
  ] as const;
  for (const result of results) {
    const job = await aJob(temp.store, { state: "processing" });
    execute(temp.path, `update jobs set cancel_requested_at = ${job.started_at} where seq = ${job.seq}`);

    const [told] = await temp.store.jobs.finish([aReport(job, { result })]);

    const { state, cancel_requested_at, finished_at } = await temp.store.jobs.find(job.id);
    assertEquals(told?.state, "cancelled", result.kind);
    assertEquals([state, cancel_requested_at, finished_at], ["cancelled", null, job.started_at! + 1_000]);
  }
});

/** Opens a store in a process that a file's mode stops, even when the tests run as root. */
async function openWithoutPrivileges(path: string, mode: Mode): Promise<{ error: string | null }> {
  const through = Deno.uid() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"] : [];
  await using client = await startClient([path, "open", mode], { through });
  await client.go();
  return await client.result() as { error: string | null };
}
