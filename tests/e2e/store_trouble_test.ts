/**
 * A database that cannot be used: exit code 5, one sentence, and what is there
 * stays as it was.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path";
import { type Ended, type Sandbox, sandbox } from "../support/binary.ts";
import { smallDisk } from "../support/small_disk.ts";
import { execute, integrity } from "../support/sqlite_database.ts";

/** One that reads, two that write. */
const COMMANDS = [["list"], ["enqueue", "true"], ["worker", "run", "--drain"]];

function assertRefused({ code, stdout, stderr }: Ended, says: RegExp): void {
  assertEquals([code, stdout], [5, ""], stderr);
  assertMatch(stderr, /^queuectl: Cannot use database ".*": [^\n]*\n(Try: [^\n]*\n)?$/);
  assertMatch(stderr, says);
}

async function contentOf(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}

for (const command of COMMANDS) {
  const name = command.join(" ");

  Deno.test(`${name}: a database that is a directory is refused`, async () => {
    await using box = await sandbox();
    await Deno.mkdir(box.db);

    assertRefused(await box.run(command), /it is a directory/);

    assertEquals([...Deno.readDirSync(box.db)], []);
  });

  Deno.test(`${name}: a pipe or a device in place of the database is refused at once`, async () => {
    await using box = await sandbox();
    await new Deno.Command("mkfifo", { args: [box.db] }).output();

    assertRefused(await box.run(command), /it is no regular file/);
    assertRefused(await box.run(command, { env: { QUEUECTL_DB: "/dev/zero" } }), /it is no regular file/);
  });

  Deno.test(`${name}: a file that is no database is refused and left as it is`, async () => {
    await using box = await sandbox();
    await Deno.writeTextFile(box.db, "These are my shopping notes, and no database at all.\n".repeat(100));
    const before = await contentOf(box.db);

    assertRefused(await box.run(command), /it is not a queuectl database/);

    assertEquals(await contentOf(box.db), before);
    assertEquals([...Deno.readDirSync(box.directory)].map((entry) => entry.name), ["queue.db"]);
  });

  Deno.test(`${name}: a database of a newer version is refused and left as it is`, async () => {
    await using box = await sandbox();
    await box.ok(["enqueue", "--id", "old", "true"]);
    execute(box.db, "pragma user_version = 999");
    const before = await contentOf(box.db);

    assertRefused(await box.run(command), /it was written by a newer queuectl \(schema 999, this one knows \d+\)/);

    assertEquals(await contentOf(box.db), before);
  });

  Deno.test(`${name}: a database that may not be read is refused`, async () => {
    await using box = await sandbox();
    await box.ok(["enqueue", "true"]);
    await Deno.chmod(box.db, 0o000);

    // Modes do not stop root, unless it gives up that privilege.
    const asUser = Deno.uid() !== 0
      ? await box.run(command)
      : await box.run(["--bounding-set=-dac_override,-dac_read_search", "--", box.binary, ...command], {
        program: "setpriv",
      });

    assertRefused(asUser, /permission denied|it cannot be opened/);
  });
}

Deno.test("a full disk is refused with exit code 5, and what was stored is there when there is room again", async () => {
  await using box = await sandbox();
  await using disk = await smallDisk("1m");
  const inDisk = ["--db", `${disk.path}/queue.db`];
  await box.ok([...inDisk, "enqueue", "--id", "before", "true"]);
  await disk.fill();

  assertRefused(await box.run([...inDisk, "enqueue", "--id", "lost", "true"]), /the disk is full/);

  await disk.free();
  await box.ok([...inDisk, "enqueue", "--id", "after", "true"]);
  const jobs = await box.json<{ id: string }[]>([...inDisk, "list"]);
  assertEquals(jobs.map((job) => job.id), ["after", "before"]);
  assertEquals(integrity(`${disk.path}/queue.db`), "ok");
});

Deno.test("a disk that is too full for a new database is refused with exit code 5", async () => {
  await using box = await sandbox();
  await using disk = await smallDisk("64k");

  assertRefused(await box.run(["--db", `${disk.path}/queue.db`, "enqueue", "true"]), /the disk is full/);

  await disk.enlarge("8m");
  await box.ok(["--db", `${disk.path}/queue.db`, "enqueue", "true"]);
});

/** Of somebody who is not root, and owns nothing here. */
const NOBODY = 65_534;

/** The same program, by another user: like the small disks of other tests, only root can have it. */
async function byNobody(box: Sandbox, args: readonly string[]): Promise<Ended> {
  const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return await box.run([...ids, box.binary, ...args], { program: "/usr/bin/setpriv" });
}

Deno.test("workers that root runs on a user's database are seen by the user, and stopped", async () => {
  await using box = await sandbox();
  await Deno.chmod(dirname(box.directory), 0o755);
  await Deno.chown(box.directory, NOBODY, NOBODY);
  for (const what of ["start", "stop"]) assertEquals((await byNobody(box, ["worker", what])).code, 0);
  await box.ok(["--trust-owner", "worker", "start"]);

  const seen = await byNobody(box, ["worker", "status", "--json"]);
  const stopped = await byNobody(box, ["worker", "stop"]);

  assertEquals([seen.stderr, seen.code, JSON.parse(seen.stdout)[0].state], ["", 0, "running"]);
  assertEquals([stopped.code, stopped.stdout], [0, "Stopped pool default\n"]);
});

Deno.test("a folder that belongs to another user is told of as such, with code 5", async () => {
  await using box = await sandbox();
  await Deno.chmod(dirname(box.directory), 0o755);
  await Deno.chown(box.directory, NOBODY, NOBODY);
  assertEquals((await byNobody(box, ["worker", "run", "--drain"])).code, 0);
  await Deno.chown(`${box.db}.d/run`, 0, 0);
  await Deno.chmod(`${box.db}.d/run`, 0o755);

  const refused = await byNobody(box, ["worker", "start"]);

  assertEquals(refused.code, 5);
  assertEquals(
    refused.stderr,
    `queuectl: Cannot use database "${box.db}": its folder "${box.db}.d/run" belongs to user root (uid 0)\n` +
      `Try: look at it, then: mv ${box.db}.d/run ${box.db}.d/run.foreign\n`,
  );
});

for (const command of [["enqueue", "true"], ["worker", "run", "--drain"], ["worker", "start"], ["doctor", "--fix"]]) {
  Deno.test(`${command.join(" ")}: a file where the folder of the database belongs is told of with code 5`, async () => {
    await using box = await sandbox();
    await box.ok(["enqueue", "true"]);
    await Deno.writeTextFile(`${box.db}.d`, "");

    const { code, stderr } = await box.run(command);

    assertEquals(code, 5, stderr);
    assertMatch(
      stderr,
      /^queuectl: Cannot use database .*: its folder ".*queue\.db\.d" is not a directory\nTry: look at it/,
    );
  });
}
