/** install.sh --uninstall, and what else it puts beside the program. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { waitFor } from "../support/wait_for.ts";
import { machine, makeRelease } from "./_machine.ts";

const release = join(await Deno.makeTempDir({ prefix: "release-" }), "release");
await makeRelease(release);
await Deno.chmod(join(release, ".."), 0o755);
const SCRIPT = join(release, "install.sh");
const ENV = { QUEUECTL_BASE_URL: release };

Deno.test("the completions of the shells that are here and the manual pages are installed, and removed again", async () => {
  await using host = await machine();

  const installed = await host.run(["sh", SCRIPT], ENV);
  const files = host.filesInHome();
  const removed = await host.run(["sh", SCRIPT, "--uninstall"]);

  assertEquals(installed.code, 0, installed.stderr);
  assertStringIncludes(installed.stdout, "Completions and help: bash, zsh, fish, man pages\n");
  for (const name of [/bash-completion.*queuectl/, /_queuectl$/, /queuectl\.fish$/, /man1\/queuectl\.1/]) {
    assert(files.some((file) => name.test(file)), `no ${name} among ${files}`);
  }
  assertEquals([removed.code, removed.stderr], [0, ""]);
  assertEquals(host.filesInHome().filter((file) => /queuectl/.test(file)), []);
});

Deno.test("--uninstall leaves the data alone and says where it is; --purge-data removes it", async () => {
  await using host = await machine();
  const program = `${host.home}/.local/bin/queuectl`;
  const data = `${host.home}/.local/share/queuectl`;
  await host.run(["sh", SCRIPT, "--no-completions"], ENV);
  await host.run([program, "run", "--", "true"]);
  await Deno.writeTextFile(`${data}/mine`, "");

  // The worker of `run` ends a moment after the command, and until then nothing would be removed.
  const tried = await waitFor(async () => {
    const dryRun = await host.run(["sh", SCRIPT, "--uninstall", "--no-completions", "--dry-run"]);
    return dryRun.code === 0 && dryRun;
  }, "the worker of `run` to end");
  assert(host.filesInHome().includes(".local/bin/queuectl"));
  const removed = await host.run(["sh", SCRIPT, "--uninstall", "--no-completions"]);
  const left = host.filesInHome();
  const again = await host.run(["sh", SCRIPT, "--uninstall", "--no-completions"]);
  const purged = await host.run(["sh", SCRIPT, "--uninstall", "--no-completions", "--purge-data"]);

  assertStringIncludes(tried.stdout, `Would remove ${program} (version 0.1.0)`);
  assertEquals([removed.code, removed.stderr], [0, ""]);
  assertStringIncludes(removed.stdout, `Removed ${program}\nThe jobs stay in ${data}`);
  assertEquals(left.filter((name) => !name.startsWith(".local/share/queuectl/")), []);
  assert(left.includes(".local/share/queuectl/queue.db"));
  assertEquals(again.code, 0);
  assertStringIncludes(again.stdout, "nothing was removed");
  assertEquals(purged.code, 0);
  // A file of somebody else keeps the folder.
  assertStringIncludes(purged.stdout, `Removed the jobs; ${data} stays`);
  assertEquals(host.filesInHome(), [".local/share/queuectl/mine"]);
});

Deno.test("--uninstall refuses while workers run from the program, and --purge-data while others use the data", async () => {
  await using host = await machine();
  const program = `${host.home}/.local/bin/queuectl`;
  await host.run(["sh", SCRIPT, "--no-completions"], ENV);
  const started = await host.run([program, "worker", "start"]);
  assertEquals(started.code, 0, started.stderr);

  const inUse = await host.run(["sh", SCRIPT, "--uninstall"]);
  const elsewhere = await host.run(["sh", SCRIPT, "--uninstall", "--purge-data", "--dir", `${host.home}/other`]);
  const stopped = await host.run([program, "worker", "stop"]);
  await waitFor(() => host.processes().length === 0, "the end of the workers");
  const removed = await host.run(["sh", SCRIPT, "--uninstall", "--purge-data"]);

  assertEquals(inUse.code, 1);
  assertMatch(inUse.stderr, /still runs from .* \(pid [\d ]+\): nothing was removed\nTry: .*queuectl worker stop\n/);
  assertEquals(elsewhere.code, 1);
  assertMatch(elsewhere.stderr, /processes still use the jobs in .*: nothing was removed/);
  assertEquals(stopped.code, 0, stopped.stderr);
  assertEquals([removed.code, removed.stderr], [0, ""]);
  assertEquals(host.filesInHome().filter((file) => /queuectl/.test(file)), []);
});
