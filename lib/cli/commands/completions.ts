/**
 * `completions SHELL`: prints the completion script.
 * @module
 */
import type { Input } from "../command.ts";
import { COMMAND_TABLE } from "../command_table.ts";
import type { Context } from "../context.ts";
import { requiredWord } from "../input.ts";

export async function run(context: Context, input: Input): Promise<void> {
  context.write(await scriptFor(requiredWord(input, 0)));
}

async function scriptFor(shell: string): Promise<string> {
  switch (shell) {
    case "bash":
      return (await import("../completions/bash.ts")).bashCompletion(COMMAND_TABLE);
    case "zsh":
      return (await import("../completions/zsh.ts")).zshCompletion(COMMAND_TABLE);
    case "fish":
      return (await import("../completions/fish.ts")).fishCompletion(COMMAND_TABLE);
    default:
      throw new Error(`No completions for "${shell}"`);
  }
}
