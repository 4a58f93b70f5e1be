/** version, help and the words of the program about itself. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { sandbox } from "../support/binary.ts";

Deno.test("version, --version and version --json tell the version of deno.json", async () => {
  await using box = await sandbox();

  assertEquals(await box.ok(["version"]), `queuectl ${config.version}`);
  assertEquals(await box.ok(["--version"]), `queuectl ${config.version}`);
  assertEquals((await box.json(["version"])).version, config.version);
});

Deno.test("help, --help and no command at all show every command", async () => {
  await using box = await sandbox();

  const help = await box.ok(["help"]);

  assertEquals(await box.ok(["--help"]), help);
  assertEquals(await box.ok([]), help);
  for (const { name, hidden } of COMMAND_TABLE.commands) {
    if (!hidden) assertMatch(help, new RegExp(`^  ${name} `, "m"));
  }
});

Deno.test("every command can be loaded and has help with usage and examples", async () => {
  await using box = await sandbox();

  for (const { name, hidden, examples } of COMMAND_TABLE.commands) {
    if (hidden) continue;
    const help = await box.ok([...name.split(" "), "--help"]);
    assertStringIncludes(help, "Usage:\n");
    assertStringIncludes(help, `queuectl ${name}`);
    assertStringIncludes(help, examples[0]!.line);
  }
});

Deno.test("help COMMAND is the help of that command, and of a group its commands", async () => {
  await using box = await sandbox();

  assertEquals(await box.ok(["help", "worker", "run"]), await box.ok(["worker", "run", "--help"]));
  assertMatch(await box.ok(["help", "config"]), /config set/);
  const group = await box.run(["worker"]);
  assertEquals([group.code, group.stdout], [2, ""]);
  assertStringIncludes(group.stderr, "worker run");
});

Deno.test("there is no colour where there is no terminal", async () => {
  await using box = await sandbox();
  await box.ok(["enqueue", "true"]);

  for (const command of [["list"], ["status"], ["--help"], ["show", "nope"]]) {
    const { stdout, stderr } = await box.run(command, { env: { TERM: "xterm-256color" } });
    assert(!(stdout + stderr).includes("\x1b"), command.join(" "));
  }
});

Deno.test("-v adds the stack of an error, which is not there otherwise", async () => {
  await using box = await sandbox();

  const [usual, verbose] = [await box.run(["show", "nope"]), await box.run(["-v", "show", "nope"])];

  assert(!usual.stderr.includes("    at "));
  assertStringIncludes(verbose.stderr, "    at ");
  assertEquals([usual.code, verbose.code], [3, 3]);
});
