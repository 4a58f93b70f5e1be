/** `queuectl queue resume`: jobs of it are claimed again. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = requiredWord(input, 0);
  await (await context.store("write")).queues.setPaused(name, false);
  context.note(`Queue ${name} is open`);
}
