/** `queuectl man uninstall`: removes the manual pages that `man install` wrote. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { manFolder, wishOf } from "../../manual/folder.ts";
import { uninstallPages } from "../../manual/install.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";

// deno-lint-ignore require-await
export async function run(context: Context, input: Input): Promise<void> {
  const folder = manFolder(context, wishOf(input));
  const removed = uninstallPages(folder.pages, { keepFolders: folder.isShared });
  if (isJsonFormat(context)) return printJson(context, { dir: folder.pages, removed });
  context.print(folder.pages);
  context.note(removed.length === 0 ? "There was nothing to remove" : `Removed ${removed.length} manual pages`);
}
