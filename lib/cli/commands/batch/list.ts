/** `queuectl batch list`: batches and how far they are. @module */
import type { Context } from "../../context.ts";
import { batchState, batchToJson } from "../../output/batch_view.ts";
import { printList } from "../../output/format_list.ts";
import { formatRelative, formatTime } from "../../../core/point_in_time.ts";

export async function run(context: Context): Promise<void> {
  const now = context.clock.now();
  await printList(context, await (await context.store("read")).batches.list(), {
    columns: [
      { header: "BATCH", value: (batch) => batch.name },
      {
        header: "STATE",
        value: batchState,
        style: (batch) => batch.done_at === null ? "waiting" : "good",
      },
      { header: "ENDED", align: "right", value: (batch) => `${batch.ended}/${batch.total}` },
      { header: "COMPLETED", align: "right", value: (batch) => batch.states.completed ?? 0 },
      { header: "DEAD", align: "right", value: (batch) => batch.states.dead ?? 0 },
      {
        header: "CREATED",
        value: (batch) => formatRelative(batch.created_at, now),
        plain: (batch) => formatTime(batch.created_at),
      },
    ],
    toJson: batchToJson,
    whenEmpty: "No batches: `enqueue --batch NAME` makes one",
  });
}
