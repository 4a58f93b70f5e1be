/** Folders and files of ours: who may have made them, and that no link is followed. @module */
import { assertEquals, assertThrows } from "@std/assert";
import { StoreUnavailableError } from "../../../lib/core/errors.ts";
import { NotAFileError, openExisting, openOwnFile, writeNewFile } from "../../../lib/host/own_file.ts";
import { ownFolder, ownFolders } from "../../../lib/host/own_folder.ts";
import { OTHER_UID } from "../../support/other_user.ts";
import { tempDirectory } from "../../support/temp_store.ts";

function modeOf(path: string): string {
  return (Deno.lstatSync(path).mode! & 0o7777).toString(8);
}

Deno.test("a folder that is made is its owner's alone, whatever the umask, and those above it too", async () => {
  await using temp = await tempDirectory();
  const before = Deno.umask(0);
  try {
    ownFolders(`${temp.path}/queue.db.d`, "run", "wake");
    ownFolder(`${temp.path}/a/b/logs`);
  } finally {
    Deno.umask(before);
  }

  for (const name of ["queue.db.d", "queue.db.d/run", "queue.db.d/run/wake", "a", "a/b", "a/b/logs"]) {
    assertEquals([name, modeOf(`${temp.path}/${name}`)], [name, "700"]);
  }
});

Deno.test("a folder of ours that others may read is theirs no longer", async () => {
  await using temp = await tempDirectory();
  Deno.mkdirSync(`${temp.path}/logs`);
  Deno.chmodSync(`${temp.path}/logs`, 0o755);

  ownFolder(`${temp.path}/logs`);

  assertEquals(modeOf(`${temp.path}/logs`), "700");
});

const PLANTED: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
  "a link to a folder": [(path) => {
    Deno.mkdirSync(`${path}.elsewhere`, { mode: 0o700 });
    Deno.symlinkSync(`${path}.elsewhere`, path);
  }, /it is a link/],
  "a link that leads nowhere": [(path) => Deno.symlinkSync("nowhere", path), /it is a link/],
  "a file": [(path) => Deno.writeTextFileSync(path, ""), /it is not a directory/],
  "a folder that others may write": [(path) => {
    Deno.mkdirSync(path);
    Deno.chmodSync(path, 0o777);
  }, /others may write it \(mode 777\)/],
  "a folder of another user": [(path) => {
    Deno.mkdirSync(path, { mode: 0o700 });
    Deno.chownSync(path, OTHER_UID, OTHER_UID);
  }, /it belongs to user nobody/],
};

for (const [what, [plant, reason]] of Object.entries(PLANTED)) {
  Deno.test(`${what} is no folder of ours`, async () => {
    await using temp = await tempDirectory();
    plant(`${temp.path}/run`);

    const error = assertThrows(() => ownFolders(temp.path, "run"), StoreUnavailableError);

    assertEquals([reason.test(error.message), error.hint === undefined], [true, false], error.message);
  });
}

Deno.test("a file of ours is made exclusively, and never opened through a link", async () => {
  await using temp = await tempDirectory();
  const [victim, link, pipe] = ["victim", "link", "pipe"].map((name) => `${temp.path}/${name}`) as [
    string,
    string,
    string,
  ];
  Deno.writeTextFileSync(victim, "precious");
  Deno.symlinkSync(victim, link);
  await new Deno.Command("mkfifo", { args: [pipe] }).output();

  for (const path of [link, pipe]) {
    assertThrows(() => openOwnFile(path, { append: true }), NotAFileError);
    assertThrows(() => openExisting(path, { read: true }), NotAFileError);
  }
  writeNewFile(link, "new");
  using file = openOwnFile(`${temp.path}/log`, { append: true });
  file.writeSync(new TextEncoder().encode("line\n"));

  assertEquals([Deno.readTextFileSync(victim), Deno.readTextFileSync(link)], ["precious", "new"]);
  assertEquals([modeOf(link), modeOf(`${temp.path}/log`)], ["600", "600"]);
  assertEquals(Deno.readTextFileSync(`${temp.path}/log`), "line\n");
});
