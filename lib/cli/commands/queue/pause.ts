/** `queuectl queue pause`: nothing of it is claimed until it is resumed; what runs goes on. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = requiredWord(input, 0);
  await (await context.store("write")).queues.setPaused(name, true);
  context.note(`Queue ${name} is paused`);
}
