/**
 * argv -> exit code: parse, make the Context, load and run the one command,
 * put everything away. The only place where an error becomes text and number
 * (`report_error.ts` has the words).
 * @module
 */
import type { FlagValue } from "./command.ts";
import { COMMAND_TABLE } from "./command_table.ts";
import { makeContext, type OwnedContext } from "./make_context.ts";
import { OutputClosedError } from "./output/streams.ts";
import { parse } from "./parse.ts";

export async function run(argv: readonly string[]): Promise<number> {
  let flags: ReadonlyMap<string, FlagValue> | undefined;
  let context: OwnedContext | undefined;
  try {
    const input = await parse(argv, COMMAND_TABLE);
    flags = input.flags;
    context = makeContext(flags);
    const command = await input.spec.load();
    const exitCode = await command.run(context, input);
    await context.close();
    return exitCode ?? 0;
  } catch (error) {
    await context?.close().catch(() => {}); // The first error is the one to tell.
    if (error instanceof OutputClosedError) return 0;
    const { reportError } = await import("./report_error.ts");
    return await reportError(error, { argv, flags, table: COMMAND_TABLE });
  }
}
