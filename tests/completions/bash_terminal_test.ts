import { assertEquals } from "@std/assert";
import { Terminal } from "./_terminal.ts";
import { describeTerminal, shellEnvironment, shellSandbox } from "./_terminal_cases.ts";

/** What Debian writes into the .bashrc of each user. */
const TURNED_ON = ". /usr/share/bash-completion/bash_completion\n";

describeTerminal({
  name: "bash without bash-completion",
  describes: false,
  tabsToList: 2,
  prepare: () =>
    Promise.resolve({
      command: ["env", "PS1=$ ", "bash", "--norc", "-i"],
      prompt: "$",
      setUp: 'eval "$(queuectl completions bash)"; PS1="$ "',
    }),
});

Deno.test("bash with bash-completion has what `completions bash install` wrote, without a line of ours", async () => {
  await using box = await shellSandbox();
  await Deno.writeTextFile(`${box.home}/.bashrc`, TURNED_ON + 'PS1="$ "\n');
  await box.ok(["enqueue", "--id", "site:backup", "true"]);
  await box.ok(["completions", "bash", "install", "--user"]);
  await using terminal = await Terminal.open({
    command: ["bash", "-i"],
    directory: box.directory,
    env: shellEnvironment(box),
    prompt: "$",
  });

  for (
    const { typed, wanted } of [
      { typed: "queuectl ret", wanted: "queuectl retry" },
      { typed: "queuectl edit site:b", wanted: "queuectl edit site:backup" },
      { typed: "queuectl list --state=dead,pe", wanted: "queuectl list --state=dead,pending" },
      { typed: "queuectl enqueue --pri", wanted: "queuectl enqueue --priority" },
      { typed: "queuectl enqueue --backoff f", wanted: "queuectl enqueue --backoff fixed:" },
      { typed: "queuectl show 'site:b", wanted: "queuectl show 'site:backup'" },
      { typed: "queuectl enqueue -- mkdi", wanted: "queuectl enqueue -- mkdir" },
    ]
  ) {
    await terminal.tab(typed);
    const [line] = await terminal.shows(([line]) => line?.endsWith(wanted) ?? false);
    assertEquals(line, `$ ${wanted}`);
  }
});
