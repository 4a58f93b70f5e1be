/**
 * argv -> exit code: parse, make the Context, load and run the one command,
 * put everything away. The only place where an error becomes text and number
 * (`report_error.ts` has the words).
 * @module
 */
import type { FlagValue, Input } from "./command.ts";
import { partFor } from "./command_families.ts";
import { makeContext, type OwnedContext } from "./make_context.ts";
import { OutputClosedError } from "./output/streams.ts";
import { parse } from "./parse.ts";

export async function run(argv: readonly string[]): Promise<number> {
  let flags: ReadonlyMap<string, FlagValue> | undefined;
  let context: OwnedContext | undefined;
  try {
    const input = await understood(argv);
    flags = input.flags;
    context = makeContext(flags, { isSilent: input.spec.hidden === true });
    const command = await input.spec.load();
    const exitCode = await command.run(context, input);
    await context.close();
    return exitCode ?? 0;
  } catch (error) {
    await context?.close().catch(() => {}); // The first error is the one to tell.
    if (error instanceof OutputClosedError) return 0;
    const { reportError } = await import("./report_error.ts");
    const { COMMAND_TABLE } = await import("./command_table.ts");
    return await reportError(error, { argv, flags, table: COMMAND_TABLE });
  }
}

/** Reads the command line with the part of the table that it needs; a refusal, and help, are about the whole. */
async function understood(argv: readonly string[]): Promise<Input> {
  const part = await partFor(argv);
  if (part !== undefined) {
    try {
      return await parse(argv, part);
    } catch {
      // Read again below, by the whole table: its words are the ones to tell.
    }
  }
  return await parse(argv, (await import("./command_table.ts")).COMMAND_TABLE);
}
