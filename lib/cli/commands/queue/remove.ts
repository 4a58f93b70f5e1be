/** `queuectl queue remove`: forgets a queue that holds nothing unfinished. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = requiredWord(input, 0);
  await (await context.store("write")).queues.remove(name);
  context.note(`Queue ${name} is removed`);
}
