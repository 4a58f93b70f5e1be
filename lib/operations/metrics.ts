/**
 * Numbers for monitoring: an overview as one value, and the same as metric
 * families that `prometheusText` writes in the text exposition format 0.0.4.
 *
 * Counters only grow, also when jobs are removed: they come from the tallies,
 * which outlive the jobs.
 * @module
 */
import { bucketOfPower, type Histogram } from "../core/histogram.ts";
import { type JobState, STATES } from "../core/job_state.ts";
import { RUN_OUTCOMES } from "../core/run_result.ts";
import { NO_RUNS, plus, type Tally } from "../core/tally.ts";
import { visibleText } from "../core/visible_text.ts";
import type { Store } from "../store/mod.ts";

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface HistogramSample {
  readonly labels: Readonly<Record<string, string>>;
  /** How many were not above `le`, in seconds; the last is infinite. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  readonly sum: number;
}

export type Family =
  & { readonly name: string; readonly help: string }
  & (
    | { readonly type: "counter" | "gauge"; readonly samples: readonly Sample[] }
    | { readonly type: "histogram"; readonly samples: readonly HistogramSample[] }
  );

export interface Metrics {
  readonly now: number;
  readonly version: string;
  readonly enqueued: number;
  readonly queues: readonly QueueMetrics[];
  readonly workers: {
    readonly running: number;
    readonly draining: number;
    readonly slots: number;
    readonly busySlots: number;
    readonly slotMs: number;
    readonly busyRetries: number;
  };
  /** Bytes of the store; null where they cannot be told. */
  readonly bytes: { readonly database: number | null; readonly log: number | null };
}

export interface QueueMetrics {
  readonly name: string;
  readonly isPaused: boolean;
  readonly jobs: Readonly<Record<JobState, number>>;
  /** For how long its first pending job waits; null when none does. */
  readonly oldestPendingMs: number | null;
  readonly tally: Tally;
}

/** 8 ms to 70 minutes, doubling: what jobs of a queue take and wait. */
const LE_EXPONENTS = Array.from({ length: 20 }, (_, i) => i + 3);

export async function readMetrics(
  store: Store,
  { now, version }: { readonly now: number; readonly version: string },
): Promise<Metrics> {
  const counts = await store.jobs.counts();
  const tallies = await store.history.tallies({});
  const queues = await store.queues.list();
  const workers = await store.workers.list();
  // A queue may have been removed and its history be there still: counters must not go back.
  const names = new Set([...queues.map(({ name }) => name), ...tallies.map(({ queue }) => queue)]);
  const perQueue: QueueMetrics[] = [];
  for (const name of [...names].sort()) {
    const of = (state: JobState) => counts.find((count) => count.queue === name && count.state === state)?.n ?? 0;
    const oldest = of("pending") === 0 ? undefined : await store.history.oldestPending(name);
    perQueue.push({
      name,
      isPaused: queues.find((queue) => queue.name === name)?.paused ?? false,
      jobs: Object.fromEntries(STATES.map((state) => [state, of(state)])) as Record<JobState, number>,
      oldestPendingMs: oldest === undefined ? null : Math.max(0, now - oldest),
      tally: tallies.filter(({ queue }) => queue === name).map(({ tally }) => tally).reduce(plus, NO_RUNS),
    });
  }
  const { slotMs, busyRetries } = await store.history.workerTime();
  return {
    now,
    version,
    enqueued: await store.history.enqueued(),
    queues: perQueue,
    workers: {
      running: workers.filter(({ state }) => state === "running").length,
      draining: workers.filter(({ state }) => state === "draining").length,
      slots: workers.reduce((sum, worker) => sum + worker.slots, 0),
      busySlots: workers.reduce((sum, worker) => sum + worker.jobs.length, 0),
      slotMs,
      busyRetries,
    },
    bytes: { database: sizeOf(store.location), log: sizeOf(`${store.location}-wal`) },
  };
}

function sizeOf(path: string): number | null {
  try {
    return Deno.statSync(path).size;
  } catch {
    // Not a file: another kind of store, or nothing there yet.
    return null;
  }
}

/** As families, in a fixed order. */
export function familiesOf(metrics: Metrics): Family[] {
  const { queues, workers, bytes } = metrics;
  const perQueue = (value: (queue: QueueMetrics) => number | null): Sample[] =>
    queues.flatMap((queue) => {
      const measured = value(queue);
      return measured === null ? [] : [{ labels: { queue: queue.name }, value: measured }];
    });
  const one = (value: number | null): Sample[] => value === null ? [] : [{ labels: {}, value }];
  const families: Family[] = [
    {
      name: "queuectl_build_info",
      help: "The version of queuectl that answers; always 1.",
      type: "gauge",
      samples: [{ labels: { version: metrics.version }, value: 1 }],
    },
    {
      name: "queuectl_jobs",
      help: "Jobs that exist, by queue and state.",
      type: "gauge",
      samples: queues.flatMap(({ name, jobs }) =>
        STATES.map((state) => ({ labels: { queue: name, state }, value: jobs[state] }))
      ),
    },
    {
      name: "queuectl_oldest_pending_seconds",
      help: "For how long the first pending job of a queue waits.",
      type: "gauge",
      samples: perQueue(({ oldestPendingMs }) => oldestPendingMs === null ? 0 : oldestPendingMs / 1_000),
    },
    {
      name: "queuectl_queue_paused",
      help: "1 while a queue is paused.",
      type: "gauge",
      samples: perQueue(({ isPaused }) => isPaused ? 1 : 0),
    },
    {
      name: "queuectl_jobs_enqueued_total",
      help: "Jobs ever added.",
      type: "counter",
      samples: one(metrics.enqueued),
    },
    {
      name: "queuectl_jobs_dead_total",
      help: "Jobs that ended dead.",
      type: "counter",
      samples: perQueue(({ tally }) => tally.dead),
    },
    {
      name: "queuectl_runs_total",
      help: "Runs that ended, by queue and outcome.",
      type: "counter",
      samples: queues.flatMap(({ name, tally }) =>
        RUN_OUTCOMES.filter((outcome) => outcome !== "late")
          .map((outcome) => ({ labels: { queue: name, outcome }, value: tally.outcomes[outcome] }))
      ),
    },
    {
      name: "queuectl_retries_total",
      help: "Runs that were not the first attempt of their job.",
      type: "counter",
      samples: perQueue(({ tally }) => tally.retries),
    },
    {
      name: "queuectl_run_duration_seconds",
      help: "How long runs took that ended by themselves or by their limit.",
      type: "histogram",
      samples: queues.map(({ name, tally }) => histogramOf({ queue: name }, tally.durations, tally.durationMs)),
    },
    {
      name: "queuectl_wait_seconds",
      help: "How long jobs that were ready waited for their run.",
      type: "histogram",
      samples: queues.map(({ name, tally }) => histogramOf({ queue: name }, tally.waits, tally.waitMs)),
    },
    {
      name: "queuectl_busy_seconds_total",
      help: "For how long slots of workers ran jobs, by queue.",
      type: "counter",
      samples: perQueue(({ tally }) => tally.busyMs / 1_000),
    },
    {
      name: "queuectl_workers",
      help: "Registered workers, by state.",
      type: "gauge",
      samples: [
        { labels: { state: "running" }, value: workers.running },
        { labels: { state: "draining" }, value: workers.draining },
      ],
    },
    { name: "queuectl_worker_slots", help: "Slots of all workers.", type: "gauge", samples: one(workers.slots) },
    {
      name: "queuectl_worker_slots_busy",
      help: "Slots that run a job now.",
      type: "gauge",
      samples: one(workers.busySlots),
    },
    {
      name: "queuectl_worker_slot_seconds_total",
      help: "Slots of workers times the seconds for which they were there.",
      type: "counter",
      samples: one(workers.slotMs / 1_000),
    },
    {
      name: "queuectl_store_busy_retries_total",
      help: "Transactions of workers that had to wait for another process.",
      type: "counter",
      samples: one(workers.busyRetries),
    },
    {
      name: "queuectl_database_bytes",
      help: "Size of the database file.",
      type: "gauge",
      samples: one(bytes.database),
    },
    {
      name: "queuectl_database_log_bytes",
      help: "Size of the write-ahead log beside the database file.",
      type: "gauge",
      samples: one(bytes.log ?? (bytes.database === null ? null : 0)),
    },
  ];
  return families.filter(({ samples }) => samples.length > 0);
}

function histogramOf(labels: Sample["labels"], histogram: Histogram, sumMs: number): HistogramSample {
  let bucket = 0;
  let count = 0;
  const buckets = LE_EXPONENTS.map((exponent) => {
    while (bucket <= bucketOfPower(exponent)) count += histogram[bucket++] ?? 0;
    return { le: 2 ** exponent / 1_000, count };
  });
  const total = histogram.reduce((sum, n) => sum + n, 0);
  return { labels, buckets: [...buckets, { le: Infinity, count: total }], sum: sumMs / 1_000 };
}

/** The text exposition format, version 0.0.4. */
export function prometheusText(families: readonly Family[]): string {
  return families.map((family) => {
    const head = `# HELP ${family.name} ${escapedHelp(family.help)}\n# TYPE ${family.name} ${family.type}\n`;
    const lines = family.type === "histogram"
      ? family.samples.flatMap((sample) => histogramLines(family.name, sample))
      : family.samples.map(({ labels, value }) => line(family.name, labels, value));
    return head + lines.join("");
  }).join("");
}

function histogramLines(name: string, { labels, buckets, sum }: HistogramSample): string[] {
  return [
    ...buckets.map(({ le, count }) => line(`${name}_bucket`, { ...labels, le: numberText(le) }, count)),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, buckets.at(-1)?.count ?? 0),
  ];
}

function line(name: string, labels: Sample["labels"], value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  return value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value);
}

function escapedLabel(text: string): string {
  // An unsafe character becomes the text of its escape, which the format knows how to write.
  const shown = visibleText(text, { keepNewlines: true });
  return shown.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function escapedHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
