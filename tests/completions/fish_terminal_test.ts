import { assertEquals } from "@std/assert";
import { Terminal } from "./_terminal.ts";
import { describeTerminal, shellEnvironment, shellSandbox } from "./_terminal_cases.ts";

const PROMPT = "function fish_prompt; echo '> '; end; set -g fish_greeting; set -g fish_autosuggestion_enabled 0";

/** Without it, the first fish of a home starts to read all manual pages, and goes on after its end. */
async function withoutManualPages(home: string): Promise<void> {
  await Deno.mkdir(`${home}/.local/share/fish/generated_completions`, { recursive: true });
}

describeTerminal({
  name: "fish",
  describes: true,
  tabsToList: 1,
  prepare: async (home) => {
    await withoutManualPages(home);
    return { command: ["fish", "-C", PROMPT], prompt: ">", setUp: "queuectl completions fish | source" };
  },
});

Deno.test("fish has what `completions fish install` wrote, without a line of ours", async () => {
  await using box = await shellSandbox();
  await withoutManualPages(box.home);
  await box.ok(["completions", "fish", "install", "--user"]);
  await using terminal = await Terminal.open({
    command: ["fish", "-C", PROMPT],
    directory: box.directory,
    env: shellEnvironment(box),
    prompt: ">",
  });

  await terminal.tab("queuectl ret");

  await terminal.shows(([line]) => line?.endsWith("queuectl retry") ?? false);
});

Deno.test("fish does not repeat the description of an option beside its values", async () => {
  await using box = await shellSandbox();
  await withoutManualPages(box.home);
  await using terminal = await Terminal.open({
    command: ["fish", "-C", PROMPT],
    directory: box.directory,
    env: shellEnvironment(box),
    prompt: ">",
  });
  await terminal.enter("queuectl completions fish | source");

  await terminal.tab("queuectl enqueue --on-conflict ");

  const screen = await terminal.shows((screen) => screen.join("\n").includes("attach"));
  assertEquals(screen.join("\n").includes("key is held"), false, screen.join("\n"));
});
