/**
 * Commands that run jobs.
 * @module
 */
import type { CommandSpec } from "../command.ts";

export const WORKER_COMMANDS: readonly CommandSpec[] = [
  {
    name: "worker run",
    group: "Workers",
    summary: "Run one worker in the foreground",
    description: "Claims and runs jobs until it is stopped. The first INT or TERM lets the running jobs finish, " +
      "the second stops them and gives them back to the queue.",
    flags: [
      {
        name: "concurrency",
        short: "c",
        type: "integer",
        value: "N",
        summary: "Run up to N jobs at once (setting: worker_concurrency)",
      },
      {
        name: "queue",
        type: "text",
        value: "NAME,..",
        repeatable: true,
        completes: "queue",
        summary: "Only jobs of these queues",
      },
      { name: "drain", type: "boolean", summary: "Exit when nothing is left to run; exit code 1 if a job died" },
      {
        name: "wait-retries",
        type: "boolean",
        negatable: true,
        default: "on",
        summary: "With --drain: wait for the retries of failed jobs",
      },
      { name: "idle-exit", type: "duration", value: "D", summary: "Exit after this long without a job" },
      { name: "max-jobs", type: "integer", value: "N", summary: "Exit after N jobs" },
    ],
    examples: [
      { line: "queuectl worker run", about: "One job at a time, until stopped" },
      { line: "queuectl worker run --concurrency 4 --queue mail,default", about: "Four at once, from two queues" },
      { line: "queuectl worker run --drain", about: "Do what is due, retries included, then exit" },
    ],
    exitCodes: { 1: "with --drain: a job died" },
    load: () => import("../commands/worker/run.ts"),
  },
];
