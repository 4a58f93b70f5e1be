/**
 * Commands that look at the whole.
 * @module
 */
import type { CommandSpec } from "../command.ts";

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
];
