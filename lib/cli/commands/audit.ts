/** `queuectl audit`: who changed what, and when. @module */
import { formatLocal, formatTime } from "../../core/point_in_time.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { durationMs, integer } from "../input.ts";
import { printList } from "../output/format_list.ts";

const USUAL_LIMIT = 50;

export async function run(context: Context, input: Input): Promise<void> {
  const sinceMs = durationMs(input, "since");
  const limit = integer(input, "limit") ?? USUAL_LIMIT;
  const store = await context.store("read");
  const entries = await store.audit.list({
    ...(sinceMs === undefined ? {} : { since: context.clock.now() - sinceMs }),
    ...(limit === 0 ? {} : { limit }),
  });
  await printList(context, entries, {
    columns: [
      { header: "WHEN", value: (entry) => formatLocal(entry.at), plain: (entry) => formatTime(entry.at) },
      { header: "WHO", value: (entry) => `${entry.user}@${entry.host}` },
      { header: "PID", align: "right", value: (entry) => entry.pid },
      { header: "WHAT", value: (entry) => entry.action },
      { header: "TARGET", canShrink: true, value: (entry) => entry.target },
      { header: "DETAIL", canShrink: true, value: (entry) => entry.detail },
    ],
    toJson: (entry) => ({ ...entry, at: formatTime(entry.at) }),
    whenEmpty: "No entries",
  });
}
