/**
 * Commands that make jobs. Apart from the others, because scripts call them
 * again and again and each start reads this file.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { JOB_FLAGS, ON_BATCH_DONE_FLAG } from "./job_options.ts";

export const ENQUEUEING_COMMANDS: readonly CommandSpec[] = [
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
    flags: [...JOB_FLAGS, { ...ON_BATCH_DONE_FLAG, section: "Order and uniqueness" }],
    examples: [
      { line: "queuectl enqueue 'tar czf /backup/home.tgz /home'", about: "A shell command" },
      {
        line: "queuectl enqueue --max-retries 5 --timeout 10m -- rsync -a src/ host:dst/",
        about: "A program, run exactly",
      },
      { line: `queuectl enqueue '{"id": "report", "command": "make report", "priority": 5}'`, about: "JSON" },
      { line: "queuectl enqueue --run-at 'tomorrow 02:00' ./nightly.sh", about: "Later" },
    ],
    exitCodes: {
      3: "a job of --after is unknown",
      4: "the id is in use, the key is held, the queue is full, or the batch sealed",
    },
    load: () => import("../commands/enqueue.ts"),
  },
  {
    name: "enqueue-batch",
    aliases: ["job enqueue-batch"],
    group: "Jobs",
    summary: "Add many jobs from a file or standard input, all or none",
    description:
      "The file is a JSON array of jobs, NDJSON (a job on each line), or with --lines a shell command on each " +
      "line. All of it is read and checked first, then stored at once. Job options given as flags hold for every job " +
      "that does not say otherwise.",
    usage: ["enqueue-batch [OPTIONS] FILE | -"],
    arguments: [{
      name: "FILE",
      required: true,
      completes: "file",
      summary: "File with jobs, or - for standard input",
    }],
    flags: [
      { name: "lines", type: "boolean", summary: "Each line is a shell command" },
      { name: "ids", type: "boolean", summary: "Print the ids of the new jobs" },
      ...JOB_FLAGS.filter((flag) => flag.name !== "id" && flag.name !== "command"),
      { ...ON_BATCH_DONE_FLAG, section: "Order and uniqueness" },
    ],
    examples: [
      { line: "queuectl enqueue-batch jobs.ndjson", about: "A file of jobs" },
      {
        line: "find . -name '*.wav' -printf 'lame %p\\n' | queuectl enqueue-batch --lines --queue audio -",
        about: "Commands from another program",
      },
    ],
    exitCodes: {
      2: "a line is refused, or jobs wait for each other; nothing is stored",
      4: "an id is in use; nothing is stored",
    },
    load: () => import("../commands/enqueue_batch.ts"),
  },
];
