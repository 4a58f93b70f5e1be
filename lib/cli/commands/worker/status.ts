/** `queuectl worker status`: every registered worker, and whether it lives. @module */
import { formatByteSize } from "../../../core/byte_size.ts";
import { formatDuration } from "../../../core/duration.ts";
import { parseName } from "../../../core/job_fields.ts";
import { formatRelative, formatTime } from "../../../core/point_in_time.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { text } from "../../input.ts";
import { styleOfState } from "../../output/color.ts";
import { printList } from "../../output/format_list.ts";
import { viewWorkers, workerJson } from "../../worker_view.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const named = text(input, "pool");
  const pool = named === undefined ? undefined : parseName(named, "pool");
  const store = await context.store("read");
  const now = context.clock.now();
  const workers = (await viewWorkers(context, store)).filter((worker) => pool === undefined || worker.pool === pool);
  await printList(context, workers, {
    columns: [
      { header: "WORKER", value: (worker) => worker.id },
      { header: "PID", align: "right", value: (worker) => worker.pid },
      { header: "HOST", value: (worker) => worker.host, canShrink: true },
      { header: "POOL", value: (worker) => worker.pool },
      { header: "STATE", value: (worker) => worker.state, style: (worker) => styleOfState(worker.state) },
      { header: "UPTIME", align: "right", value: (worker) => formatDuration(worker.uptimeMs) },
      {
        header: "LAST BEAT",
        value: (worker) => formatRelative(worker.beat_at, now),
        plain: (worker) => formatTime(worker.beat_at),
      },
      { header: "SLOTS", align: "right", value: (worker) => `${worker.jobs.length}/${worker.slots}` },
      { header: "DONE", align: "right", value: (worker) => worker.done },
      { header: "FAILED", align: "right", value: (worker) => worker.failed },
      {
        header: "MEMORY",
        align: "right",
        value: (worker) => worker.memoryBytes === null ? null : formatByteSize(worker.memoryBytes),
        plain: (worker) => worker.memoryBytes,
      },
      { header: "JOBS", canShrink: true, value: (worker) => worker.jobs.join(" ") },
    ],
    toJson: workerJson,
    whenEmpty: pool === undefined ? "No workers are registered" : `No workers of pool ${pool} are registered`,
  });
}
