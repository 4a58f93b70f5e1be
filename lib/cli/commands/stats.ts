/** `queuectl stats`: how runs ended, how long they took and waited. @module */
import { NotFoundError, quoted } from "../../core/errors.ts";
import { HISTORY_MS, readStats } from "../../operations/stats.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { durationMs, text } from "../input.ts";
import { stylerFor } from "../output/color.ts";
import { flattened } from "../output/flattened.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { statsPage, statsToJson } from "../output/stats_view.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const queue = text(input, "queue");
  const sinceMs = durationMs(input, "since");
  const store = await context.store("read");
  if (queue !== undefined && !(await store.queues.list()).some(({ name }) => name === queue)) {
    throw new NotFoundError(`No queue ${quoted(queue)}`, { hint: "queuectl queue list" });
  }
  const isKnown = sinceMs !== undefined && sinceMs <= HISTORY_MS;
  if (sinceMs !== undefined && !isKnown) {
    context.warn("what is older than 7d is known as a sum only: all that was ever counted is shown");
  }
  const now = context.clock.now();
  const stats = await readStats(store, { now, queue, since: isKnown ? now - sinceMs : undefined });
  if (isJsonFormat(context)) printJson(context, statsToJson(stats));
  else if (context.format === "plain") context.write(flattened(statsToJson(stats)).join("\n") + "\n");
  else {
    const columns = context.isTerminal ? context.columns : undefined;
    context.write(await statsPage(stats, { paint: stylerFor(context.color), columns }), { isStyled: true });
  }
}
