/** The README can be pasted. */
import { assert, assertEquals } from "@std/assert";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { parse } from "../../lib/cli/parse.ts";
import { tempDirectory } from "../support/temp_store.ts";

/**
 * Writes down what it was called with, NUL after each word, and prints an id, as `enqueue` does. Each process has a file
 * of its own: two stubs of one pipeline run at the same time, and in one file their words would mix.
 */
const STUB = `#!/bin/sh
for word; do printf '%s\\0' "$word"; done >"$CALLS/$$"
echo k3v9
`;

/** Variables that a block takes from an earlier one, or from the reader. */
const VARIABLES = { id: "k3v9", a: "k3v9", b: "p7q2" };

/** What people write; the reference behind it comes from the command table, whose examples have a test of their own. */
function writtenBlocks(): string[] {
  const text = Deno.readTextFileSync(new URL("../../README.md", import.meta.url));
  const [written = ""] = text.split("<!-- generated:commands -->");
  return [...written.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
}

/** The command lines of queuectl in them, as a shell takes them apart; those of one block in no order. */
async function calls(blocks: readonly string[]): Promise<string[][]> {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/queuectl`, STUB, { mode: 0o755 });
  const lines: string[][] = [];
  for (const [number, block] of blocks.entries()) {
    // A folder for each block, because the system may give a pid again later.
    const folder = `${temp.path}/calls-${number}`;
    await Deno.mkdir(folder);
    // No other program is within reach: what they would do is not asked here.
    const shell = new Deno.Command("/bin/sh", {
      // A block may leave something in the background.
      args: ["-c", `trap wait EXIT\n${block}`],
      cwd: temp.path,
      clearEnv: true,
      env: { ...VARIABLES, PATH: temp.path, HOME: temp.path, CALLS: folder },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    await shell.output();
    for (const { name } of Deno.readDirSync(folder)) {
      lines.push((await Deno.readTextFile(`${folder}/${name}`)).split("\0").slice(0, -1));
    }
  }
  return lines;
}

Deno.test("every command line in the README is one that queuectl takes", async () => {
  const blocks = writtenBlocks();
  const lines = await calls(blocks);

  const refused: string[] = [];
  for (const argv of lines) {
    await parse(argv, COMMAND_TABLE).catch((error) => refused.push(`${argv.join(" ")}: ${error.message}`));
  }

  assertEquals(refused, []);
  assert(lines.length > 80, `only ${lines.length} command lines were found`);
});
