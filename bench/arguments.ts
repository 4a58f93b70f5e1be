/**
 * The command line of `deno task bench`, read without doing anything yet.
 * @module
 */
import { parseArgs } from "node:util";
import { nearestName } from "../lib/core/nearest_name.ts";

export interface BenchOptions {
  /** Families of rows to measure, in the order of the table. */
  readonly rows: readonly string[];
  readonly quick: boolean;
  /** Print JSON instead of a table. */
  readonly json: boolean;
  /** Path of another binary to compare this build with. */
  readonly against: string | null;
  /** Rounds of a comparison; each measures both binaries twice. */
  readonly rounds: number;
}

export type BenchRequest =
  | { readonly kind: "run"; readonly options: BenchOptions }
  | { readonly kind: "help" }
  | { readonly kind: "refused"; readonly message: string };

/**
 * The noise is the range of all figures of a binary, two from each round. By simulation, a binary differs from itself by
 * more than that in 0.07 % of the rows with 3 rounds, in 1 % with 2, and in 22 % with 1.
 */
const DEFAULT_ROUNDS = 3;
const MIN_ROUNDS = 2;
const MAX_ROUNDS = 99;

const OPTIONS = {
  only: { type: "string", multiple: true, default: [] as string[] },
  quick: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  against: { type: "string" },
  rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** `names` are the families of the table, `compared` those that another binary can be measured by. */
export function readBenchArguments(
  args: readonly string[],
  { names, compared }: { names: readonly string[]; compared: readonly string[] },
): BenchRequest {
  let read;
  try {
    read = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return refused(unknownOption(args) ?? (error as Error).message.split("\n")[0]!);
  }
  const { values, positionals } = read;
  if (values.help) return { kind: "help" };

  const wanted = [...positionals, ...values.only.flatMap((list) => list.split(","))];
  const against = values.against ?? null;
  if (against === "") return refused("--against needs the path of a binary");
  const known = against === null ? names : compared;
  for (const name of wanted) {
    if (!names.includes(name)) return refused(`no row is named ${quoted(name, names)}`);
    if (!known.includes(name)) {
      return refused(`cannot compare "${name}" with another binary: it measures code inside this process`);
    }
  }
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < MIN_ROUNDS || rounds > MAX_ROUNDS) {
    return refused(`--rounds must be a whole number from ${MIN_ROUNDS} to ${MAX_ROUNDS}, not "${values.rounds}"`);
  }
  const rows = wanted.length === 0 ? known : known.filter((name) => wanted.includes(name));
  return { kind: "run", options: { rows, quick: values.quick, json: values.json, against, rounds } };
}

function unknownOption(args: readonly string[]): string | null {
  const flags = Object.keys(OPTIONS).map((name) => `--${name}`);
  const unknown = args.map((arg) => arg.split("=")[0]!).find((arg) => arg.startsWith("--") && !flags.includes(arg));
  return unknown === undefined ? null : `there is no option ${quoted(unknown, flags)}`;
}

function quoted(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? `"${name}"` : `"${name}"; did you mean "${nearest}"?`;
}

function refused(message: string): BenchRequest {
  return { kind: "refused", message };
}
