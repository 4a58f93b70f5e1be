/** `queuectl dlq show`: one dead job in full. @module */
import { ConflictError, quoted } from "../../../core/errors.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { run as show } from "../show.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const store = await context.store("read");
  const job = await store.jobs.find(requiredWord(input, 0));
  if (job.state !== "dead") {
    throw new ConflictError(`Cannot show dead job ${quoted(job.id)}: it is ${job.state}`, {
      hint: `queuectl show ${job.id}`,
    });
  }
  await show(context, input);
}
