/** `queuectl batch show`: one batch. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { batchLines, batchToJson } from "../../output/batch_view.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const batch = await (await context.store("read")).batches.find(requiredWord(input, 0));
  if (isJsonFormat(context)) return printJson(context, batchToJson(batch));
  for (const line of batchLines(batch, context.clock.now())) context.print(line);
}
