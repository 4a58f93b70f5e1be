import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Sandbox, sandbox } from "../support/binary.ts";

const PLACES = {
  bash: ".local/share/bash-completion/completions/queuectl",
  zsh: ".local/share/zsh/site-functions/_queuectl",
  fish: ".config/fish/completions/queuectl.fish",
};

const shells = Object.entries(PLACES);

function install(box: Sandbox, shell: string, ...more: string[]) {
  return box.run(["completions", shell, "install", ...more]);
}

for (const [shell, place] of shells) {
  Deno.test(`completions ${shell} install writes the script into the home, and prints where`, async () => {
    await using box = await sandbox();

    const { code, stdout } = await install(box, shell, "--user");

    assertEquals([code, stdout], [0, `${box.home}/${place}\n`]);
    assertEquals(await Deno.readTextFile(`${box.home}/${place}`), `${await box.ok(["completions", shell])}\n`);
    assertEquals((await Deno.stat(`${box.home}/${place}`)).mode! & 0o777, 0o644);
  });

  Deno.test(`completions ${shell} uninstall removes the script, and the folders that were made for it`, async () => {
    await using box = await sandbox();
    await install(box, shell, "--user");

    assertEquals(await box.ok(["completions", shell, "uninstall", "--user"]), `${box.home}/${place}`);

    const above = place.split("/").slice(0, -2).join("/");
    assertEquals(await exists(`${box.home}/${above}`), false);
    const again = await box.run(["completions", shell, "uninstall", "--user"]);
    assertEquals([again.code, again.stdout], [0, ""]);
  });
}

Deno.test("installing again changes nothing, and says so", async () => {
  await using box = await sandbox();
  await install(box, "bash", "--user");
  const before = await Deno.stat(`${box.home}/${PLACES.bash}`);

  const again = await box.json(["completions", "bash", "install", "--user"]);

  assertEquals(again, { shell: "bash", path: `${box.home}/${PLACES.bash}`, changed: false });
  assertEquals((await Deno.stat(`${box.home}/${PLACES.bash}`)).ino, before.ino);
});

Deno.test("a script of another version is replaced at once, whole", async () => {
  await using box = await sandbox();
  const script = await box.ok(["completions", "fish"]);
  const folder = `${box.directory}/with space`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/queuectl.fish`, `${script.split("\n")[0]}\nset old 1\n`);

  const { code, stdout } = await install(box, "fish", "--dir", "with space");

  assertEquals([code, stdout], [0, `${folder}/queuectl.fish\n`]);
  assertEquals(await Deno.readTextFile(`${folder}/queuectl.fish`), `${script}\n`);
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["queuectl.fish"]);
});

Deno.test("a file that queuectl did not make is neither replaced nor removed", async () => {
  await using box = await sandbox();
  await Deno.writeTextFile(`${box.directory}/_queuectl`, "#compdef queuectl\n# mine\n");

  for (const action of ["install", "uninstall"]) {
    const { code, stderr } = await box.run(["completions", "zsh", action, "--dir", "."]);

    assertEquals(code, 4);
    assertStringIncludes(stderr, "it was not made by queuectl");
  }
  assertEquals(await Deno.readTextFile(`${box.directory}/_queuectl`), "#compdef queuectl\n# mine\n");
});

Deno.test("zsh is told its line until it is in .zshrc, however it spells the folder", async () => {
  await using box = await sandbox();
  const first = await install(box, "zsh", "--user");
  assertMatch(first.stderr, /fpath=\(.*\/site-functions \$fpath\); autoload -Uz compinit; compinit/);

  await Deno.writeTextFile(`${box.home}/.zshrc`, "fpath=(~/.local/share/zsh/site-functions $fpath)\n");

  const second = await install(box, "zsh", "--user");
  assertEquals(second.stderr.includes("fpath="), false);
  assertEquals(await Deno.readTextFile(`${box.home}/.zshrc`), "fpath=(~/.local/share/zsh/site-functions $fpath)\n");
});

for (
  const { args, code, says } of [
    { args: ["ksh", "install"], code: 2, says: "ksh" },
    { args: ["bash", "remove"], code: 2, says: "remove" },
    { args: ["bash", "--system"], code: 2, says: "--system" },
    { args: ["bash", "install", "--user", "--dir", "x"], code: 2, says: "--user with --dir" },
    { args: ["bash", "install", "--dir", ""], code: 2, says: "expected a path" },
    { args: ["bash", "install", "--dir", "queue.db/below"], code: 1, says: "not a directory" },
    { args: ["bash", "install", "--dir", "/proc/nowhere"], code: 1, says: "Cannot write" },
  ]
) {
  Deno.test(`completions ${args.join(" ")} exits ${code}, and says why`, async () => {
    await using box = await sandbox();
    await Deno.writeTextFile(`${box.directory}/queue.db`, "a file");

    const ended = await box.run(["completions", ...args]);

    assertEquals([ended.code, ended.stdout], [code, ""]);
    assertStringIncludes(ended.stderr, says);
  });
}

Deno.test("without a home, install says what to do", async () => {
  await using box = await sandbox();

  const { code, stderr } = await box.run(["completions", "bash", "install", "--user"], { env: { HOME: undefined } });

  assertEquals(code, 1);
  assertStringIncludes(stderr, "--dir");
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
