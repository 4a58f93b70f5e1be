/** `queuectl queue remove`: forgets a queue that holds nothing unfinished. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = requiredWord(input, 0);
  await (await context.store("write")).queues.remove(name);
  if (isJsonFormat(context)) printJson(context, { removed: name });
  else context.note(`Queue ${name} is removed`);
}
