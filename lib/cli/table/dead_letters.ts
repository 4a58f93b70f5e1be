/**
 * Commands about jobs that failed for good.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { JOB_ARGUMENT, JOB_FILTER_FLAGS, JOBS_ARGUMENT, LIMIT_FLAG, QUEUE_FLAG, SINCE_FLAG } from "./job_filters.ts";
import { SORT_FLAG } from "./jobs.ts";

export const DEAD_LETTER_COMMANDS: readonly CommandSpec[] = [
  {
    name: "dlq list",
    aliases: ["dlq"],
    group: "Dead letters",
    summary: "List dead jobs, newest first",
    flags: [...JOB_FILTER_FLAGS.filter((flag) => flag.name !== "state"), LIMIT_FLAG, SORT_FLAG],
    examples: [
      { line: "queuectl dlq list", about: "What failed for good" },
      { line: "queuectl dlq list --queue mail --since 1d --json", about: "Today's, of one queue, for a script" },
    ],
    load: () => import("../commands/dlq/list.ts"),
  },
  {
    name: "dlq show",
    group: "Dead letters",
    summary: "Show one dead job: why it died, and all its runs",
    arguments: [{ ...JOB_ARGUMENT, completes: "job:dead" }],
    flags: [{ name: "compat", type: "boolean", summary: "With --json: add the older field names" }],
    examples: [{ line: "queuectl dlq show k3v9", about: "Why it died" }],
    exitCodes: { 4: "the job is not dead" },
    load: () => import("../commands/dlq/show.ts"),
  },
  {
    name: "dlq retry",
    group: "Dead letters",
    summary: "Run dead jobs again, with a fresh count of attempts",
    usage: ["dlq retry ID...", "dlq retry --all [--queue NAME] [--since D]"],
    arguments: [{ ...JOBS_ARGUMENT, completes: "job:dead" }],
    flags: [{ name: "all", type: "boolean", summary: "All dead jobs" }, QUEUE_FLAG, SINCE_FLAG],
    examples: [
      { line: "queuectl dlq retry k3v9", about: "One job" },
      { line: "queuectl dlq retry --all --queue mail", about: "All dead jobs of a queue" },
    ],
    exitCodes: { 4: "a job is not dead; then none is retried" },
    load: () => import("../commands/dlq/retry.ts"),
  },
  {
    name: "dlq purge",
    group: "Dead letters",
    summary: "Remove dead jobs with their runs and output",
    flags: [
      { name: "older-than", type: "duration", value: "D", summary: "Only those that died longer ago than this" },
      QUEUE_FLAG,
      { name: "dry-run", type: "boolean", summary: "Only say how many" },
    ],
    examples: [{ line: "queuectl dlq purge --older-than 30d --yes", about: "Forget what died a month ago" }],
    load: () => import("../commands/dlq/purge.ts"),
  },
];
