/** The README can be pasted. */
import { assert, assertEquals } from "@std/assert";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { parse } from "../../lib/cli/parse.ts";
import { tempDirectory } from "../support/temp_store.ts";

/** Ends each call in what the stub writes down. */
const END = "-- end of call --";

/** Writes down what it was called with, a word to a line, and prints an id, as `enqueue` does. */
const STUB = `#!/bin/sh
{ for word; do printf '%s\\n' "$word"; done; echo '${END}'; } >>"$CALLS"
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

/** The command lines of queuectl in them, as a shell takes them apart. */
async function calls(blocks: readonly string[]): Promise<string[][]> {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/queuectl`, STUB, { mode: 0o755 });
  for (const block of blocks) {
    // No other program is within reach: what they would do is not asked here.
    const shell = new Deno.Command("/bin/sh", {
      args: ["-c", block],
      cwd: temp.path,
      clearEnv: true,
      env: { ...VARIABLES, PATH: temp.path, HOME: temp.path, CALLS: `${temp.path}/calls` },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    await shell.output();
  }
  const text = await Deno.readTextFile(`${temp.path}/calls`);
  return text.split(`${END}\n`).slice(0, -1).map((call) => call.split("\n").slice(0, -1));
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
