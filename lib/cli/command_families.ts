/**
 * Which part of the command table a command line needs. The whole table takes
 * a sixth of a start to load, and most of what it says is for help.
 *
 * What is not plain (an option of a command before its name, `job NAME`, a name
 * that is none) gets the whole table, so that nothing is read differently.
 * @module
 */
import type { CommandSpec, CommandTable } from "./command.ts";
import { isFlag, takesNextToken } from "./parse.ts";
import { GLOBAL_FLAGS } from "./table/global_flags.ts";

type Family = () => Promise<readonly CommandSpec[]>;

const enqueueing: Family = async () => (await import("./table/enqueueing.ts")).ENQUEUEING_COMMANDS;
const jobs: Family = async () => (await import("./table/jobs.ts")).JOB_COMMANDS;
const running: Family = async () => (await import("./table/running.ts")).RUNNING_COMMANDS;
const workers: Family = async () => (await import("./table/workers.ts")).WORKER_COMMANDS;
const looking: Family = async () => (await import("./table/looking.ts")).LOOKING_COMMANDS;
const about: Family = async () => (await import("./table/about.ts")).ABOUT_COMMANDS;

/** First words of commands; all commands that begin with the word are in the family. A test holds it against the table. */
export const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["enqueue", enqueueing],
  ["enqueue-batch", enqueueing],
  ["list", jobs],
  ["show", jobs],
  ["output", jobs],
  ["logs", jobs],
  ["run", running],
  ["wait", running],
  ["why", running],
  ["__run", running],
  ["__redact", running],
  ["worker", workers],
  ["__supervisor", workers],
  ["__worker", workers],
  ["status", looking],
  ["stats", looking],
  ["metrics", looking],
  ["version", about],
  ["__complete", about],
]);

/** The part of the table that reads this command line; undefined when it takes the whole. */
export async function partFor(argv: readonly string[]): Promise<CommandTable | undefined> {
  const family = FAMILIES.get(firstWord(argv) ?? "");
  return family && { commands: await family(), globalFlags: GLOBAL_FLAGS };
}

/** The first word that is no option; undefined when there is none, or an option before it is not a global one. */
function firstWord(argv: readonly string[]): string | undefined {
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] as string;
    if (!isFlag(token)) return token;
    const takesNext = takesNextToken(token, GLOBAL_FLAGS);
    if (takesNext === undefined) return undefined;
    if (takesNext) i++;
  }
  return undefined;
}
