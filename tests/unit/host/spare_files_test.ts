/** Files that are used again. @module */
import { assertEquals } from "@std/assert";
import { openSpareFiles, removeSpareFiles } from "../../../lib/host/spare_files.ts";
import { tempDirectory } from "../../support/temp_store.ts";

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
}

async function withSpares(
  work: (parts: { folder: string; spares: ReturnType<typeof openSpareFiles> }) => void | Promise<void>,
): Promise<void> {
  await using temp = await tempDirectory();
  const spares = openSpareFiles(`${temp.path}/w`);
  try {
    await work({ folder: temp.path, spares });
  } finally {
    spares.close();
  }
  // Whatever a test left is its own: of spares nothing is.
  assertEquals(names(temp.path).filter((name) => name.startsWith("w.")), []);
}

const inode = (path: string) => Deno.statSync(path).ino;

Deno.test("a file that nobody needs is used again, empty and under another name", () =>
  withSpares(({ folder, spares }) => {
    Deno.writeTextFileSync(`${folder}/1-1.out`, "printed", { mode: 0o600 });
    const first = inode(`${folder}/1-1.out`);

    spares.put(`${folder}/1-1.out`);
    assertEquals(names(folder), ["w.spare-0"]);
    spares.use(`${folder}/2-1.out`);

    assertEquals(names(folder), ["2-1.out"]);
    const { ino, size, mode } = Deno.statSync(`${folder}/2-1.out`);
    assertEquals([ino, size, mode! & 0o777], [first, 0, 0o600]);
  }));

Deno.test("a file that a process still has open is never used again", () =>
  withSpares(async ({ folder, spares }) => {
    for (const how of [">>", "<"]) {
      Deno.writeTextFileSync(`${folder}/1-1.out`, "");
      const holder = new Deno.Command("sh", {
        args: ["-c", `exec 3${how}"$1"; echo open; read -r _`, "sh", `${folder}/1-1.out`],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const reader = holder.stdout.getReader();
      await reader.read();

      spares.put(`${folder}/1-1.out`);

      assertEquals(names(folder), [], `opened by ${how}`);
      await holder.stdin.close();
      await reader.cancel();
      await holder.status;
    }
  }));

Deno.test("a file that a job has changed is not used again", () =>
  withSpares(({ folder, spares }) => {
    const changes: Readonly<Record<string, (path: string) => void>> = {
      "linked to another name": (path) => Deno.linkSync(path, `${folder}/kept`),
      "opened to others": (path) => Deno.chmodSync(path, 0o666),
    };
    for (const [what, change] of Object.entries(changes)) {
      Deno.writeTextFileSync(`${folder}/1-1.out`, "printed", { mode: 0o600 });
      change(`${folder}/1-1.out`);

      spares.put(`${folder}/1-1.out`);

      assertEquals(names(folder).filter((name) => name !== "kept"), [], what);
    }
    assertEquals(Deno.readTextFileSync(`${folder}/kept`), "printed");
  }));

Deno.test("without a spare file nothing is made, and what is not there is no trouble", () =>
  withSpares(({ folder, spares }) => {
    spares.put(`${folder}/missing.out`);
    spares.use(`${folder}/1-1.out`);

    assertEquals(names(folder), []);
  }));

Deno.test("a link is not followed", () =>
  withSpares(({ folder, spares }) => {
    Deno.writeTextFileSync(`${folder}/precious`, "kept");
    Deno.symlinkSync(`${folder}/precious`, `${folder}/1-1.out`);

    spares.put(`${folder}/1-1.out`);

    assertEquals([names(folder), Deno.readTextFileSync(`${folder}/precious`)], [["precious"], "kept"]);
  }));

Deno.test("what a process that died left behind is removed", async () => {
  await using temp = await tempDirectory();
  for (let i = 0; i < 3; i++) Deno.writeTextFileSync(`${temp.path}/worker-a.spare-${i}`, "");
  Deno.writeTextFileSync(`${temp.path}/worker-b.spare-0`, "");

  removeSpareFiles(`${temp.path}/worker-a`);

  assertEquals(names(temp.path), ["worker-b.spare-0"]);
});
