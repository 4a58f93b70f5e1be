/** `queuectl man install`: writes the manual pages to where man looks for them. @module */
import type { Input } from "../../command.ts";
import { COMMAND_TABLE } from "../../command_table.ts";
import type { Context } from "../../context.ts";
import { manFolder, wishOf } from "../../manual/folder.ts";
import { installPages } from "../../manual/install.ts";
import { manualFiles } from "../../manual/files.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { shellQuote } from "../../shell_quote.ts";
import { VERSION } from "../../../version.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const folder = manFolder(context, wishOf(input));
  const files = manualFiles(COMMAND_TABLE, VERSION);
  const { written, unchanged, removed } = installPages(folder.pages, files);
  if (isJsonFormat(context)) {
    printJson(context, { dir: folder.pages, pages: [...files.keys()], written, unchanged, removed });
  } else {
    context.print(folder.pages);
    context.note(`Wrote ${written.length} manual pages; ${unchanged.length} were up to date`);
  }
  if (await isSearched(folder.root) === false) context.note(wayToFind(context, folder.root));
}

/** man-db looks into ../share/man beside each folder of PATH. */
function wayToFind({ env }: Context, root: string): string {
  const bin = root.endsWith("/share/man") ? root.replace(/\/share\/man$/, "/bin") : undefined;
  const isOnPath = bin !== undefined && (env("PATH") ?? "").split(":").includes(bin);
  return bin !== undefined && !isOnPath
    ? `man looks there as soon as ${bin} is on PATH`
    : `man does not look there yet. Try: export MANPATH=${shellQuote(`${root}:`)}`;
}

/** Whether man(1) looks into the folder; undefined where that cannot be asked. */
async function isSearched(root: string): Promise<boolean | undefined> {
  try {
    const { stdout } = await new Deno.Command("manpath", { args: ["-q"], stdin: "null", stderr: "null" }).output();
    return new TextDecoder().decode(stdout).trim().split(":").includes(root);
  } catch {
    // No man-db here.
    return undefined;
  }
}
