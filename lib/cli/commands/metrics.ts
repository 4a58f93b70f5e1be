/** `queuectl metrics`: numbers for monitoring. @module */
import { UsageError } from "../../core/errors.ts";
import { STATES } from "../../core/job_state.ts";
import { formatTime } from "../../core/point_in_time.ts";
import { familiesOf, type Metrics, prometheusText, readMetrics } from "../../operations/metrics.ts";
import { readStats, type RunStats } from "../../operations/stats.ts";
import { VERSION } from "../../version.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn } from "../input.ts";
import { flattened } from "../output/flattened.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { runStatsToJson } from "../output/stats_view.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const isPrometheus = isOn(input, "prometheus");
  if (isPrometheus && isJsonFormat(context)) {
    throw new UsageError("Cannot print both --prometheus and JSON: give one");
  }
  const store = await context.store("read");
  const now = context.clock.now();
  const metrics = await readMetrics(store, { now, version: VERSION });
  if (isPrometheus) return context.write(prometheusText(familiesOf(metrics)));
  const { total, perMinute, workers } = await readStats(store, { now, slowest: 0 });
  const overview = overviewOf(metrics, { total, perMinute, utilization: workers.utilization });
  if (isJsonFormat(context)) return printJson(context, overview);
  const lines = flattened(overview);
  context.write((context.format === "plain" ? lines : aligned(lines)).join("\n") + "\n");
}

function overviewOf(
  { now, version, enqueued, queues, workers, bytes }: Metrics,
  runs: { readonly total: RunStats; readonly perMinute: number | null; readonly utilization: number | null },
): Record<string, unknown> {
  const jobs = Object.fromEntries(
    STATES.map((state) => [state, queues.reduce((sum, queue) => sum + queue.jobs[state], 0)]),
  );
  return {
    at: formatTime(now),
    version,
    jobs,
    enqueued,
    ...runStatsToJson(runs.total),
    runs_per_minute: runs.perMinute === null ? null : Number(runs.perMinute.toFixed(3)),
    queues: queues.map((queue) => ({
      name: queue.name,
      paused: queue.isPaused,
      jobs: queue.jobs,
      oldest_pending_ms: queue.oldestPendingMs,
    })),
    workers: {
      running: workers.running,
      draining: workers.draining,
      slots: workers.slots,
      busy_slots: workers.busySlots,
      utilization: runs.utilization === null ? null : Number(runs.utilization.toFixed(4)),
      busy_retries: workers.busyRetries,
    },
    database_bytes: bytes.database,
    database_log_bytes: bytes.log,
  };
}

/** Names and values in two columns. */
function aligned(lines: readonly string[]): string[] {
  const pairs = lines.map((line) => line.split("\t"));
  const width = Math.max(...pairs.map(([name = ""]) => name.length));
  return pairs.map(([name = "", value = ""]) => `${name.padEnd(width)}  ${value === "" ? "-" : value}`);
}
