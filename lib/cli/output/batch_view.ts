/**
 * How batches look to people and scripts.
 * @module
 */
import type { Json } from "../../core/job_json.ts";
import { STATES } from "../../core/job_state.ts";
import { formatLocal, formatRelative, formatTime } from "../../core/point_in_time.ts";
import { visibleText } from "../../core/visible_text.ts";
import type { Batch } from "../../store/store.ts";
import { shellQuote } from "../shell_quote.ts";

export function batchToJson(batch: Batch): Record<string, Json> {
  return {
    name: batch.name,
    state: batchState(batch),
    sealed: batch.sealed,
    total: batch.total,
    ended: batch.ended,
    jobs: Object.fromEntries(STATES.map((state) => [state, batch.states[state] ?? 0])),
    on_batch_done: batch.on_done === null ? null : { ...batch.on_done },
    done_job_id: batch.done_job_id,
    created_at: formatTime(batch.created_at),
    done_at: batch.done_at === null ? null : formatTime(batch.done_at),
  };
}

/** Open to more jobs, sealed, or done. */
export function batchState(batch: Batch): "open" | "sealed" | "done" {
  return batch.done_at !== null ? "done" : batch.sealed ? "sealed" : "open";
}

export function batchLines(batch: Batch, now: number): string[] {
  const moment = (ms: number) => `${formatLocal(ms)} (${formatRelative(ms, now)})`;
  const states = STATES.filter((state) => (batch.states[state] ?? 0) > 0)
    .map((state) => `${batch.states[state]} ${state}`);
  const { on_done: onDone, done_job_id: job } = batch;
  const command = onDone === null ? null : onDone.command ?? (onDone.argv ?? []).map(shellQuote).join(" ");
  const lines: [string, string | null][] = [
    ["Batch", batch.name],
    ["State", batchState(batch)],
    ["Jobs", `${batch.ended} of ${batch.total} ended${states.length === 0 ? "" : ` (${states.join(", ")})`}`],
    ["At its end", command === null ? null : `${visibleText(command)}${job === null ? "" : ` (job ${job})`}`],
    ["Created", moment(batch.created_at)],
    ["Done", batch.done_at === null ? null : moment(batch.done_at)],
  ];
  return lines.filter(([, value]) => value !== null).map(([label, value]) => `${`${label}:`.padEnd(11)} ${value}`);
}
