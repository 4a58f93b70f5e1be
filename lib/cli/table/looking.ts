/**
 * Commands that look at the whole.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { LIMIT_FLAG } from "./job_filters.ts";

export const LOOKING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "status",
    group: "Looking",
    summary: "Show queues, states and workers at a glance",
    examples: [
      { line: "queuectl status", about: "How things are" },
      { line: "queuectl status --json", about: "The same for a script" },
    ],
    load: () => import("../commands/status.ts"),
  },
  {
    name: "audit",
    group: "Looking",
    summary: "Show who changed what, and when",
    flags: [
      { name: "since", type: "duration", value: "D", summary: "Only what was done within this time" },
      LIMIT_FLAG,
    ],
    examples: [
      { line: "queuectl audit --since 1d", about: "Today" },
      { line: "queuectl audit --limit 0 --format ndjson", about: "Everything that is kept, for a script" },
    ],
    load: () => import("../commands/audit.ts"),
  },
];
