/** `queuectl man [PAGE]`: a manual page on the terminal, or its source in a pipe. @module */
import { VERSION } from "../../../version.ts";
import type { Input } from "../../command.ts";
import { COMMAND_TABLE } from "../../command_table.ts";
import type { Context } from "../../context.ts";
import { findPage } from "../../manual/pages.ts";
import { toPlain } from "../../manual/plain.ts";
import { toRoff } from "../../manual/roff.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { unknownCommand } from "../../usage_errors.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const asked = input.words.join(" ");
  const page = findPage(asked, COMMAND_TABLE);
  if (page === undefined) throw unknownCommand("", asked.replace(/^queuectl-/, ""), COMMAND_TABLE);
  const roff = toRoff(page, VERSION);
  if (isJsonFormat(context)) {
    const { name, otherNames, summary } = page;
    return printJson(context, { name, other_names: otherNames, section: 1, summary, roff });
  }
  if (!context.isTerminal) return context.write(roff);
  if (await showByMan(roff)) return;
  context.write(toPlain(page, { columns: context.columns, color: context.color }), { isStyled: true });
}

/** False when there is no man(1), or it cannot show the page. */
async function showByMan(roff: string): Promise<boolean> {
  // Ctrl-C belongs to the pager, which may go on; this program must not end before it.
  const ignore = () => {};
  Deno.addSignalListener("SIGINT", ignore);
  try {
    // Where it fails, as that of mandoc does, which reads no page from a pipe, the plain text stands for its complaint.
    const man = new Deno.Command("man", { args: ["-l", "-"], stdin: "piped", stdout: "inherit", stderr: "null" })
      .spawn();
    // A reader who leaves the pager early closes the pipe.
    await new Blob([roff]).stream().pipeTo(man.stdin).catch(() => {});
    const { success, signal } = await man.status;
    return success || signal !== null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  } finally {
    Deno.removeSignalListener("SIGINT", ignore);
  }
}
