/** What becomes of a suite whose programs are missing: the runner itself, with a package manager of the test's own. */
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { tempDirectory } from "../support/temp_store.ts";

const RUNNER = new URL("../../tools/test.ts", import.meta.url).pathname;

/** A suite that needs git, and no compiled binary. */
const SUITE = "tests/shape/top_level_test.ts";

/** Runs the suite where git is missing; `installs` is what the package manager does when it is asked for packages. */
async function runWithoutGit(args: readonly string[], installs: string) {
  await using temp = await tempDirectory();
  for (const name of ["sh", "chmod", "ln"]) await Deno.symlink(`/bin/${name}`, `${temp.path}/${name}`);
  const calls = `${temp.path}/calls`;
  await Deno.writeTextFile(`${temp.path}/apt-get`, `#!/bin/sh\necho "$@" >>'${calls}'\n${installs}\n`, { mode: 0o755 });
  // Who is not root asks for it: sudo -n apt-get ...
  await Deno.writeTextFile(`${temp.path}/sudo`, '#!/bin/sh\nshift\nexec "$@"\n', { mode: 0o755 });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "--quiet", RUNNER, ...args, SUITE],
    cwd: new URL("../../", import.meta.url),
    env: { PATH: temp.path },
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  const asked = await Deno.readTextFile(calls).catch(() => "");
  return { code, output, asked: asked.split("\n").filter((line) => line !== "") };
}

Deno.test("without --install nothing is installed, and the suite fails with the packages and what gets them", async () => {
  const { code, output, asked } = await runWithoutGit([], "exit 1");

  assertEquals([code, asked], [1, []], output);
  assertMatch(output, /FAIL tests\/shape\/top_level_test\.ts/);
  assertMatch(output, /cannot run without git: install the Debian packages \(git\), or let --install do so/);
  assertMatch(output, /\n0 passed, 1 failed\n$/);
});

Deno.test("--install installs what is missing, and the suite runs", async () => {
  const { output, asked } = await runWithoutGit(["--install"], 'ln -s /bin/true "${0%/*}/git"');

  assertEquals(asked.length, 1);
  assertMatch(asked[0]!, / install git$/);
  assertMatch(output, /^installing git$/m);
  assertNotMatch(output, /cannot run without/);
});

Deno.test("--install that fails asks for newer lists once, then the suite fails", async () => {
  const { code, output, asked } = await runWithoutGit(["--install"], "exit 1");

  assertEquals(code, 1);
  assertEquals(asked.map((line) => line.split(" ").filter((word) => /^(install|update)$/.test(word)).join()), [
    "install",
    "update",
    "install",
  ]);
  assertMatch(output, /could not install git/);
  assertMatch(output, /cannot run without git/);
});
