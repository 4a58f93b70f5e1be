/**
 * How statistics look: as JSON for scripts, and for people.
 * @module
 */
import { formatDuration } from "../../core/duration.ts";
import { STATES } from "../../core/job_state.ts";
import { formatLocal, formatTime } from "../../core/point_in_time.ts";
import { visibleText } from "../../core/visible_text.ts";
import type { RunStats, Spread, Stats } from "../../operations/stats.ts";
import { styleOfState, type Styler } from "./color.ts";
import { commandLine } from "./job_view.ts";
import { type Cell, renderTable, type TableColumn } from "./table.ts";

export function statsToJson(stats: Stats): Record<string, unknown> {
  const { workers } = stats;
  return {
    since: stats.from === null ? null : formatTime(stats.from),
    until: formatTime(stats.until),
    queue: stats.queue,
    jobs: { ...stats.jobs, total: Object.values(stats.jobs).reduce((sum, n) => sum + n, 0) },
    enqueued: stats.enqueued,
    ...runStatsToJson(stats.total),
    runs_per_minute: stats.perMinute === null ? null : rounded(stats.perMinute, 3),
    by_queue: stats.byQueue.map(({ queue, ...group }) => ({ queue, ...runStatsToJson(group) })),
    by_priority: stats.byPriority.map(({ priority, ...group }) => ({ priority, ...runStatsToJson(group) })),
    slowest: stats.slowest.map(({ job, durationMs }) => ({
      id: job.id,
      queue: job.queue,
      state: job.state,
      command: commandLine(job),
      duration_ms: durationMs,
    })),
    workers: {
      registered: workers.registered,
      slots: workers.slots,
      busy_slots: workers.busySlots,
      slot_ms: workers.slotMs,
      busy_ms: workers.busyMs,
      utilization: workers.utilization === null ? null : rounded(workers.utilization, 4),
      busy_retries: workers.busyRetries,
    },
  };
}

export function runStatsToJson(stats: RunStats): Record<string, unknown> {
  return {
    runs: stats.runs,
    succeeded: stats.succeeded,
    failed: stats.failed,
    timed_out: stats.timedOut,
    killed: stats.killed,
    not_started: stats.notStarted,
    snoozed: stats.snoozed,
    cancelled: stats.cancelled,
    interrupted: stats.interrupted,
    lost: stats.lost,
    retries: stats.retries,
    dead: stats.dead,
    success_rate: stats.successRate === null ? null : rounded(stats.successRate, 4),
    duration_ms: spreadToJson(stats.duration),
    wait_ms: spreadToJson(stats.wait),
  };
}

function spreadToJson({ count, avg, median, p95, p99, min, max }: Spread): Record<string, number | null> {
  return { count, avg, median, p95, p99, min, max };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Everything on one page. */
export async function statsPage(
  stats: Stats,
  options: { readonly paint: Styler; readonly columns: number | undefined },
): Promise<string> {
  const { paint } = options;
  const { total, workers } = stats;
  const sections: string[] = [
    `${scope(stats)}\n`,
    section(paint, "Jobs now", STATES.map((state) => `${stats.jobs[state]} ${state}`).join(", ") + "\n"),
    section(paint, "Runs", runsText(stats)),
  ];
  if (total.runs > 0) {
    sections.push(
      await renderTable(
        [{ header: "" }, ...["AVG", "MEDIAN", "P95", "P99", "MIN", "MAX"].map(rightAligned)],
        [spreadRow("duration", total.duration), spreadRow("waiting", total.wait)],
        { paint },
      ),
    );
  }
  if (stats.byQueue.length > 1) sections.push(await groupTable("QUEUE", stats.byQueue, ({ queue }) => queue, options));
  if (stats.byPriority.length > 1) {
    sections.push(await groupTable("PRIORITY", stats.byPriority, ({ priority }) => String(priority), options));
  }
  if (stats.slowest.length > 0) sections.push(await slowestTable(stats, options));
  sections.push(section(paint, "Workers", workersText(workers)));
  return sections.join("\n");
}

function scope({ from, queue, enqueued }: Stats): string {
  const what = queue === null ? "All queues" : `Queue ${visibleText(queue)}`;
  const when = from === null ? "all that was ever counted" : `since ${formatLocal(from)}`;
  return `${what}, ${when}; ${enqueued} jobs were ever added${queue === null ? "" : " to all queues"}`;
}

function section(paint: Styler, heading: string, body: string): string {
  return `${paint("heading", heading)}: ${body}`;
}

function runsText({ total, perMinute }: Stats): string {
  const rate = total.successRate === null ? "" : `, ${(total.successRate * 100).toFixed(1)} % of them a success`;
  const speed = perMinute === null ? "" : `, ${perMinute < 10 ? perMinute.toFixed(2) : Math.round(perMinute)} a minute`;
  const kinds: [number, string][] = [
    [total.succeeded, "succeeded"],
    [total.failed, "failed"],
    [total.timedOut, "of these timed out"],
    [total.snoozed, "snoozed"],
    [total.cancelled, "cancelled"],
    [total.interrupted, "interrupted"],
    [total.lost, "lost"],
    [total.retries, "retries"],
    [total.dead, total.dead === 1 ? "job ended dead" : "jobs ended dead"],
  ];
  const told = kinds.filter(([n, name], i) => n > 0 || i < 2 || name === "retries").map(([n, name]) => `${n} ${name}`);
  return `${total.runs}${speed}${rate}\n${told.join(", ")}\n`;
}

function workersText(workers: Stats["workers"]): string {
  const used = workers.utilization === null
    ? "no worker was there"
    : `slots were busy ${(workers.utilization * 100).toFixed(1)} % of the time`;
  const now = workers.registered === 0
    ? "none now"
    : `${workers.registered} now, ${workers.busySlots} of ${workers.slots} slots busy`;
  return `${now}; ${used}; ${workers.busyRetries} waits for a locked database\n`;
}

function rightAligned(header: string): TableColumn {
  return { header, align: "right" };
}

function spreadRow(name: string, spread: Spread): Cell[] {
  const { avg, median, p95, p99, min, max } = spread;
  return [{ text: name }, ...[avg, median, p95, p99, min, max].map((ms) => ({ text: durationText(ms) }))];
}

function durationText(ms: number | null): string {
  return ms === null ? "-" : formatDuration(ms);
}

function groupTable<T extends RunStats>(
  header: string,
  groups: readonly T[],
  name: (group: T) => string,
  { paint, columns }: { readonly paint: Styler; readonly columns: number | undefined },
): Promise<string> {
  return renderTable(
    [
      { header, canShrink: true },
      ...["RUNS", "FAILED", "TIMEOUTS", "DEAD", "MEDIAN", "P95", "WAITED P95"].map(rightAligned),
    ],
    groups.map((group) => [
      { text: name(group) },
      ...[group.runs, group.failed, group.timedOut, group.dead].map((n) => ({ text: String(n) })),
      ...[group.duration.median, group.duration.p95, group.wait.p95].map((ms) => ({ text: durationText(ms) })),
    ]),
    { paint, columns },
  );
}

function slowestTable(
  { slowest }: Stats,
  { paint, columns }: { readonly paint: Styler; readonly columns: number | undefined },
): Promise<string> {
  return renderTable(
    [{ header: "SLOWEST" }, rightAligned("TOOK"), { header: "STATE" }, { header: "QUEUE" }, {
      header: "COMMAND",
      canShrink: true,
    }],
    slowest.map(({ job, durationMs }) => [
      { text: job.id },
      { text: formatDuration(durationMs) },
      { text: job.state, style: styleOfState(job.state) },
      { text: job.queue },
      { text: commandLine(job) },
    ]),
    { paint, columns },
  );
}
