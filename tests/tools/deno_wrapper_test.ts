/** `tools/deno` runs no Deno but the one whose SHA-256 is in the list, wherever it is found. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { sha256OfFile } from "../../tools/compile/checksums.ts";
import { tempDirectory } from "../support/temp_store.ts";

const WRAPPER = new URL("../../tools/deno", import.meta.url).pathname;

/** What the wrapper needs of a system, without a way to fetch. */
const PROGRAMS = [
  ..."awk cat chmod cut dirname id ls mkdir mktemp mv readlink rm sh sha256sum stat tail tar".split(" "),
  // Of busybox and others, what is called by the programs above.
  "gzip",
];

/** A program that calls itself the pinned Deno, and leaves a file when it is run. */
const IMPOSTOR = '#!/bin/sh\n: >"${0%/*}/ran"\necho "deno 2.7.11 (stable, release)"\n';

interface Host extends AsyncDisposable {
  readonly path: string;
  /** The folder of PATH. */
  readonly programs: string;
  /** Where the wrapper keeps its copy. */
  readonly kept: string;
  run(env?: Readonly<Record<string, string>>): Promise<{ code: number; stdout: string; stderr: string }>;
}

async function host(machine = "x86_64"): Promise<Host> {
  const temp = await tempDirectory();
  const programs = join(temp.path, "bin");
  const kept = join(temp.path, "cache/deno-2.7.11/deno");
  await Deno.mkdir(programs);
  await Deno.mkdir(dirname(kept), { recursive: true });
  for (const name of PROGRAMS) await Deno.symlink(found(name), join(programs, name));
  await script(join(programs, "uname"), `#!/bin/sh\n[ "$1" = -m ] && echo ${machine} || echo Linux\n`);
  return {
    path: temp.path,
    programs,
    kept,
    async run(env = {}) {
      const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
        args: [WRAPPER, "--version"],
        clearEnv: true,
        env: { PATH: programs, HOME: temp.path, QUEUECTL_DEV_CACHE: join(temp.path, "cache"), ...env },
        stdin: "null",
      }).output();
      const decoder = new TextDecoder();
      return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

function found(program: string): string {
  for (const folder of Deno.env.get("PATH")!.split(":")) {
    try {
      Deno.statSync(join(folder, program));
      return join(folder, program);
    } catch {
      // In the next.
    }
  }
  throw new Error(`${program} is not on PATH`);
}

async function script(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { mode: 0o755 });
  await Deno.chmod(path, 0o755);
}

async function hasRun(path: string): Promise<boolean> {
  return await Deno.stat(join(dirname(path), "ran")).then(() => true, () => false);
}

Deno.test("a deno on PATH that names the right version and has another sum is not run", async () => {
  await using box = await host();
  await script(join(box.programs, "deno"), IMPOSTOR);

  const { code, stderr } = await box.run();

  assertEquals([code, await hasRun(join(box.programs, "deno"))], [1, false]);
  assertStringIncludes(stderr, "cannot get Deno 2.7.11");
});

Deno.test("QUEUECTL_DEV_UNCHECKED takes a deno of the right version", async () => {
  await using box = await host();
  await script(join(box.programs, "deno"), IMPOSTOR);

  const { code, stdout } = await box.run({ QUEUECTL_DEV_UNCHECKED: "1" });

  assertEquals([code, stdout], [0, "deno 2.7.11 (stable, release)\n"]);
});

Deno.test("a copy in the cache that was put there by others is not run", async () => {
  await using box = await host();
  await script(box.kept, IMPOSTOR);

  const { code, stderr } = await box.run();

  assertEquals([code, await hasRun(box.kept)], [1, false]);
  assertStringIncludes(stderr, `${box.kept} is not the Deno 2.7.11 that it was`);
});

Deno.test("a copy that was hashed and then changed in place is hashed again, though size and time are the same", async () => {
  await using box = await host(Deno.build.arch);
  await Deno.copyFile(Deno.execPath(), box.kept);
  await Deno.writeTextFile(join(dirname(box.kept), "sha256"), await sha256OfFile(box.kept));
  assertEquals((await box.run()).code, 0);
  const { mtime } = await Deno.stat(box.kept);
  const remembered = await Deno.readTextFile(join(dirname(box.kept), "hashed"));
  assertStringIncludes(remembered, box.kept);

  using file = await Deno.open(box.kept, { write: true });
  await file.seek(-1, Deno.SeekMode.End);
  await file.write(new Uint8Array([1]));
  await Deno.utime(box.kept, mtime!, mtime!);

  const { code, stderr } = await box.run();
  assertEquals(code, 1);
  assertStringIncludes(stderr, "is not the Deno 2.7.11 that it was");
});

for (const [machine, words] of [["x86_64", "is not the one of Deno"], ["aarch64", "no SHA-256 of it is known"]]) {
  Deno.test(`a download for ${machine} whose sum is not known is never run`, async () => {
    await using box = await host(machine);
    const content = join(box.path, "package");
    await Deno.mkdir(content);
    await script(join(content, "deno"), `#!/bin/sh\n: >"${box.path}/ran"\necho "deno 2.7.11"\n`);
    await script(join(box.programs, "npm"), `#!/bin/sh\ntar -C "${box.path}" -czf package.tgz package\n`);

    const { code, stderr } = await box.run();

    assertEquals([code, await hasRun(join(box.path, "any"))], [1, false]);
    assertStringIncludes(stderr, words!);
    assertEquals((await box.run({ QUEUECTL_DEV_UNCHECKED: "1" })).stdout, "deno 2.7.11\n");
  });
}
