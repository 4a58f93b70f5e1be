import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMAND_TABLE } from "../../../lib/cli/command_table.ts";
import { bashCompletion } from "../../../lib/cli/completions/bash.ts";
import { fishCompletion } from "../../../lib/cli/completions/fish.ts";
import { nextWords } from "../../../lib/cli/completions/model.ts";
import { zshCompletion } from "../../../lib/cli/completions/zsh.ts";

const SCRIPTS: readonly (readonly [string, string])[] = [
  ["bash", bashCompletion(COMMAND_TABLE)],
  ["zsh", zshCompletion(COMMAND_TABLE)],
  ["fish", fishCompletion(COMMAND_TABLE)],
];

for (const [shell, script] of SCRIPTS) {
  Deno.test(`the ${shell} script knows every command and flag, and not the hidden ones`, () => {
    for (const command of COMMAND_TABLE.commands.filter((candidate) => !candidate.hidden)) {
      assertStringIncludes(script, `'${command.name}'`);
      for (const flag of command.flags ?? []) {
        assertStringIncludes(script, shell === "fish" ? `-l ${flag.name}` : `--${flag.name}`);
      }
    }
    assert(!script.includes("'__complete'"));
  });
}

Deno.test("the next words of the top level are commands and groups, without aliases", () => {
  const words = nextWords(COMMAND_TABLE).get("")?.map((choice) => choice.word) ?? [];

  assertEquals(words.includes("worker"), true);
  assertEquals(words.includes("job"), false);
});

Deno.test("an alias that is a group has its next words", () => {
  const words = nextWords(COMMAND_TABLE).get("job")?.map((choice) => choice.word) ?? [];

  assertEquals(words.includes("show"), true);
});
