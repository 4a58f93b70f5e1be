/**
 * Which manual page tells of which command: the page of the command's first
 * word. `SHARED_PAGES` puts several first words on one page where people read
 * them together. A first word that is not there has a page of its own.
 * @module
 */
import type { CommandSpec, CommandTable } from "../command.ts";

interface SharedPage {
  readonly name: string;
  /** First words of its commands, the one that names the page among them. */
  readonly words: readonly string[];
  readonly summary: string;
}

/** Pages with several first words, and families whose summary is not that of one command. */
export const SHARED_PAGES: readonly SharedPage[] = [
  { name: "enqueue", words: ["enqueue", "enqueue-batch"], summary: "add jobs to a queue" },
  { name: "list", words: ["list", "show", "output", "logs", "why"], summary: "look at jobs and their output" },
  { name: "cancel", words: ["cancel", "retry", "edit"], summary: "cancel, retry or change jobs" },
  { name: "run", words: ["run", "wait"], summary: "run a job or wait for jobs, and exit as they did" },
  { name: "dlq", words: ["dlq"], summary: "look at, retry or remove dead jobs" },
  { name: "worker", words: ["worker"], summary: "run workers in the foreground or in the background" },
  { name: "queue", words: ["queue"], summary: "list, limit, pause and clear queues" },
  { name: "batch", words: ["batch"], summary: "look at batches of jobs, and close them" },
  { name: "template", words: ["template"], summary: "keep job options under a name" },
  {
    name: "status",
    words: ["status", "stats", "metrics", "audit"],
    summary: "see how jobs, workers and queues are doing",
  },
  {
    name: "backup",
    words: ["backup", "restore", "doctor", "cleanup", "export", "import"],
    summary: "back up, check, repair and move the data",
  },
  { name: "config", words: ["config"], summary: "read and change settings" },
  { name: "service", words: ["service"], summary: "run a pool of workers as a service of systemd" },
  { name: "man", words: ["man"], summary: "show or install the manual pages" },
  { name: "help", words: ["help", "version"], summary: "show help, or the version" },
];

/** Name of the page that tells of a command: `queuectl-worker` for `worker run`. */
export function pageNameOf(command: CommandSpec): string {
  const word = firstWord(command);
  return `queuectl-${SHARED_PAGES.find((page) => page.words.includes(word))?.name ?? word}`;
}

export function visible(table: CommandTable): readonly CommandSpec[] {
  return table.commands.filter((command) => !command.hidden);
}

export function firstWord({ name }: CommandSpec): string {
  return name.split(" ")[0] as string;
}
