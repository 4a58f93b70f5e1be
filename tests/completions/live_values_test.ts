import { assert, assertEquals } from "@std/assert";
import { sandbox } from "../support/binary.ts";
import { execute } from "../support/sqlite_database.ts";

/** What is offered, without descriptions. */
const lines = (stdout: string) => stdout.split("\n").filter((line) => line !== "");

Deno.test("a value of an enumerated setting is offered, however the setting is spelled", async () => {
  await using box = await sandbox();

  for (const key of ["log_level", "log-level", "logLevel"]) {
    assertEquals(lines(await box.ok(["__complete", "setting-value", "--", "", key])), [
      "debug",
      "info",
      "warn",
      "error",
    ]);
  }
  assertEquals(await box.ok(["__complete", "setting-value", "--", "", "max_retries"]), "");
  assertEquals([...Deno.readDirSync(box.directory)], []);
});

Deno.test("settings that are stored are offered to be unset, and all when none is", async () => {
  await using box = await sandbox();
  const offered = async () => lines(await box.ok(["__complete", "setting:stored", "--", ""]));
  assert((await offered()).length > 10);

  await box.ok(["config", "set", "log_level", "warn"]);

  assertEquals(await offered(), ["log_level"]);
});

Deno.test("an edited, waited for or dead job is one in a state for that", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "dead", "--max-retries", "0", "false"]);
  await box.ok(["enqueue", "--id", "done", "true"]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["enqueue", "--id", "later", "--delay", "1h", "true"]);
  await box.ok(["enqueue", "--id", "cancelled", "true"]);
  await box.ok(["cancel", "cancelled"]);
  const offered = async (kind: string) => lines(await box.ok(["__complete", kind, "--", ""]));

  assertEquals(await offered("job:edit"), ["later"]);
  assertEquals(await offered("job:dead"), ["dead"]);
  assertEquals(await offered("job:wait"), ["later", "cancelled", "done", "dead"]);
  assertEquals(await offered("job:after"), ["later", "done"]);
  assertEquals(await offered("job:cancel"), ["later"]);
  assertEquals(await offered("job:retry"), ["dead", "cancelled", "later", "done"]);
});

Deno.test("queues and batches are offered to the commands that can act on them", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--queue", "busy", "--batch", "open", "true"]);
  await box.ok(["enqueue", "--queue", "busy", "--batch", "closed", "true"]);
  await box.ok(["batch", "seal", "closed"]);
  await box.ok(["queue", "set", "held", "--paused"]);
  const offered = async (kind: string) => lines(await box.ok(["__complete", kind, "--", ""]));

  assertEquals(await offered("queue:pause"), ["busy"]);
  assertEquals(await offered("queue:resume"), ["held"]);
  assertEquals(await offered("queue:clear"), ["busy"]);
  assertEquals(await offered("queue:remove"), ["held"]);
  assertEquals((await offered("batch")).toSorted(), ["closed", "open"]);
  assertEquals(await offered("batch:open"), ["open"]);
});

Deno.test("names with control characters are left out, and commands cannot drive the terminal", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "one", "printf '\x1b]0;title\x07'\n\trm x"]);
  // No command takes such names; a file from elsewhere may hold them.
  execute(
    box.db,
    "insert into queues (name, created_at) values ('a' || char(27) || '[2J', 0), ('b' || char(10) || 'c', 0)",
  );
  execute(box.db, "insert into queues (name, created_at) values ('d' || char(8238) || 'e', 0), ('größe', 0)");

  const queues = await box.ok(["__complete", "--describe", "queue", "--", ""]);
  const jobs = await box.ok(["__complete", "--describe", "job", "--", ""]);

  assertEquals(lines(queues).map((line) => line.split("\t")[0]), ["default", "größe"]);
  assertEquals(jobs, "one\tpending, printf '\\x1b]0;title\\x07'\\n\\trm x");
});

Deno.test("a database that is missing, damaged, older, a folder or locked is passed over in silence", async () => {
  await using box = await sandbox();
  await Deno.mkdir(`${box.directory}/folder`);
  await Deno.writeTextFile(`${box.directory}/damaged`, "SQLite format 3\0 and then nothing");
  await box.ok(["--db", "older", "enqueue", "true"]);
  execute(`${box.directory}/older`, "pragma user_version = 0");
  await box.ok(["--db", "locked", "enqueue", "true"]);
  execute(`${box.directory}/locked`, "pragma journal_mode = delete");
  const before = names(box.directory);

  using lock = await holdLock(`${box.directory}/locked`);
  assert(lock.isHeld);
  for (const db of ["missing", "no/such/folder", "damaged", "older", "folder", "locked", "postgres://nowhere", ""]) {
    for (const kind of ["job:retry", "queue", "tag", "batch", "pool", "template"]) {
      const start = performance.now();
      const { stdout, stderr } = await box.run(["--db", db, "__complete", kind, "--", ""]);

      assertEquals([stdout, stderr], ["", ""], `${kind} of "${db}"`);
      // Far below the half minute for which other commands wait, far above a start on a busy machine.
      assert(performance.now() - start < 15_000, `${kind} of "${db}" waited`);
    }
  }
  assertEquals(names(box.directory), before);
});

Deno.test("a script of another version gets what it knows, and nothing for what it does not", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "one", "true"]);

  assertEquals(await box.ok(["__complete", "job", "--", "o"]), "one");
  assertEquals((await box.run(["__complete", "nonsense", "--", ""])).stdout, "");
});

function names(directory: string): string[] {
  return [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) => !name.includes("-journal")).sort();
}

/** Nobody else may even read. */
async function holdLock(path: string): Promise<{ isHeld: boolean } & Disposable> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  database.exec("begin exclusive");
  return { isHeld: database.isTransaction, [Symbol.dispose]: () => database.close() };
}
