/**
 * What `queue pause` and `queue resume` have in common.
 * @module
 */
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";
import { requiredWord } from "./input.ts";
import { isJsonFormat, printJson } from "./output/json.ts";
import { queueToJson } from "./output/queue_view.ts";

/** @throws {NotFoundError} when there is no such queue. */
export async function setPaused(context: Context, input: Input, isPaused: boolean): Promise<void> {
  const name = requiredWord(input, 0);
  const { queues } = await context.store("write");
  await queues.setPaused(name, isPaused);
  if (!isJsonFormat(context)) return context.note(`Queue ${name} is ${isPaused ? "paused" : "open"}`);
  const queue = (await queues.list()).find((queue) => queue.name === name);
  // Removed by somebody in this very moment: then there is nothing to show.
  if (queue !== undefined) printJson(context, queueToJson(queue));
}
