/**
 * Commands that look at single jobs and change them.
 * @module
 */
import { JOB_SORT_FIELDS } from "../../core/job_sort.ts";
import type { CommandSpec, FlagSpec } from "../command.ts";
import { filterFlags, JOB_ARGUMENT, JOB_FILTER_FLAGS, JOBS_ARGUMENT, LIMIT_FLAG } from "./job_filters.ts";
import { JOB_FLAGS } from "./job_options.ts";

/** They say who a job is, or mattered when it was made. */
const UNEDITABLE: ReadonlySet<string> = new Set(["id", "after", "after-any", "batch", "on-conflict", "template"]);

export const SORT_FLAG: FlagSpec = {
  name: "sort",
  type: "choice",
  value: "FIELD",
  choices: JOB_SORT_FIELDS.flatMap((field) => [field, `-${field}`]),
  summary: "Sort by this field, smallest first; a - before it turns that around",
};

export const JOB_COMMANDS: readonly CommandSpec[] = [
  {
    name: "list",
    aliases: ["job list"],
    group: "Jobs",
    summary: "List jobs, newest first",
    flags: [
      ...JOB_FILTER_FLAGS,
      LIMIT_FLAG,
      SORT_FLAG,
      { name: "watch", short: "w", type: "boolean", summary: "Show it again whenever it changes, until Ctrl-C" },
    ],
    examples: [
      { line: "queuectl list", about: "The 50 newest jobs" },
      { line: "queuectl list --state processing,pending --watch", about: "What is going on" },
      { line: "queuectl list --state dead,failed --since 1d", about: "What went wrong today" },
      { line: "queuectl list --queue mail --limit 0 --json", about: "All jobs of a queue, for a script" },
    ],
    load: () => import("../commands/list.ts"),
  },
  {
    name: "show",
    aliases: ["job show"],
    group: "Jobs",
    summary: "Show one job: state, reason, rules and runs",
    arguments: [JOB_ARGUMENT],
    flags: [
      { name: "compat", type: "boolean", summary: "With --json: add the older field names" },
    ],
    examples: [
      { line: "queuectl show k3v9", about: "Everything about one job" },
      { line: "queuectl show report --json", about: "The same, with its runs, as JSON" },
    ],
    load: () => import("../commands/show.ts"),
  },
  {
    name: "output",
    aliases: ["job output"],
    group: "Jobs",
    summary: "Print what a job wrote to stdout and stderr",
    description:
      "On a terminal, control characters and others that could mislead a reader are shown as escapes such as \\x1b. " +
      "--stdout, --stderr and --raw print exactly what the job wrote, also to a terminal, which it then can drive.",
    arguments: [JOB_ARGUMENT],
    flags: [
      { name: "run", type: "integer", value: "N", summary: "Of this run instead of the last one" },
      { name: "stdout", type: "boolean", summary: "Only stdout, the bytes alone" },
      { name: "stderr", type: "boolean", summary: "Only stderr, the bytes alone" },
      { name: "raw", type: "boolean", summary: "Both, the bytes alone, without headers" },
    ],
    examples: [
      { line: "queuectl output k3v9", about: "Output of the last run" },
      { line: "queuectl output k3v9 --run 1 --stderr", about: "What the first run complained about" },
    ],
    load: () => import("../commands/output.ts"),
  },
  {
    name: "logs",
    aliases: ["job logs"],
    group: "Jobs",
    summary: "Print what all runs of a job wrote, live with -f",
    description:
      "What the runs wrote to stdout and to stderr goes to standard output, run by run. With -f it comes as " +
      "it is written, over all retries, until the job is finished; Ctrl-C ends that and leaves the job alone.",
    arguments: [JOB_ARGUMENT],
    flags: [
      { name: "follow", short: "f", type: "boolean", summary: "Go on until the job is finished" },
      { name: "tail", type: "integer", value: "N", summary: "Begin with the last N lines of what is there" },
      {
        name: "timestamps",
        type: "boolean",
        summary: "Before each line when it was read, or when its run ended",
      },
    ],
    examples: [
      { line: "queuectl logs -f k3v9", about: "Watch a job at work" },
      { line: "queuectl logs report --tail 20 --timestamps", about: "How it ended" },
    ],
    load: () => import("../commands/logs.ts"),
  },
  {
    name: "cancel",
    aliases: ["job cancel"],
    group: "Jobs",
    summary: "Cancel jobs, waiting or running",
    usage: ["cancel ID...", "cancel [FILTER OPTIONS]"],
    arguments: [{ ...JOBS_ARGUMENT, completes: "job:cancel" }],
    flags: filterFlags("state:cancel"),
    examples: [
      { line: "queuectl cancel k3v9", about: "One job" },
      { line: "queuectl cancel --queue mail --state pending --yes", about: "Whatever waits in a queue" },
    ],
    exitCodes: { 4: "a job is finished already; then none is cancelled" },
    load: () => import("../commands/cancel.ts"),
  },
  {
    name: "retry",
    aliases: ["job retry"],
    group: "Jobs",
    summary: "Run jobs now or again, with a fresh count of attempts",
    usage: ["retry ID...", "retry [FILTER OPTIONS]"],
    arguments: [{ ...JOBS_ARGUMENT, completes: "job:retry" }],
    flags: filterFlags("state:retry"),
    examples: [
      { line: "queuectl retry k3v9", about: "One job, without waiting for its backoff" },
      { line: "queuectl retry --state failed --tag import", about: "Several, by filter" },
    ],
    exitCodes: { 4: "a job is pending, its key is held or its parent dead; then none is retried" },
    load: () => import("../commands/retry.ts"),
  },
  {
    name: "edit",
    aliases: ["job edit"],
    group: "Jobs",
    summary: "Change the options of a job that waits",
    usage: ["edit ID [JOB OPTIONS]", "edit ID [JOB OPTIONS] -- PROGRAM [ARGUMENT]..."],
    arguments: [{ ...JOB_ARGUMENT, completes: "job:edit" }],
    takesArgv: true,
    flags: JOB_FLAGS.filter((flag) => !UNEDITABLE.has(flag.name)),
    examples: [
      { line: "queuectl edit k3v9 --priority 10", about: "Let it go first" },
      { line: "queuectl edit k3v9 --run-at 'tomorrow 02:00'", about: "Put it off" },
    ],
    exitCodes: { 4: "the job runs or is finished" },
    load: () => import("../commands/edit.ts"),
  },
];
