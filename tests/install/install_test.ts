/** install.sh installs a release: piped from a server, in each shell, with what the host has. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { machine, makeRelease, PATH, piped, serve } from "./_machine.ts";

const release = join(await Deno.makeTempDir({ prefix: "release-" }), "release");
await makeRelease(release);
await Deno.chmod(join(release, ".."), 0o755);
const PROGRAM = [...Deno.readDirSync(join(release, "v0.1.0"))].map(({ name }) => name)
  .find((name) => name.endsWith("-linux-gnu"))!;

/** What install.sh calls, but for the programs that download and unpack. */
const TOOLS = ["sh", "awk", "cat", "chmod", "cut", "dirname", "getconf", "grep", "id", "ls", "mkdir", "mktemp", "mv"]
  .concat(["rm", "rmdir", "sed", "sha256sum", "tr", "uname"]);

Deno.test("piped from curl into an empty home, the program runs a job and prints its output alone", async () => {
  await using server = serve(release);
  await using host = await machine();

  const installed = await host.run(piped(server.base, ["sh"]), { QUEUECTL_BASE_URL: server.base });
  const hello = await host.run([`${host.home}/.local/bin/queuectl`, "run", "--", "echo", "hello"]);

  assertEquals(installed.code, 0, installed.stderr);
  assertStringIncludes(installed.stdout, `Installed queuectl 0.1.0 as ${host.home}/.local/bin/queuectl\n`);
  assertEquals({ code: hello.code, stdout: hello.stdout }, { code: 0, stdout: "hello\n" }, hello.stderr);
  assertEquals((await Deno.stat(`${host.home}/.local/bin/queuectl`)).mode! & 0o777, 0o755);
  const startFiles = host.filesInHome().filter((name) => /^\.(?:bash|z|profile)|config\.fish/.test(name));
  assertEquals(startFiles, [], "files that shells read at their start");
});

Deno.test("a second run changes nothing and says so", async () => {
  await using server = serve(release);
  await using host = await machine();
  const env = { QUEUECTL_BASE_URL: server.base };
  await host.run(piped(server.base, ["sh"]), env);
  const before = await Deno.stat(`${host.home}/.local/bin/queuectl`);
  const files = host.filesInHome();
  server.requests.length = 0;

  const { code, stdout } = await host.run(piped(server.base, ["sh"]), env);

  const after = await Deno.stat(`${host.home}/.local/bin/queuectl`);
  assertEquals(code, 0);
  assertStringIncludes(stdout, "queuectl 0.1.0 is already installed as");
  assertEquals([after.ino, after.mtime], [before.ino, before.mtime]);
  assertEquals(host.filesInHome(), files);
  assertEquals(server.requests, ["install.sh"]);
});

for (const shell of [["dash"], ["bash"], ["busybox", "ash"], ["zsh"]]) {
  Deno.test(`runs in ${shell.join(" ")}, into a folder whose name has spaces and a quote`, async () => {
    await using server = serve(release);
    await using host = await machine();
    const folder = `${host.home}/my own 'bin'`;

    const installed = await host.run(piped(server.base, shell, ["--no-completions", "--dir", folder]), {
      QUEUECTL_BASE_URL: server.base,
    });
    const shown = installed.stdout.match(/^ {2}('.*' run -- echo hello)/m)?.[1] ?? "false";
    const hello = await host.run(["/bin/sh", "-c", shown]);

    assertEquals([installed.code, installed.stderr], [0, ""]);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["queuectl"]);
    assertEquals(hello.stdout, "hello\n", hello.stderr);
  });
}

Deno.test("runs as a file in zsh and in BusyBox without any other program", async () => {
  await using host = await machine();
  const folder = `${host.directory}/busybox`;
  await Deno.mkdir(folder);
  await host.runAsSelf(["busybox", "--install", "-s", folder]);
  const script = join(release, "install.sh");
  const env = { QUEUECTL_BASE_URL: release };

  const inZsh = await host.run(["zsh", script, "--no-completions", "--dir", "one"], env);
  const inBusybox = await host.run([`${folder}/ash`, script, "--no-completions", "--dir", "two"], {
    ...env,
    PATH: folder,
  });

  assertEquals([inZsh.code, inZsh.stderr], [0, ""]);
  assertEquals([inBusybox.code, inBusybox.stderr], [0, ""]);
  assertEquals(host.filesInHome(), ["one/queuectl", "two/queuectl"]);
});

for (
  const { has, file } of [
    { has: ["curl", "zstd", "gzip"], file: `${PROGRAM}.zst` },
    { has: ["wget", "gzip"], file: `${PROGRAM}.gz` },
    { has: ["wget"], file: PROGRAM },
  ]
) {
  Deno.test(`with ${has.join(", ")} it downloads ${file.replace(PROGRAM, "the program as ")}`, async () => {
    await using server = serve(release);
    await using host = await machine();
    const folder = await host.folderOf([...TOOLS, ...has]);

    const { code, stderr } = await host.run(["sh", join(release, "install.sh"), "--no-completions"], {
      PATH: folder,
      QUEUECTL_BASE_URL: server.base,
    });

    assertEquals([code, stderr], [0, ""]);
    assertEquals(server.requests, [file]);
    assertEquals(host.filesInHome(), [".local/bin/queuectl"]);
  });
}

Deno.test("installs from a folder, without any network", async () => {
  await using host = await machine();

  const { code, stderr } = await host.run(["sh", join(release, "install.sh"), "--no-completions"], {
    QUEUECTL_BASE_URL: release,
  });

  assertEquals([code, stderr], [0, ""]);
  assertEquals(host.filesInHome(), [".local/bin/queuectl"]);
});

Deno.test("a copy without sums takes them from the release that is named", async () => {
  await using server = serve(release);
  await using host = await machine();
  const script = `${host.directory}/install.sh`;
  await Deno.copyFile(new URL("../../install.sh", import.meta.url), script);
  const env = { QUEUECTL_BASE_URL: server.base };

  const unnamed = await host.run(["sh", script], env);
  const named = await host.run(["sh", script, "--no-completions", "--version", "v0.1.0"], env);

  assertEquals(unnamed.code, 1);
  assertStringIncludes(unnamed.stderr, "Try: sh install.sh --version V");
  assertEquals([named.code, named.stderr], [0, ""]);
  assertEquals(server.requests[0], "SHA256SUMS");
  assertEquals(host.filesInHome(), [".local/bin/queuectl"]);
});

Deno.test("a folder that is on PATH by a link counts as on PATH", async () => {
  await using host = await machine();
  const bin = `${host.home}/.local/bin`;
  await host.run(["sh", "-c", 'mkdir -p "$HOME/programs" "$HOME/.local" && ln -s ../programs "$HOME/.local/bin"']);

  const { code, stdout, stderr } = await host.run(["sh", join(release, "install.sh"), "--no-completions"], {
    QUEUECTL_BASE_URL: release,
    PATH: `${bin}:${PATH}`,
  });

  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, `Installed queuectl 0.1.0 as ${host.home}/programs/queuectl\n`);
  assertStringIncludes(stdout, "\n  queuectl run -- echo hello\n");
});

Deno.test("a user of zsh is told the line that makes zsh find the completions", async () => {
  await using host = await machine();
  const install = (env: Record<string, string>) =>
    host.run(["sh", join(release, "install.sh")], { QUEUECTL_BASE_URL: release, ...env });

  const first = await install({ SHELL: "/usr/bin/zsh" });
  const line = first.stdout.match(/^ {2}(fpath=.*)$/m)?.[1] ?? "";
  await Deno.writeTextFile(`${host.home}/.zshrc`, `${line}\n`);
  const found = await host.run(["zsh", "-c", '. "$HOME/.zshrc" && print -r -- $_comps[queuectl]']);
  const again = await install({ SHELL: "/usr/bin/zsh" });
  const elsewhere = await install({ SHELL: "/usr/bin/fish" });

  assertEquals([first.code, first.stderr], [0, ""]);
  assertEquals(found.stdout, "_queuectl\n", found.stderr);
  assertEquals([again.stdout, elsewhere.stdout].filter((text) => text.includes("fpath=")), []);
});

Deno.test("the last lines name the program as the shell finds it, and how to find it", async () => {
  await using host = await machine();
  const bin = `${host.home}/.local/bin`;
  const install = (env: Record<string, string>) =>
    host.run(["sh", join(release, "install.sh"), "--no-completions"], { QUEUECTL_BASE_URL: release, ...env });

  const inBash = (await install({ SHELL: "/bin/bash" })).stdout;
  const inFish = (await install({ SHELL: "/usr/bin/fish" })).stdout;
  const onPath = (await install({ SHELL: "/bin/bash", PATH: `${bin}:${PATH}` })).stdout;

  assertStringIncludes(inBash, `\n  export PATH=${bin}:"$PATH"\n`);
  assertStringIncludes(inFish, `\n  fish_add_path ${bin}\n`);
  assertStringIncludes(onPath, "\n  queuectl run -- echo hello\n");
  assert(!onPath.includes("export PATH"), onPath);
  for (const said of [inBash, inFish]) assertStringIncludes(said, `\n  ${bin}/queuectl run -- echo hello\n`);
  for (const said of [inBash, inFish, onPath]) {
    assertStringIncludes(said, `In a crontab write ${bin}/queuectl`);
    assertEquals(said.trimEnd().split("\nNext:\n")[1]?.split("\n").length, 3);
  }
});

Deno.test("--dry-run says what would be done, asks nobody and touches nothing", async () => {
  await using server = serve(release);
  await using host = await machine();

  const { code, stdout } = await host.run(["sh", join(release, "install.sh"), "--dry-run"], {
    QUEUECTL_BASE_URL: server.base,
  });

  assertEquals(code, 0);
  assertStringIncludes(stdout, `Would install it as ${host.home}/.local/bin/queuectl`);
  assertEquals([server.requests, [...Deno.readDirSync(host.home)]], [[], []]);
});

Deno.test("in a clone it builds from the sources; through a pipe it does not, wherever the shell stands", async () => {
  await using host = await machine();
  const clone = `${host.home}/clone`;
  await Deno.mkdir(`${clone}/tools`, { recursive: true });
  await Deno.mkdir(`${clone}/dist`);
  await Deno.copyFile(new URL("../../install.sh", import.meta.url), `${clone}/install.sh`);
  await Deno.writeTextFile(`${clone}/deno.json`, '{\n  "name": "queuectl"\n}\n');
  const build = `#!/bin/sh\necho "$@" >>"${host.directory}/built"\ncp "${release}/v0.1.0/${PROGRAM}" dist/queuectl\n`;
  await Deno.writeTextFile(`${clone}/tools/deno`, build, { mode: 0o755 });
  await host.runAsSelf(["chmod", "-R", "a+rwX", clone]);

  const viaPipe = await host.run(["sh", "-c", `cd ${clone} && cat install.sh | sh`]);
  assertEquals(await Deno.stat(`${host.directory}/built`).then(() => true, () => false), false);
  const asFile = await host.run(["sh", `${clone}/install.sh`, "--no-completions"]);

  assertEquals(viaPipe.code, 1);
  assertStringIncludes(viaPipe.stderr, "QUEUECTL_BASE_URL must say it");
  assertEquals([asFile.code, asFile.stderr], [0, ""]);
  assertEquals(await Deno.readTextFile(`${host.directory}/built`), "task compile\n");
  const version = await host.run([`${host.home}/.local/bin/queuectl`, "version"]);
  assertStringIncludes(version.stdout, "queuectl 0.1.0");
});
