/**
 * Commands that run jobs.
 * @module
 */
import type { CommandSpec, FlagSpec } from "../command.ts";

export const POOL: FlagSpec = {
  name: "pool",
  type: "text",
  value: "NAME",
  completes: "pool",
  default: "default",
  summary: "Name of the pool",
};

const HOST: FlagSpec = {
  name: "host",
  type: "text",
  value: "NAME",
  summary: "Name of the host by which the pool is known (default: the present one)",
};

export const COUNT: FlagSpec = { name: "count", short: "n", type: "integer", value: "N", summary: "How many workers" };

export const CONCURRENCY: FlagSpec = {
  name: "concurrency",
  short: "c",
  type: "integer",
  value: "N",
  summary: "Jobs each worker runs at once (setting: worker_concurrency)",
};

export const QUEUES: FlagSpec = {
  name: "queue",
  type: "text",
  value: "NAME,..",
  repeatable: true,
  completes: "queue",
  summary: "Only these queues, the first before the others",
};

export const WORKER_COMMANDS: readonly CommandSpec[] = [
  {
    name: "worker start",
    group: "Workers",
    summary: "Start workers in the background",
    description: "Starts a supervisor and its workers, detached from the terminal, and returns when the workers are " +
      "registered. The same command again says what runs; other options for a pool that runs are refused.",
    flags: [
      { ...COUNT, default: "1" },
      CONCURRENCY,
      QUEUES,
      POOL,
      { name: "foreground", type: "boolean", summary: "Stay: be the supervisor, for an init system" },
    ],
    examples: [
      { line: "queuectl worker start --count 4", about: "Four workers, until they are stopped" },
      { line: "queuectl worker start --pool mail --queue urgent,mail", about: "A second pool, for two queues" },
    ],
    exitCodes: { 4: "it runs with other options, or .stop_workers exists" },
    load: () => import("../commands/worker/start.ts"),
  },
  {
    name: "worker stop",
    group: "Workers",
    summary: "Stop the workers; running jobs finish first",
    description:
      "Stops all pools of this host, or one. Without --timeout it waits as long as the jobs take, or as the " +
      "setting shutdown_timeout says. Jobs that are given back keep their attempts. A supervisor that does not " +
      "answer is ended and replaced. With --timeout or --force the command fails when, long after its time, something " +
      "is still there, and says what.",
    flags: [
      { name: "timeout", type: "duration", value: "D", summary: "After this, end running jobs and give them back" },
      { name: "force", type: "boolean", summary: "End running jobs now and give them back" },
      { ...POOL, completes: "pool:here", default: "all" },
    ],
    examples: [
      { line: "queuectl worker stop", about: "All pools, when their jobs are done" },
      { line: "queuectl worker stop --timeout 30s --pool mail", about: "One pool, within about 30 seconds" },
    ],
    load: () => import("../commands/worker/stop.ts"),
  },
  {
    name: "worker restart",
    group: "Workers",
    summary: "Replace workers one by one, without a gap",
    description: "Each new worker is registered before an old one stops taking jobs; old ones finish what they run. " +
      "Picks up a newer program and other options.",
    flags: [COUNT, CONCURRENCY, QUEUES, { ...POOL, completes: "pool:here" }],
    examples: [
      { line: "queuectl worker restart", about: "After an upgrade of queuectl" },
      { line: "queuectl worker restart --concurrency 8", about: "With other options" },
    ],
    load: () => import("../commands/worker/restart.ts"),
  },
  {
    name: "worker scale",
    group: "Workers",
    summary: "Change how many workers a pool has",
    arguments: [{ name: "N", required: true, summary: "How many; those too many finish their jobs" }],
    flags: [{ ...POOL, completes: "pool:here" }],
    examples: [{ line: "queuectl worker scale 8", about: "Eight from now on" }],
    load: () => import("../commands/worker/scale.ts"),
  },
  {
    name: "worker status",
    group: "Workers",
    summary: "List workers: where, since when, at what",
    flags: [{ ...POOL, default: "all" }],
    examples: [
      { line: "queuectl worker status", about: "All workers, dead ones included" },
      { line: "queuectl worker status --json", about: "The same for a script" },
    ],
    load: () => import("../commands/worker/status.ts"),
  },
  {
    name: "worker logs",
    group: "Workers",
    summary: "Show what background workers logged",
    flags: [
      { name: "follow", short: "f", type: "boolean", summary: "Go on as more is written" },
      {
        name: "level",
        type: "choice",
        value: "LEVEL",
        choices: ["debug", "info", "warn", "error"],
        summary: "Only this level and above",
      },
      { name: "tail", type: "integer", value: "N", summary: "Only the last N entries" },
      { ...POOL, default: "all" },
    ],
    examples: [
      { line: "queuectl worker logs -f", about: "Watch them work" },
      { line: "queuectl worker logs --level warn", about: "What went wrong" },
    ],
    load: () => import("../commands/worker/logs.ts"),
  },
  {
    name: "worker run",
    group: "Workers",
    summary: "Run one worker in the foreground",
    description: "Claims and runs jobs until it is stopped. The first INT or TERM lets the running jobs finish, " +
      "the second stops them and gives them back to the queue.",
    flags: [
      { ...CONCURRENCY, summary: "Run up to N jobs at once (setting: worker_concurrency)" },
      QUEUES,
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
  {
    name: "__supervisor",
    group: "Workers",
    hidden: true,
    summary: "Look after a pool, in the background",
    flags: [POOL, HOST, { name: "successor", type: "boolean", summary: "Wait until the one before it has gone" }],
    examples: [{ line: "queuectl __supervisor --pool default", about: "As worker start does it" }],
    load: () => import("../commands/worker/supervisor.ts"),
  },
  {
    name: "__worker",
    group: "Workers",
    hidden: true,
    summary: "Be a worker of a pool, in the background",
    flags: [
      POOL,
      HOST,
      { name: "generation", type: "integer", value: "N", summary: "Of the pool" },
      CONCURRENCY,
      QUEUES,
    ],
    examples: [{ line: "queuectl __worker --pool default", about: "As a supervisor does it" }],
    load: () => import("../commands/worker/supervised.ts"),
  },
];
