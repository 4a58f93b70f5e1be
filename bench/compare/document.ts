/**
 * The document of a comparison: figures, conditions, and what the tools are,
 * so that a reader can judge what the figures mean. Pure.
 * @module
 */
import type { Sizes } from "./arguments.ts";
import type { Machine } from "./machine.ts";
import type { Measured } from "./measure.ts";
import { type Table, tablesOf } from "./tables.ts";

export interface Run {
  readonly date: Date;
  readonly machine: Machine;
  readonly sizes: Sizes;
  readonly isQuick: boolean;
  readonly measured: Measured;
}

/** What a tool gives beside speed; the speed is worth little without it. */
interface Traits {
  readonly title: string;
  readonly output: string;
  readonly retries: string;
  readonly crash: string;
  readonly durable: string;
  readonly machines: string;
}

const TRAITS: readonly Traits[] = [
  {
    title: "queuectl",
    output: "yes, and the exit code",
    retries: "yes, with backoff",
    crash: "run again, when the lock or the lease of the worker is gone (at most 30 s)",
    durable: "yes",
    machines: "one",
  },
  {
    title: "xargs",
    output: "no, it goes to the terminal",
    retries: "no",
    crash: "lost",
    durable: "no queue",
    machines: "one",
  },
  {
    title: "task-spooler",
    output: "yes, in a file, and the exit code",
    retries: "no",
    crash: "the queue is in the memory of the server, and lost with it",
    durable: "no",
    machines: "one",
  },
  {
    title: "nq",
    output: "yes, in a file",
    retries: "no",
    crash: "a waiting job is a process, and lost with it",
    durable: "no",
    machines: "one",
  },
  {
    title: "GNU parallel",
    output: "with `--results`",
    retries: "with `--retries`",
    crash: "with `--joblog` a second call resumes",
    durable: "no queue",
    machines: "several, by ssh",
  },
  {
    title: "BullMQ + Redis",
    output: "no, the handler's return value",
    retries: "yes, with backoff",
    crash: "run again after about 30 s",
    durable: "with Redis as it comes: no, up to minutes are lost; with `appendfsync always`: yes",
    machines: "several",
  },
  {
    title: "graphile-worker + PostgreSQL",
    output: "no",
    retries: "yes, with backoff",
    crash: "run again after 4 hours",
    durable: "yes",
    machines: "several",
  },
  {
    title: "pg-boss + PostgreSQL",
    output: "no, the handler's return value",
    retries: "yes, with backoff",
    crash: "run again after its time is up (15 minutes unless said)",
    durable: "yes",
    machines: "several",
  },
];

export function documentOf(run: Run): string {
  const { measured, sizes } = run;
  return [
    "# Comparison with other tools",
    "",
    "Written by `tools/deno task compare`; figures are those of one run on one machine. Compare the rows of a table with " +
    "each other; another machine gives other figures.",
    "",
    ...run.isQuick || sizes.rounds < 2
      ? ["**This is a small run: it shows how the document looks, not more.**", ""]
      : [],
    "## What the tools are",
    "",
    "They do different things. The figures below have to be read beside this table.",
    "",
    ...markdown(["", "output kept", "retries", "jobs of a dead worker", "survives a power cut", "machines"], [
      ...TRAITS.map((each) => [each.title, each.output, each.retries, each.crash, each.durable, each.machines]),
    ], "text"),
    "",
    '"Survives a power cut" is about a job after its enqueue has returned. A worker of queuectl does not wait for the ' +
    "disk with each result: after a power cut a job that had just ended may run again.",
    "",
    "## Figures",
    "",
    ...tablesOf(measured.figures, sizes).flatMap((table) => section(table)),
    ...notMeasured(measured),
    ...conditions(run),
    "## Repeat it",
    "",
    "```sh",
    "tools/deno task compare --install   # needs root or sudo for the Debian packages; npm packages go to a temporary folder",
    "tools/deno task compare             # only what is installed",
    "tools/deno task compare --quick --only queuectl,xargs",
    "```",
    "",
    "A whole run takes about eight minutes on two cores. Nothing else should run meanwhile.",
    "",
  ].join("\n");
}

/** For a terminal: the tables of figures as aligned text. */
export function textOf({ measured, sizes }: Run, aligned: (table: Table) => readonly string[]): string {
  return [
    ...tablesOf(measured.figures, sizes).filter(({ rows }) => rows.length > 0)
      .flatMap((table) => [table.title, "", ...aligned(table), ""]),
    ...measured.notMeasured.map(({ title, reason }) => `not measured: ${title}: ${reason}`),
  ].join("\n");
}

function section({ title, note, headings, rows }: Table): string[] {
  if (rows.length === 0) return [];
  return [`### ${title}`, "", note, "", ...markdown(headings, rows, "figures"), ""];
}

function notMeasured({ notMeasured, errors }: Measured): string[] {
  if (notMeasured.length + errors.length === 0) return [];
  return [
    "### Not measured",
    "",
    ...notMeasured.map(({ title, reason }) => `- ${title}: ${reason}.`),
    ...errors.map((error) => `- ${error}`),
    "",
  ];
}

function conditions({ date, machine, sizes, measured }: Run): string[] {
  const durability =
    "Redis and PostgreSQL are new, on unix sockets, with their settings as they come: Redis writes a " +
    "snapshot now and then, PostgreSQL waits for the disk with each commit. The row with fsync has Redis with " +
    "`appendonly yes` and `appendfsync always`: that one is comparable with queuectl and PostgreSQL.";
  return [
    "## Conditions",
    "",
    `- Date: ${date.toISOString().slice(0, 10)}.`,
    `- Machine: ${machine.cores} cores of ${machine.processor}, ${
      (machine.memoryMb / 1_000).toFixed(1)
    } GB of memory, ` +
    `${machine.system}, kernel ${machine.kernel}, files on ${machine.fileSystem}; load before the run ` +
    `${machine.load.toFixed(2)}.`,
    `- Versions: ${measured.figures.map(({ title, version }) => `${title} ${version}`).join("; ")}.`,
    `- ${sizes.rounds} ${
      sizes.rounds === 1 ? "round" : "rounds"
    }; each round measures every tool once, in another order; ` +
    "a figure is the median of the rounds, a percentile is that of all samples.",
    "- Each job is the shell command `true`, run by a shell of its own: `sh -c true`.",
    `- ${durability}`,
    "- queuectl: `enqueue` and `enqueue-batch` return when the job is on the disk; output is kept; each job has a session " +
    "of its own.",
    "- task-spooler and nq keep the output in a file, as they come. Jobs of libraries have no output at all.",
    "- pg-boss runs jobs by `fetch()` and `complete()` in the rows of jobs per second, because `work()` waits for its " +
    "polling interval after each job. It polls every two seconds unless told; `pg-boss with notify` uses LISTEN and NOTIFY.",
    "",
  ];
}

function markdown(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  kind: "text" | "figures",
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = headings.map((_, column) => column === 0 || kind === "text" ? "---" : "---:");
  return [line(headings), line(rule), ...rows.map(line)];
}
