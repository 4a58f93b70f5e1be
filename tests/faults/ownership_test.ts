/** Databases, folders and links in which another user has a hand. @module */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";
import { asOther, folderOfOther, OTHER_NAME, OTHER_UID } from "../support/other_user.ts";

/** What a folder holds, with owners, modes and sizes: unchanged means that this is the same. */
function listing(path: string): string[] {
  return [...Deno.readDirSync(path)].toSorted((a, b) => a.name < b.name ? -1 : 1).flatMap(({ name, isDirectory }) => {
    const { mode, uid, size } = Deno.lstatSync(`${path}/${name}`);
    const line = `${name} ${uid} ${(mode! & 0o7777).toString(8)} ${isDirectory ? "" : size}`;
    return [line, ...(isDirectory ? listing(`${path}/${name}`).map((below) => `${name}/${below}`) : [])];
  });
}

const WRITERS: readonly (readonly string[])[] = [
  ["enqueue", "id -un"],
  ["worker", "run", "--drain"],
  ["worker", "start"],
  ["config", "set", "redact", "x"],
];

async function assertAllRefuse(box: Sandbox, db: string, reason: RegExp): Promise<string> {
  let said = "";
  for (const command of WRITERS) {
    const { code, stderr } = await box.run(["--db", db, ...command]);
    assertEquals([command.join(" "), code], [command.join(" "), 5], stderr);
    assertMatch(stderr, reason);
    said = stderr;
  }
  return said;
}

Deno.test("root refuses a user's database, changes nothing of it, and says whom to be", async () => {
  await using box = await sandbox();
  const folder = await folderOfOther(box, "home");
  const db = `${folder}/q.db`;
  assertEquals((await asOther(box, ["--db", db, "enqueue", "--id", "theirs", "id -un"])).code, 0);
  const before = listing(folder);

  const stderr = await assertAllRefuse(box, db, /: it belongs to user nobody \(uid 65534\)\n/);
  const run = await box.run(["--db", db, "run", "id -un"]);
  const other = await box.run(["--db", db, "doctor", "--fix"]);

  assertEquals(other.code, 5);
  assertMatch(stderr, /^Try: sudo -u nobody queuectl /m);
  assertEquals([run.code, run.stdout], [125, ""]);
  assertEquals(listing(folder), before);
});

Deno.test("a user's database is read with a warning of one line, and completed without a word", async () => {
  await using box = await sandbox();
  const db = `${await folderOfOther(box, "home")}/q.db`;
  await asOther(box, ["--db", db, "enqueue", "--id", "theirs", "true"]);

  const list = await box.run(["--db", db, "--json", "list"]);
  const complete = await box.run(["--db", db, "__complete", "job"]);

  assertEquals([list.code, JSON.parse(list.stdout)[0].id], [0, "theirs"]);
  assertMatch(list.stderr, /^queuectl: warning: .* belongs to user nobody \(uid 65534\)\n$/);
  assertEquals([complete.code, complete.stdout, complete.stderr], [0, "theirs\n", ""]);
});

Deno.test("--trust-owner and QUEUECTL_TRUST_OWNER vouch for one path, and for none by a pattern", async () => {
  await using box = await sandbox();
  const folder = await folderOfOther(box, "home");
  const db = `${folder}/q.db`;
  await asOther(box, ["--db", db, "enqueue", "--id", "theirs", "true"]);
  const exitCodes = async (trusted: string, cwd = box.directory) =>
    (await box.run(["enqueue", "true"], { env: { QUEUECTL_DB: db, QUEUECTL_TRUST_OWNER: trusted }, cwd })).code;

  assertEquals((await box.run(["--trust-owner", "--db", db, "enqueue", "true"])).code, 0);
  assertEquals([await exitCodes(db), await exitCodes("./q.db", folder)], [0, 0]);
  assertEquals([await exitCodes("*"), await exitCodes("/"), await exitCodes(folder), await exitCodes(`${db}x`)], [
    5,
    5,
    5,
    5,
  ]);
});

Deno.test("a pool on a trusted database has workers, and its jobs may use the database too", async () => {
  await using box = await sandbox();
  const db = `${await folderOfOther(box, "home")}/q.db`;
  await asOther(box, ["--db", db, "enqueue", "--id", "first", `${box.binary} enqueue --id second true`]);

  await box.ok(["--trust-owner", "--db", db, "worker", "start"]);
  await box.ok(["--trust-owner", "--db", db, "wait", "first", "--timeout", "30s"]);
  await box.ok(["--trust-owner", "--db", db, "wait", "second", "--timeout", "30s"]);
  await box.ok(["--trust-owner", "--db", db, "worker", "stop"]);
  await box.killAll();
});

const PLANTED: Readonly<Record<string, readonly [(db: string) => Promise<void>, RegExp]>> = {
  "a folder of another user": [async (db) => {
    await Deno.mkdir(`${db}.d/logs`, { recursive: true, mode: 0o777 });
    for (const path of [`${db}.d`, `${db}.d/logs`]) await Deno.chown(path, OTHER_UID, OTHER_UID);
  }, /its folder ".*q\.db\.d" belongs to user nobody/],
  "a folder in its folder of another user": [async (db) => {
    await Deno.mkdir(`${db}.d/run/wake`, { recursive: true, mode: 0o700 });
    await Deno.chown(`${db}.d/run/wake`, OTHER_UID, OTHER_UID);
  }, /its folder ".*wake" belongs to user nobody/],
  "a folder that others may write": [async (db) => {
    await Deno.mkdir(`${db}.d`);
    await Deno.chmod(`${db}.d`, 0o777);
  }, /its folder ".*q\.db\.d": others may write it \(mode 777\)/],
  "a folder that is a link": [async (db) => {
    await Deno.mkdir(`${db}.elsewhere`, { mode: 0o700 });
    await Deno.symlink(`${db}.elsewhere`, `${db}.d`);
  }, /its folder ".*q\.db\.d" is a link/],
  "a log of another user": [async (db) => {
    await Deno.writeTextFile(`${db}-wal`, "");
    await Deno.chown(`${db}-wal`, OTHER_UID, OTHER_UID);
  }, /its file ".*q\.db-wal" belongs to user nobody/],
  "a file that others may write": [async (db) => {
    await Deno.writeTextFile(db, "");
    await Deno.chmod(db, 0o666);
  }, /others may write it \(mode 666\)/],
};

for (const [what, [plant, reason]] of Object.entries(PLANTED)) {
  Deno.test(`${what} that was there first is refused, and nothing is made beside it`, async () => {
    await using box = await sandbox();
    await Deno.mkdir(`${box.directory}/place`);
    const db = `${box.directory}/place/q.db`;
    await plant(db);
    const before = listing(`${box.directory}/place`);

    for (const command of [["enqueue", "true"], ["worker", "run", "--drain"], ["worker", "start"]]) {
      const { code, stderr } = await box.run(["--db", db, ...command]);
      assertEquals(code, 5, stderr);
      assertMatch(stderr, reason);
    }

    assertEquals(listing(`${box.directory}/place`), before);
  });
}

Deno.test("root refuses a place that a user may replace, and uses a sticky folder of everybody", async () => {
  await using box = await sandbox();
  const theirs = await folderOfOther(box, "theirs");
  await Deno.mkdir(`${theirs}/roots`);
  await Deno.mkdir(`${box.directory}/open`);
  await Deno.chmod(`${box.directory}/open`, 0o777);
  await Deno.mkdir(`${box.directory}/sticky`);
  await Deno.chmod(`${box.directory}/sticky`, 0o1777);
  await Deno.symlink(`${theirs}/roots`, `${box.directory}/link`);

  await assertAllRefuse(box, `${theirs}/roots/q.db`, /its place ".*theirs" belongs to user nobody/);
  await assertAllRefuse(box, `${box.directory}/link/q.db`, /its place ".*theirs" belongs to user nobody/);
  await assertAllRefuse(box, `${box.directory}/open/q.db`, /others may replace what is in ".*open" \(mode 777\)/);
  const sticky = await box.run(["--db", `${box.directory}/sticky/q.db`, "enqueue", "true"]);

  assertEquals([sticky.code, [...Deno.readDirSync(`${theirs}/roots`)]], [0, []], sticky.stderr);
});

Deno.test("a user uses a database of one's own wherever it is, also where others may write", async () => {
  await using box = await sandbox();
  const theirs = await folderOfOther(box, "theirs");
  const sticky = await folderOfOther(box, "sticky", 0o1777);
  const shared = await folderOfOther(box, "shared", 0o775);
  await Deno.chown(sticky, 0, 0);

  for (const folder of [theirs, sticky, shared]) {
    const { code, stderr } = await asOther(box, ["--db", `${folder}/q.db`, "enqueue", "true"]);
    assertEquals([folder, code], [folder, 0], stderr);
  }
});

Deno.test("a link of another user in a folder of everybody is not followed, as the kernel would not", async () => {
  await using box = await sandbox();
  const sticky = `${box.directory}/sticky`;
  await Deno.mkdir(sticky);
  await Deno.chmod(sticky, 0o1777);
  const link = `${sticky}/link.db`;
  await Deno.symlink(box.db, link);
  await new Deno.Command("chown", { args: ["-h", String(OTHER_UID), link] }).output();

  for (const command of [["enqueue", "true"], ["list"]]) {
    const { code, stderr } = await box.run(["--db", link, ...command]);
    assertEquals(code, 5);
    assertStringIncludes(stderr, "another user's link, in a folder that everybody may write");
  }
  assertEquals([...Deno.readDirSync(box.directory)].map(({ name }) => name), ["sticky"]);
  await Deno.remove(link);
  await Deno.symlink(box.db, link);

  assertEquals((await box.run(["--db", link, "enqueue", "true"])).code, 0);
});

Deno.test("what others could read of our database they cannot any more, once it is written", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  await box.ok(["worker", "run", "--drain"]);
  await Deno.chmod(box.db, 0o644);
  await Deno.chmod(`${box.db}.d`, 0o755);
  await Deno.chmod(`${box.db}.d/logs`, 0o755);

  await box.ok(["list"]);
  assertEquals((await Deno.stat(box.db)).mode! & 0o777, 0o644, "reading changes nothing");
  await box.ok(["enqueue", "true"]);

  const modes = ["", ".d", ".d/logs"].map((ending) => (Deno.statSync(box.db + ending).mode! & 0o777).toString(8));
  assertEquals(modes, ["600", "700", "700"]);
});

Deno.test("a database with two names is refused: each would have a log of its own", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "--id", "a1", "true"]);
  await Deno.link(box.db, `${box.directory}/b.db`);

  for (const db of [box.db, `${box.directory}/b.db`]) {
    for (const command of [["enqueue", "true"], ["--trust-owner", "enqueue", "true"], ["worker", "run", "--drain"]]) {
      const { code, stderr } = await box.run(["--db", db, ...command]);
      assertEquals(code, 5);
      assertStringIncludes(stderr, "it is one file with 2 names (hard links)");
    }
  }
  await Deno.remove(`${box.directory}/b.db`);

  assertEquals((await box.run(["enqueue", "true"])).code, 0);
});

Deno.test("doctor names the owner, and --fix does nothing to what another user has a hand in", async () => {
  await using box = await sandbox();
  const folder = await folderOfOther(box, "home");
  const db = `${folder}/q.db`;
  await asOther(box, ["--db", db, "enqueue", "true"]);
  const victim = `${box.directory}/victim`;
  await Deno.writeTextFile(victim, "");
  await Deno.chmod(victim, 0o644);
  await Deno.symlink(victim, `${db}-shm`).catch(() => {});

  const looked = await box.run(["--db", db, "doctor"]);
  const fixed = await box.run(["--db", db, "doctor", "--fix"]);

  assertMatch(looked.stdout, new RegExp(`owner .* belongs to user ${OTHER_NAME}`));
  assertEquals([fixed.code, fixed.stdout], [5, ""]);
  assertEquals((await Deno.stat(victim)).mode! & 0o777, 0o644);
  assert(!looked.stdout.includes("chown"), "it does not advise to take the database over");
});

Deno.test("doctor --fix follows no link, whoever made it", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);
  const elsewhere = `${box.directory}/elsewhere`;
  await Deno.mkdir(elsewhere);
  await Deno.mkdir(`${box.db}.d`, { mode: 0o700 });
  for (const name of ["x.123.partial", "7-1.out", "victim"]) {
    await Deno.writeTextFile(`${elsewhere}/${name}`, "");
    await Deno.chmod(`${elsewhere}/${name}`, 0o644);
    await Deno.utime(`${elsewhere}/${name}`, 0, 0);
  }
  const before = listing(elsewhere);
  for (const [name, target] of [[".d/backups", elsewhere], [".d/logs", elsewhere], ["-shm", `${elsewhere}/victim`]]) {
    await Deno.symlink(target!, box.db + name);

    const { code } = await box.run(["doctor", "--fix"]);

    assertEquals([name, code, listing(elsewhere)], [name, 5, before]);
    await Deno.remove(box.db + name);
  }
});

Deno.test("giving a database back to its owner, as docs/recovery.md says, follows no link of that owner", async () => {
  await using box = await sandbox();
  const folder = await folderOfOther(box, "home");
  const db = `${folder}/q.db`;
  await asOther(box, ["--db", db, "worker", "run", "--drain"]);
  await Deno.chown(`${db}.d/logs`, 0, 0);
  const victim = `${box.directory}/victim`;
  await Deno.writeTextFile(victim, "");
  await Deno.chmod(victim, 0o644);
  await Deno.symlink(victim, `${db}-x`);
  await Deno.symlink(victim, `${db}.d/run/planted`);
  await Deno.link(victim, `${db}-y`);
  await Deno.symlink(box.binary, `${box.directory}/queuectl`);
  const text = await Deno.readTextFile(new URL("../../docs/recovery.md", import.meta.url));
  const commands = text.split("## The permissions are wrong")[1]!.split("```sh\n")[2]!.split("```")[0]!;

  const { code, stderr, stdout } = await box.run(["-euc", commands], {
    program: "/bin/sh",
    cwd: "/",
    env: { QUEUECTL_DB: db, PATH: `${box.directory}:${Deno.env.get("PATH")}` },
  });

  assertEquals(code, 0, stderr + stdout);
  assertEquals(Deno.statSync(`${db}.d/logs`).uid, OTHER_UID);
  const { mode, uid } = Deno.statSync(victim);
  assertEquals([mode! & 0o777, uid], [0o644, 0]);
});
