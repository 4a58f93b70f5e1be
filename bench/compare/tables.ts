/**
 * The figures of a comparison as tables. Pure.
 * @module
 */
import type { Sizes } from "./arguments.ts";
import { type Figures, type IdleCost, SLOTS } from "./measure.ts";

export interface Table {
  readonly title: string;
  /** What was measured, in sentences. */
  readonly note: string;
  readonly headings: readonly string[];
  /** The first cell names the tool. */
  readonly rows: readonly (readonly string[])[];
}

/** What a tool cannot do, or what was not asked of it. */
const NONE = "-";

export function tablesOf(figures: readonly Figures[], sizes: Sizes): Table[] {
  const jobs = sizes.jobs.toLocaleString("en");
  return [
    table("Jobs per second, start of the program included", {
      note: `${jobs} jobs, all waiting at the start, with 1, 4 and 8 at once. The time runs from the start of the ` +
        "worker's program to its end. task-spooler takes at most 900 waiting jobs, and its server runs already. nq " +
        "runs one job at a time, and its figure includes adding the jobs.",
      headings: SLOTS.map((slots) => `c=${slots}`),
      figures,
      cells: ({ whole }) => SLOTS.map((slots) => rate(whole[slots])),
    }),
    table("Jobs per second, start of the program left out", {
      note: "The same runs, from the first start of a job to the last end, where the tool lets us know that. This is " +
        "what a worker does that runs for days.",
      headings: SLOTS.map((slots) => `c=${slots}`),
      figures,
      cells: ({ work }) => SLOTS.map((slots) => rate(work[slots])),
    }),
    table("One enqueue, ms", {
      note: "By a command, with the start of its program; and by a program that is connected already, for tools that " +
        "are libraries. The command of a library is a Node program of a few lines.",
      headings: ["command", "connected program"],
      figures,
      cells: ({ enqueue, add }) => [milliseconds(middle(enqueue)), milliseconds(middle(add))],
    }),
    table("Pickup on an idle queue, ms", {
      note: "Until the first instruction of the job, with one idle worker: from the return of the enqueue, and from " +
        "its start. The enqueue is a command, but for libraries a call of a connected program. 0 means that the job " +
        "had begun before the enqueue returned.",
      headings: ["p50 from return", "p99 from return", "p50 from start", "samples"],
      figures,
      cells: ({ pickups }) => {
        const fromReturn = pickups.map((pickup) => pickup.fromReturn);
        return [
          milliseconds(percentile(fromReturn, 0.5)),
          milliseconds(percentile(fromReturn, 0.99)),
          milliseconds(percentile(pickups.map((pickup) => pickup.fromStart), 0.5)),
          pickups.length === 0 ? NONE : String(pickups.length),
        ];
      },
    }),
    table("Bulk enqueue, jobs per second", {
      note:
        `${sizes.bulk.toLocaleString("en")} jobs: one command for queuectl, groups of 1,000 from a connected program ` +
        `for libraries. task-spooler and nq need a command for each job (${sizes.commands} of them).`,
      headings: ["jobs/s"],
      figures,
      cells: ({ bulk }) => [rate(bulk)],
    }),
    table("Idle cost", {
      note: `A worker with 4 slots, and the processes that serve it (the database; for queuectl the supervisor): CPU ` +
        `seconds in ${sizes.idleSeconds} s, measured once and for all tools at the same time, ` +
        `${sizes.settleSeconds} s after the start. Memory in MB: RSS counts shared memory for each process anew, PSS ` +
        "divides it.",
      headings: ["CPU worker", "CPU server", "RSS worker", "RSS server", "RSS both", "PSS both"],
      figures,
      cells: ({ idle }) =>
        idle === null ? Array(6).fill(NONE) : [
          seconds(idle.worker),
          seconds(idle.server),
          megabytes(idle.worker),
          megabytes(idle.server),
          (idle.worker.rss + idle.server.rss).toFixed(0),
          (idle.worker.pss + idle.server.pss).toFixed(0),
        ],
    }),
  ];
}

function table(
  title: string,
  { note, headings, figures, cells }: {
    note: string;
    headings: readonly string[];
    figures: readonly Figures[];
    cells: (figures: Figures) => readonly string[];
  },
): Table {
  const rows = figures.map((each) => [each.title, ...cells(each)])
    .filter(([, ...values]) => values.some((value) => value !== NONE));
  return { title, note, headings: ["", ...headings], rows };
}

/** NaN when there is none; of an even number the mean of the two in the middle. */
export function middle(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The value below which the share `p` of the values lies; NaN when there is none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
}

function rate(values: readonly number[] = []): string {
  const value = middle(values);
  return Number.isNaN(value) ? NONE : Math.round(value).toLocaleString("en");
}

function milliseconds(value: number): string {
  if (Number.isNaN(value)) return NONE;
  return value >= 100 ? Math.round(value).toLocaleString("en") : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function seconds({ cpu, processes }: IdleCost): string {
  return processes === 0 ? NONE : cpu.toFixed(2);
}

function megabytes({ rss, processes }: IdleCost): string {
  return processes === 0 ? NONE : rss.toFixed(0);
}
