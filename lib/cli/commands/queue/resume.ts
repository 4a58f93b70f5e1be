/** `queuectl queue resume`: jobs of it are claimed again. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { setPaused } from "../../set_paused.ts";

export async function run(context: Context, input: Input): Promise<void> {
  await setPaused(context, input, false);
}
