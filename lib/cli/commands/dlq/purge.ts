/** `queuectl dlq purge`: removes dead jobs for good. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { removeCommand } from "../../remove_jobs.ts";

export async function run(context: Context, input: Input): Promise<number> {
  return await removeCommand(context, input, { states: ["dead"], what: "dead jobs" });
}
