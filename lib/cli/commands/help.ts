/**
 * `help [COMMAND]`, and what `--help` anywhere turns into.
 * @module
 */
import type { Input } from "../command.ts";
import { COMMAND_TABLE } from "../command_table.ts";
import type { Context } from "../context.ts";
import { helpFor } from "../help.ts";

// deno-lint-ignore require-await
export async function run(context: Context, input: Input): Promise<void> {
  context.write(helpFor(input.words, COMMAND_TABLE, { color: context.color, columns: context.columns }), {
    isStyled: true,
  });
}
