/** `queuectl status`: queues, states, workers and pools at a glance. @module */
import { formatDuration } from "../../core/duration.ts";
import { STATES } from "../../core/job_state.ts";
import { formatRelative, formatTime } from "../../core/point_in_time.ts";
import type { MaintenanceRecord } from "../../store/mod.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { styleOfState, stylerFor } from "../output/color.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { renderTable, type TableColumn } from "../output/table.ts";
import { countOf, type Overview, type PoolView, readOverview } from "../overview.ts";
import { workerJson, type WorkerView } from "../worker_view.ts";

export async function run(context: Context, _input: Input): Promise<void> {
  const store = await context.store("read");
  const overview = await readOverview(context, store);
  if (isJsonFormat(context)) return printJson(context, toJson(store.location, overview));
  context.write(await jobTable(context, overview), { isStyled: true });
  context.print("");
  const now = context.clock.now();
  for (const pool of overview.pools) context.print(poolLine(pool));
  if (overview.workers.length === 0) context.print("Workers: none");
  for (const worker of overview.workers) context.print(workerLine(worker, now));
  for (const record of overview.maintenance) context.print(maintenanceLine(record, now));
  for (const warning of overview.warnings) context.warn(warning);
}

async function jobTable(context: Context, { counts, queues }: Overview): Promise<string> {
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
  return await renderTable(columns, rows, { paint: stylerFor(context.color), columns: undefined });
}

function poolLine({ name, host, count, working, state, isSupervised, supervisor, queues }: PoolView): string {
  const who = isSupervised && supervisor !== null ? `supervisor pid ${supervisor.pid}` : "no supervisor";
  const served = queues === null ? "" : `, queues ${queues.join(",")}`;
  const note = state === "stopping" ? ", stopping" : "";
  return `Pool ${name} on ${host}: ${working} of ${count} workers${served}, ${who}${note}`;
}

function workerLine(worker: WorkerView, now: number): string {
  const slots = `${worker.jobs.length} of ${worker.slots} slots busy`;
  const times = `up ${formatDuration(worker.uptimeMs)}, last beat ${formatRelative(worker.beat_at, now)}`;
  const state = worker.state === "running" ? "" : `, ${worker.state}`;
  return `Worker ${worker.id} on ${worker.host}, pool ${worker.pool}, pid ${worker.pid}: ${slots}, ${times}${state}`;
}

function maintenanceLine({ task, at, counts, error }: MaintenanceRecord, now: number): string {
  const done = error ?? Object.entries(counts).map(([name, n]) => `${name} ${n}`).join(", ");
  return `Maintenance: ${task} ${formatRelative(at, now)}: ${done}`;
}

function toJson(location: string, overview: Overview): Record<string, unknown> {
  const { counts, queues, workers, pools, maintenance, maintainer, warnings } = overview;
  const byState = (queue?: string) => Object.fromEntries(STATES.map((state) => [state, countOf(counts, state, queue)]));
  return {
    db: location,
    jobs: byState(),
    queues: queues.map((queue) => ({ name: queue.name, paused: queue.paused, jobs: byState(queue.name) })),
    pools: pools.map(poolJson),
    workers: workers.map(workerJson),
    maintenance: {
      holder: maintainer === undefined ? null : { id: maintainer.id, host: maintainer.host, pid: maintainer.pid },
      last: maintenance.map((record) => ({ ...record, at: formatTime(record.at) })),
    },
    warnings,
  };
}

function poolJson(pool: PoolView): Record<string, unknown> {
  const { supervisor } = pool;
  return {
    name: pool.name,
    host: pool.host,
    state: pool.state,
    count: pool.count,
    working: pool.working,
    concurrency: pool.concurrency,
    queues: pool.queues,
    generation: pool.generation,
    supervisor: supervisor === null ? null : {
      pid: supervisor.pid,
      alive: pool.isSupervised,
      foreground: supervisor.is_foreground,
      version: supervisor.version,
      beat_at: formatTime(supervisor.beat_at),
    },
  };
}
