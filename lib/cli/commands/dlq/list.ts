/** `queuectl dlq list`: jobs that failed for good. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { listCommand } from "../list.ts";

export async function run(context: Context, input: Input): Promise<void> {
  await listCommand(context, input, { states: ["dead"], whenEmpty: "No dead jobs" });
}
