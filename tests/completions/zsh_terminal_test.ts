import { assertStringIncludes } from "@std/assert";
import { Terminal } from "./_terminal.ts";
import { describeTerminal, shellEnvironment, shellSandbox } from "./_terminal_cases.ts";

describeTerminal({
  name: "zsh",
  describes: true,
  tabsToList: 1,
  prepare: () =>
    Promise.resolve({
      command: ["env", "PS1=%% ", "zsh", "-f", "-i"],
      prompt: "%",
      setUp: 'autoload -Uz compinit; compinit -u -D; eval "$(queuectl completions zsh)"',
    }),
});

Deno.test("zsh has what `completions zsh install` wrote, with the line that it showed", async () => {
  await using box = await shellSandbox();
  const { stderr } = await box.run(["completions", "zsh", "install", "--user"]);
  const line = stderr.split("\n").find((each) => each.includes("fpath=")) ?? "";
  assertStringIncludes(line, "compinit");
  await Deno.writeTextFile(`${box.home}/.zshrc`, `PS1='%% '\n${line.trim()} -u\n`);
  await using terminal = await Terminal.open({
    command: ["zsh", "-d", "-i"],
    directory: box.directory,
    env: shellEnvironment(box),
    prompt: "%",
  });

  await terminal.tab("queuectl ret");

  await terminal.shows(([line]) => line?.endsWith("queuectl retry") ?? false);
});
