/** Triggers, views, tables and indexes that queuectl did not make. */
import { DatabaseSync } from "node:sqlite";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { execute, integrity, query } from "../support/sqlite_database.ts";

/** Each of them, and what it is called in messages. */
const FOREIGN: Readonly<Record<string, readonly [sql: string, name: string]>> = {
  "a trigger": [
    "create trigger zz after insert on jobs begin update jobs set command = 'echo HIJACKED' where seq = new.seq; end",
    "trigger zz",
  ],
  "a trigger that empties the audit": [
    "create trigger a1 after insert on audit begin delete from audit; end",
    "trigger a1",
  ],
  "a view": ["create view v as select * from jobs", "view v"],
  "a table": ["create table t (x)", "table t"],
  "an index": ["create index i on jobs (command)", "index i"],
  "a trigger of ours with another body": [
    "drop trigger jobs_count_delete; create trigger jobs_count_delete after delete on jobs begin select 1; end",
    "trigger jobs_count_delete",
  ],
};

for (const [what, [sql, name]] of Object.entries(FOREIGN)) {
  Deno.test(`${what} in a database: doctor, restore and every writing command refuse it`, async () => {
    await using box = await sandbox();
    await box.ok(["enqueue", "--id", "before", "true"]);
    await box.ok(["backup", "clean.db"]);
    execute(box.db, sql);
    await Deno.copyFile(box.db, `${box.directory}/spoiled.db`);

    for (
      const command of [["enqueue", "echo honest"], ["config", "set", "lease", "9s"], ["worker", "run", "--drain"]]
    ) {
      const { code, stderr } = await box.run(command);
      assertEquals([command[0], code], [command[0], 5], stderr);
      assertStringIncludes(stderr, `another program changed its schema (${name})`);
    }
    const doctor = await box.run(["doctor"]);
    assertEquals(doctor.code, 5);
    assertMatch(doctor.stdout, new RegExp(`schema .*Not as this program made them: ${name}`));
    const restored = await box.run(["--db", "other.db", "restore", "--yes", "spoiled.db"]);
    assertEquals(restored.code, 5);
    assertStringIncludes(restored.stderr, `another program changed its schema (${name})`);
    assert(![...Deno.readDirSync(box.directory)].some((entry) => entry.name.startsWith("other.db")));
    assertEquals(query(box.db, "select command from jobs").map(({ command }) => command), ["true"]);
    await box.ok(["restore", "--yes", "clean.db"]);
    await box.ok(["enqueue", "echo honest"]);
  });
}

Deno.test("a trigger that somebody wrote into the schema table itself, with a name of SQLite's own, is refused", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const trigger = "create trigger sqlite_zz after insert on jobs begin delete from audit; end";
  const database = new DatabaseSync(box.db);
  // The types do not know it yet.
  (database as DatabaseSync & { enableDefensive(isOn: boolean): void }).enableDefensive(false);
  database.exec("pragma writable_schema = on");
  database.prepare("insert into sqlite_schema values ('trigger', 'sqlite_zz', 'jobs', 0, ?)").run(trigger);
  database.close();

  for (const command of [["enqueue", "true"], ["doctor"], ["--db", "o.db", "restore", "--yes", box.db]]) {
    assertEquals([command[0], (await box.run(command)).code], [command[0], 5]);
  }
});

Deno.test("salvage takes over the rows of a changed database, and none of the changes", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "before", "echo honest"]);
  for (const what of ["a trigger", "a view", "a table", "an index"]) execute(box.db, FOREIGN[what]![0]);

  await box.ok(["doctor", "--salvage", "saved.db"]);
  await box.ok(["--db", "saved.db", "worker", "run", "--drain"]);

  assertEquals(await box.ok(["--db", "saved.db", "output", "--stdout", "before"]), "honest");
});

Deno.test("a restored database has the schema of this program and every row of the backup", async () => {
  await using box = await sandbox();
  await box.ok(["config", "set", "poll_interval", "900ms"]);
  await box.ok(["enqueue", "--id", "done", "--tag", "t", "--batch", "b", "echo out"]);
  await box.ok(["enqueue", "--id", "bad", "--max-retries", "0", "echo err >&2; exit 3"]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["enqueue", "--id", "later", "--delay", "1d", "--after", "done", "true"]);
  await box.ok(["template", "create", "tpl", "true"]);
  await box.ok(["queue", "set", "slow", "--concurrency", "2", "--rate", "5/1m"]);
  await box.ok(["backup", "b.db"]);
  execute(`${box.directory}/b.db`, "drop index jobs_ready");

  await box.ok(["--db", "new.db", "restore", "--yes", "b.db"]);

  const all = (db: string) => {
    const path = db.startsWith("/") ? db : `${box.directory}/${db}`;
    const tables = query(path, "select name from sqlite_schema where type = 'table'").map(({ name }) => String(name));
    const isLasting = (name: string) => !["workers", "leases", "audit"].includes(name) && !name.startsWith("sqlite_");
    return tables.filter(isLasting).toSorted().map((name) => [name, query(path, `select * from "${name}"`)]);
  };
  const schema = (db: string) => query(db, "select type, name, tbl_name, sql from sqlite_schema order by type, name");
  assertEquals(all("new.db"), all(box.db));
  assertEquals(schema(`${box.directory}/new.db`), schema(box.db));
  assertEquals(integrity(`${box.directory}/new.db`), "ok");
  assertEquals(Deno.statSync(`${box.directory}/new.db`).mode! & 0o777, 0o600);
  assertEquals((await box.run(["--db", "new.db", "doctor"])).code, 0);
  const next = await box.json(["--db", "new.db", "enqueue", "true"]);
  assertEquals(next.seq, 4, "numbers are not given again");
});

Deno.test("a database that somebody analyzed is used as before", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  execute(box.db, "analyze");

  await box.ok(["enqueue", "true"]);
  assertEquals((await box.run(["doctor"])).code, 0);
});

Deno.test("a missing index is no reason to refuse: doctor makes it again", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  execute(box.db, "drop index jobs_due_by_priority");

  await box.ok(["enqueue", "true"]);
  await box.ok(["doctor", "--fix"]);
  assertEquals((await box.run(["doctor"])).code, 0);
});
