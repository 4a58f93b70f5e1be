/** Every command line of queuectl in docs/ is one that it takes. */
import { assert, assertEquals } from "@std/assert";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { parse } from "../../lib/cli/parse.ts";
import { codeBlocks, PAGES } from "../support/recipes.ts";
import { tempDirectory } from "../support/temp_store.ts";

/** Writes down what it was called with, each call into a file of its own. */
const STUB = `#!/bin/sh
file=$("$MKTEMP" "$CALLS/XXXXXX")
for word; do printf '%s\\0' "$word"; done >"$file"
echo k3v9
`;

for (const page of PAGES) {
  Deno.test(`every command line in docs/${page}.md is one that queuectl takes`, async () => {
    const inBlocks = codeBlocks(page).filter(({ info }) => info === "sh").map(({ text }) => text);
    const inProse = proseCommands(page);

    assertEquals(await refusals(await calls(inBlocks)), []);
    const proseCalls = await calls(inProse);
    assert(proseCalls.length >= inProse.length, `${proseCalls.length} calls of ${inProse.length} commands`);
    // A sentence may name a command without what it is to work on.
    const refused = await refusals(proseCalls);
    assertEquals(refused.filter((line) => !/: Missing [A-Z]+ for /.test(line)), []);
  });
}

/** The command lines of queuectl in shell texts, as a shell takes them apart. */
async function calls(texts: readonly string[]): Promise<string[][]> {
  await using temp = await tempDirectory();
  await Deno.writeTextFile(`${temp.path}/queuectl`, STUB, { mode: 0o755 });
  const folder = `${temp.path}/calls`;
  await Deno.mkdir(folder);
  for (const text of texts) {
    // No other program is within reach: what they would do is not asked here.
    await new Deno.Command("/bin/sh", {
      args: ["-c", text],
      cwd: temp.path,
      clearEnv: true,
      env: { id: "k3v9", PATH: temp.path, HOME: temp.path, CALLS: folder, MKTEMP: "/usr/bin/mktemp" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  }
  return [...Deno.readDirSync(folder)].map(({ name }) =>
    Deno.readTextFileSync(`${folder}/${name}`).split("\0").slice(0, -1)
  );
}

async function refusals(lines: readonly string[][]): Promise<string[]> {
  const refused: string[] = [];
  for (const argv of lines) {
    await parse(argv, COMMAND_TABLE).catch((error) => refused.push(`${argv.join(" ")}: ${error.message}`));
  }
  return refused;
}

/** `queuectl worker stop` in a sentence. */
function proseCommands(page: string): string[] {
  const text = Deno.readTextFileSync(new URL(`../../docs/${page}.md`, import.meta.url));
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "");
  return [...prose.matchAll(/`(queuectl [a-z][^`]*)`/g)].map(([, command = ""]) => command)
    .filter((command) => !/[<>|…]|\.\.\./.test(command));
}
