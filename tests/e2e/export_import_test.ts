/** Jobs out of one database and into another. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

/** What must be the same on both sides: all but where a job was and when. */
async function essence(box: Sandbox, db: string): Promise<Record<string, unknown>[]> {
  const jobs = await box.json<Record<string, unknown>[]>(["--db", db, "list", "--limit", "0", "--sort", "seq"]);
  return jobs.map((job) => {
    const rest = { ...job };
    for (const name of ["seq", "created_at", "updated_at", "worker_id", "claim", "started_at"]) delete rest[name];
    return rest;
  });
}

async function someJobs(box: Sandbox): Promise<string> {
  const made = await box.ok(["enqueue", "--tag", "x", "--env", "A=1", "echo done"]);
  await box.ok(["enqueue", "--id", "bad", "--max-retries", "0", "exit 3"]);
  await box.run(["worker", "run", "--drain"]);
  await box.ok(["enqueue", "--id", "waits", "--queue", "mail", "--priority", "7", "--timeout", "90s", "true"]);
  await box.ok(["enqueue", "--id", "later", "--run-at", "2099-01-01T00:00:00Z", "--", "echo", "a b"]);
  await box.ok(["enqueue", "--id", "gone", "true"]);
  await box.ok(["cancel", "gone"]);
  return made;
}

Deno.test("what is exported and imported is the same queue, and runs on", async () => {
  await using box = await sandbox();
  const made = await someJobs(box);
  const other = `${box.directory}/other.db`;

  assertEquals(await box.json(["export", "jobs.ndjson"]), { file: "jobs.ndjson", exported: 5 });
  assertEquals(await box.json(["--db", other, "import", "jobs.ndjson"]), { imported: 5, skipped: 0 });

  assertEquals(await essence(box, other), await essence(box, box.db));
  assertEquals(Deno.statSync(`${box.directory}/jobs.ndjson`).mode! & 0o777, 0o600);
  // A generated id may still be shortened.
  assertEquals((await box.json(["--db", other, "show", made.slice(0, 6)])).id, made);
  await box.ok(["--db", other, "worker", "run", "--drain"]);
  assertEquals((await box.json(["--db", other, "show", "waits"])).state, "completed");
  await box.ok(["--db", other, "dlq", "retry", "bad"]);
});

Deno.test("export takes filters and writes to standard output", async () => {
  await using box = await sandbox();
  await someJobs(box);

  const lines = (await box.ok(["export", "-", "--state", "dead,cancelled"])).split("\n");

  assertEquals(lines.map((line) => JSON.parse(line).id), ["bad", "gone"]);
});

Deno.test("a file that exists is not overwritten unless asked, and a failure leaves no file", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "a", "true"]);
  await Deno.writeTextFile(`${box.directory}/there`, "mine");

  assertEquals((await box.run(["export", "there"])).code, 4);
  assertEquals(await Deno.readTextFile(`${box.directory}/there`), "mine");
  await box.ok(["export", "--replace", "there"]);
  assertStringIncludes(await Deno.readTextFile(`${box.directory}/there`), '"id":"a"');
  assertEquals((await box.run(["export", "nowhere/file"])).code, 1);
  assertEquals([...Deno.readDirSync(box.directory)].filter((file) => file.name.includes("partial")), []);
});

Deno.test("import of a used id is exit 4, of a bad line exit 2; nothing is stored", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "a", "true"]);
  const exported = await box.ok(["export", "-"]);
  const fresh = exported.replace('"id":"a"', '"id":"b"');

  const used = await box.run(["import", "-"], { stdin: `${fresh}\n${exported}\n` });
  assertEquals(used.code, 4);
  assertStringIncludes(used.stderr, 'line 2 of standard input, job "a": the id is in use');
  const bad = await box.run(["import", "-"], { stdin: `${fresh}\n{"command":"true"}\n` });
  assertEquals(bad.code, 2);
  assertStringIncludes(bad.stderr, "line 2 of standard input");
  assertEquals((await box.json<unknown[]>(["list"])).length, 1);
});
