/** `queuectl queue set`: changes the limits of a queue, which is made on first use. @module */
import { UsageError } from "../../../core/errors.ts";
import { parseName } from "../../../core/job_fields.ts";
import { parseQueueLimit, parseRate } from "../../../core/queue_limits.ts";
import type { Queue } from "../../../store/store.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOnOrOff, requiredWord, text } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { limitsText, queueToJson } from "../../output/queue_view.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = parseName(requiredWord(input, 0), "queue");
  const concurrency = text(input, "concurrency");
  const rate = text(input, "rate");
  const maxPending = text(input, "max-pending");
  const paused = isOnOrOff(input, "paused");
  const change: Partial<Omit<Queue, "name">> = {
    ...(concurrency !== undefined && { concurrency: parseQueueLimit(concurrency, "concurrency") }),
    ...(rate !== undefined && { rate: parseRate(rate) }),
    ...(maxPending !== undefined && { max_pending: parseQueueLimit(maxPending, "max_pending") }),
    ...(paused !== undefined && { paused }),
  };
  if (Object.keys(change).length === 0) {
    throw new UsageError("Missing option: say what to set", { hint: `queuectl queue set ${name} --concurrency 2` });
  }
  const queue = await (await context.store("write")).queues.set(name, change);
  if (isJsonFormat(context)) printJson(context, queueToJson(queue));
  else context.note(`Queue ${name} is ${queue.paused ? "paused" : "open"}: ${limitsText(queue) ?? "no limits"}`);
}
