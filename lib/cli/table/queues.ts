/**
 * Commands about queues.
 * @module
 */
import type { ArgumentSpec, CommandSpec } from "../command.ts";

const NAME: ArgumentSpec = { name: "NAME", required: true, completes: "queue", summary: "Name of the queue" };

export const QUEUE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "queue list",
    aliases: ["queue"],
    group: "Queues",
    summary: "List queues, their limits and how many jobs they hold",
    examples: [{ line: "queuectl queue list", about: "All queues" }],
    load: () => import("../commands/queue/list.ts"),
  },
  {
    name: "queue set",
    group: "Queues",
    summary: "Change the limits of a queue; none takes one away",
    description: "Limits hold over all workers together. The queue is made when nobody has used it yet.",
    arguments: [NAME],
    flags: [
      { name: "concurrency", type: "text", value: "N", summary: "Run at most N of its jobs at once" },
      { name: "rate", type: "text", value: "N/D", summary: "Start at most N of its jobs in any D, such as 10/1s" },
      { name: "max-pending", type: "text", value: "N", summary: "Refuse new jobs while N are pending" },
      { name: "paused", type: "boolean", negatable: true, summary: "Start no more of its jobs" },
    ],
    examples: [
      { line: "queuectl queue set api --concurrency 2 --rate 10/1s", about: "Be gentle to a service" },
      { line: "queuectl queue set api --rate none", about: "As fast as it goes" },
    ],
    load: () => import("../commands/queue/set.ts"),
  },
  {
    name: "queue pause",
    group: "Queues",
    summary: "Start no more jobs of a queue; what runs goes on",
    arguments: [{ ...NAME, completes: "queue:pause" }],
    examples: [{ line: "queuectl queue pause mail", about: "Hold it" }],
    load: () => import("../commands/queue/pause.ts"),
  },
  {
    name: "queue resume",
    group: "Queues",
    summary: "Let the jobs of a paused queue run again",
    arguments: [{ ...NAME, completes: "queue:resume" }],
    examples: [{ line: "queuectl queue resume mail", about: "Let it go on" }],
    load: () => import("../commands/queue/resume.ts"),
  },
  {
    name: "queue clear",
    group: "Queues",
    summary: "Cancel all jobs of a queue that wait; what runs goes on",
    arguments: [{ ...NAME, completes: "queue:clear" }],
    examples: [{ line: "queuectl queue clear mail --yes", about: "Without a question" }],
    load: () => import("../commands/queue/clear.ts"),
  },
  {
    name: "queue remove",
    group: "Queues",
    summary: "Forget a queue that holds nothing unfinished",
    arguments: [{ ...NAME, completes: "queue:remove" }],
    examples: [{ line: "queuectl queue remove mail", about: "It is made again on its next use" }],
    exitCodes: { 4: "it holds unfinished jobs" },
    load: () => import("../commands/queue/remove.ts"),
  },
];
