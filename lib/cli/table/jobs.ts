/**
 * Commands that make and look at single jobs.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { JOB_FLAGS } from "./job_options.ts";

export const JOB_COMMANDS: readonly CommandSpec[] = [
  {
    name: "enqueue",
    aliases: ["job enqueue"],
    group: "Jobs",
    summary: "Add a job; prints its id",
    description: "The job is a shell command in one word, a program with its arguments behind `--`, or a JSON object " +
      "(given as a word, as @FILE, or as - for standard input). Flags override the JSON.",
    usage: [
      "enqueue [OPTIONS] COMMAND",
      "enqueue [OPTIONS] -- PROGRAM [ARGUMENT]...",
      "enqueue [OPTIONS] JSON | @FILE | -",
    ],
    arguments: [{
      name: "COMMAND",
      summary: "Shell command, JSON object, @FILE, or - for standard input",
      completes: "command",
    }],
    takesArgv: true,
    flags: JOB_FLAGS,
    examples: [
      { line: "queuectl enqueue 'tar czf /backup/home.tgz /home'", about: "A shell command" },
      {
        line: "queuectl enqueue --max-retries 5 --timeout 10m -- rsync -a src/ host:dst/",
        about: "A program, run exactly",
      },
      { line: `queuectl enqueue '{"id": "report", "command": "make report", "priority": 5}'`, about: "JSON" },
      { line: "queuectl enqueue --run-at 'tomorrow 02:00' ./nightly.sh", about: "Later" },
    ],
    exitCodes: { 4: "the id is in use" },
    load: () => import("../commands/enqueue.ts"),
  },
  {
    name: "list",
    aliases: ["job list"],
    group: "Jobs",
    summary: "List jobs, newest first",
    flags: [
      {
        name: "state",
        type: "text",
        value: "STATE,..",
        repeatable: true,
        completes: "state",
        summary: "Only jobs in these states",
      },
      {
        name: "queue",
        type: "text",
        value: "NAME,..",
        repeatable: true,
        completes: "queue",
        summary: "Only jobs of these queues",
      },
      {
        name: "tag",
        type: "text",
        value: "TAG",
        repeatable: true,
        completes: "tag",
        summary: "Only jobs with this tag",
      },
      { name: "search", type: "text", value: "TEXT", summary: "Only jobs with this text in their id or command" },
      { name: "since", type: "duration", value: "D", summary: "Only jobs made within this time" },
      { name: "limit", short: "n", type: "integer", value: "N", default: "50", summary: "Show at most N; 0 shows all" },
    ],
    examples: [
      { line: "queuectl list", about: "The 50 newest jobs" },
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
    arguments: [{
      name: "ID",
      required: true,
      completes: "job",
      summary: "Job id, or a unique beginning of a generated one",
    }],
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
    arguments: [{
      name: "ID",
      required: true,
      completes: "job",
      summary: "Job id, or a unique beginning of a generated one",
    }],
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
];
