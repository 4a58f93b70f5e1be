/** `queuectl status`: queues, states and workers at a glance. @module */
import { STATES } from "../../core/job_state.ts";
import { formatRelative, formatTime } from "../../core/point_in_time.ts";
import type { JobCount, Queue, WorkerRecord } from "../../store/store.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { styleOfState, stylerFor } from "../output/color.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { renderTable, type TableColumn } from "../output/table.ts";

export async function run(context: Context, _input: Input): Promise<void> {
  const store = await context.store("read");
  const [counts, queues, workers] = [await store.jobs.counts(), await store.queues.list(), await store.workers.list()];
  if (isJsonFormat(context)) return printJson(context, toJson(store.location, { counts, queues, workers }));
  const paint = stylerFor(context.color);
  const columns: TableColumn[] = [
    { header: "QUEUE" },
    ...STATES.map((state): TableColumn => ({ header: state.toUpperCase(), align: "right" })),
  ];
  const row = (name: string, of: (state: string) => number) => [
    { text: name },
    ...STATES.map((state) => ({
      text: String(of(state)),
      style: of(state) === 0 ? "dim" as const : styleOfState(state),
    })),
  ];
  const rows = queues.map((queue) =>
    row(queue.paused ? `${queue.name} (paused)` : queue.name, (state) => countOf(counts, state, queue.name))
  );
  if (rows.length !== 1) rows.push(row("all", (state) => countOf(counts, state)));
  context.write(await renderTable(columns, rows, { paint, columns: undefined }));
  context.print("");
  if (workers.length === 0) context.print("Workers: none");
  for (const worker of workers) {
    const beat = formatRelative(worker.beat_at, context.clock.now());
    context.print(
      `Worker ${worker.id} on ${worker.host}, pid ${worker.pid}: ${worker.jobs.length} of ${worker.slots} slots busy, last beat ${beat}`,
    );
  }
  for (const warning of warnings(counts, queues, workers)) context.warn(warning);
}

function countOf(counts: readonly JobCount[], state: string, queue?: string): number {
  return counts.filter((count) => count.state === state && (queue === undefined || count.queue === queue))
    .reduce((sum, count) => sum + count.n, 0);
}

/** Jobs that wait for a worker that is not there. */
function warnings(counts: readonly JobCount[], queues: readonly Queue[], workers: readonly WorkerRecord[]): string[] {
  const waiting = queues.filter((queue) =>
    !queue.paused && countOf(counts, "pending", queue.name) > 0 &&
    !workers.some((worker) => worker.queues === null || worker.queues.includes(queue.name))
  );
  if (waiting.length === 0) return [];
  return [`jobs are waiting and no worker serves ${waiting.map((queue) => queue.name).join(", ")}`];
}

function toJson(
  location: string,
  { counts, queues, workers }: {
    counts: readonly JobCount[];
    queues: readonly Queue[];
    workers: readonly WorkerRecord[];
  },
): Record<string, unknown> {
  const byState = (queue?: string) => Object.fromEntries(STATES.map((state) => [state, countOf(counts, state, queue)]));
  return {
    db: location,
    jobs: byState(),
    queues: queues.map((queue) => ({ name: queue.name, paused: queue.paused, jobs: byState(queue.name) })),
    workers: workers.map((worker) => ({
      id: worker.id,
      host: worker.host,
      pid: worker.pid,
      pool: worker.pool,
      state: worker.state,
      slots: worker.slots,
      queues: worker.queues,
      jobs: worker.jobs,
      done: worker.done,
      failed: worker.failed,
      started_at: formatTime(worker.started_at),
      beat_at: formatTime(worker.beat_at),
    })),
    warnings: warnings(counts, queues, workers),
  };
}
