/**
 * Commands that take care of the data.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { QUEUE_FLAG } from "./job_filters.ts";

export const DATA_COMMANDS: readonly CommandSpec[] = [
  {
    name: "cleanup",
    group: "Data",
    summary: "Remove finished jobs with their runs and output",
    flags: [
      { name: "older-than", type: "duration", value: "D", summary: "Only those that finished longer ago than this" },
      {
        name: "state",
        type: "text",
        value: "STATE,..",
        repeatable: true,
        completes: "state",
        summary: "Only these: completed, dead, cancelled",
      },
      QUEUE_FLAG,
      { name: "dry-run", type: "boolean", summary: "Only say how many" },
    ],
    examples: [
      { line: "queuectl cleanup --older-than 7d --state completed --dry-run", about: "How many would go" },
      { line: "queuectl cleanup --older-than 30d --yes", about: "Everything finished a month ago" },
    ],
    load: () => import("../commands/cleanup.ts"),
  },
];
