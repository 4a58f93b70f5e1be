/** `queuectl batch seal`: no more jobs come; when all have ended the batch is done. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { onBatchDone } from "../../on_batch_done.ts";
import { batchState, batchToJson } from "../../output/batch_view.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const store = await context.store("write");
  const batch = await store.batches.seal(requiredWord(input, 0), await onBatchDone(context, input));
  if (isJsonFormat(context)) printJson(context, batchToJson(batch));
  else context.note(`Batch ${batch.name} is ${batchState(batch)}: ${batch.ended} of ${batch.total} jobs have ended`);
}
