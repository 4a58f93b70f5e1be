/**
 * The command line of `deno task compare`, read without doing anything yet.
 * @module
 */
import { parseArgs } from "node:util";
import { nearestName } from "../../lib/core/nearest_name.ts";

/** How much is measured. */
export interface Sizes {
  readonly rounds: number;
  /** Of a throughput figure. */
  readonly jobs: number;
  readonly bulk: number;
  /** Bulk enqueue of tools that need a command for each job. */
  readonly commands: number;
  /** Single enqueues in a round. */
  readonly enqueues: number;
  /** Pickups in a round. */
  readonly pickups: number;
  /** Pickups in a round of a queue that polls every two seconds. */
  readonly slowPickups: number;
  readonly settleSeconds: number;
  readonly idleSeconds: number;
}

export interface CompareOptions {
  /** Names of the tools, in the order of the tables. */
  readonly peers: readonly string[];
  readonly sizes: Sizes;
  readonly isQuick: boolean;
  readonly install: boolean;
  readonly json: boolean;
  /** Where the npm packages are; null: a temporary folder. */
  readonly packages: string | null;
  /** Where the document goes; null: not written. */
  readonly output: string | null;
}

export type CompareRequest =
  | { readonly kind: "run"; readonly options: CompareOptions }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly message: string };

/** About eight minutes with every tool on two cores. */
export const FULL: Sizes = {
  rounds: 3,
  // As many as task-spooler takes.
  jobs: 900,
  bulk: 30_000,
  commands: 300,
  enqueues: 10,
  // In three rounds enough for a 99th percentile that is not the slowest of all.
  pickups: 34,
  slowPickups: 5,
  // A worker of queuectl checks its database, and V8 cleans up, half a minute after the start.
  settleSeconds: 35,
  idleSeconds: 30,
};

/** Shows that everything works; the figures mean little. */
export const QUICK: Sizes = {
  rounds: 1,
  jobs: 50,
  bulk: 1_000,
  commands: 20,
  enqueues: 3,
  pickups: 3,
  slowPickups: 2,
  settleSeconds: 1,
  idleSeconds: 1,
};

/** Far more than anybody waits for. */
const MOST_JOBS = 1_000_000;
const MOST_ROUNDS = 99;

const OPTIONS = {
  only: { type: "string", multiple: true, default: [] as string[] },
  rounds: { type: "string" },
  jobs: { type: "string" },
  quick: { type: "boolean", default: false },
  install: { type: "boolean", default: false },
  packages: { type: "string" },
  output: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/**
 * `names` are all tools. The document of the project is written by a whole run
 * only: part of the tools, or small sizes, need `--output` to name a place.
 */
export function readCompareArguments(
  args: readonly string[],
  { names, document }: { names: readonly string[]; document: string },
): CompareRequest {
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options: OPTIONS }));
  } catch (error) {
    const flags = Object.keys(OPTIONS).map((name) => `--${name}`);
    const unknown = args.map((arg) => arg.split("=")[0]!).find((arg) => arg.startsWith("--") && !flags.includes(arg));
    const message = (error as Error).message.split("\n")[0]!;
    return refused(unknown === undefined ? message : `there is no option ${withNearest(unknown, flags)}`);
  }
  if (values.help) return { kind: "help" };

  const wanted = values.only.flatMap((list) => list.split(","));
  const stranger = wanted.find((name) => !names.includes(name));
  if (stranger !== undefined) return refused(`no tool is named ${withNearest(stranger, names)}`);
  const size = values.quick ? QUICK : FULL;
  const rounds = count(values.rounds ?? String(size.rounds), MOST_ROUNDS);
  if (rounds === null) return refused(`--rounds must be a whole number from 1 to ${MOST_ROUNDS}`);
  const jobs = count(values.jobs ?? String(size.jobs), MOST_JOBS);
  if (jobs === null) return refused(`--jobs must be a whole number from 1 to ${MOST_JOBS}`);

  const isWhole = wanted.length === 0 && !values.quick;
  return {
    kind: "run",
    options: {
      peers: wanted.length === 0 ? names : names.filter((name) => wanted.includes(name)),
      sizes: { ...size, rounds, jobs },
      isQuick: values.quick,
      install: values.install,
      json: values.json,
      packages: values.packages ?? null,
      output: values.output ?? (isWhole ? document : null),
    },
  };
}

function count(text: string, most: number): number | null {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  return value >= 1 && value <= most ? value : null;
}

function withNearest(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? `"${name}"` : `"${name}"; did you mean "${nearest}"?`;
}

function refused(message: string): CompareRequest {
  return { kind: "refused", message };
}
