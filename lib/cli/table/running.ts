/**
 * Commands for scripts, CI and cron: run a job and have its exit code, wait
 * for jobs, ask why one does not run.
 * @module
 */
import type { CommandSpec } from "../command.ts";
import { JOB_ARGUMENT, JOB_FILTER_FLAGS, JOBS_ARGUMENT } from "./job_filters.ts";
import { JOB_FLAGS } from "./job_options.ts";

/** What the end of one job is to `run` and `wait`. */
const END_CODES: Readonly<Record<number, string>> = {
  0: "completed",
  1: "the job's own exit code; of several jobs: not all completed",
  124: "the job timed out",
  125: "cancelled, lost, expired, or a parent failed",
  126: "the job could not be started",
  127: "its program was not found",
  128: "and N more: killed by signal N",
};

const WAIT_FILTERS = ["batch", "tag", "queue", "since"];

export const RUNNING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    aliases: ["job run"],
    group: "Jobs",
    summary: "Run a job now, show its output, exit as it does",
    description: "The job is stored and run by a worker of its own, in the background, with your environment and " +
      "directory; no other worker is needed. Killing this command does not touch the job. Ctrl-C cancels it; a second " +
      "one leaves it to itself. Retries, limits, locks and keys hold as for every job. What the job prints comes out " +
      "exactly as it is, control characters too: piped through `cat -v` it cannot drive your terminal.",
    usage: ["run [OPTIONS] COMMAND", "run [OPTIONS] -- PROGRAM [ARGUMENT]..."],
    arguments: [{ name: "COMMAND", summary: "Shell command, JSON object, or @FILE", completes: "command" }],
    takesArgv: true,
    flags: [
      { name: "quiet-on-success", type: "boolean", summary: "Print nothing unless it fails, then everything" },
      { name: "on-workers", type: "boolean", summary: "Leave it to the workers that run already" },
      ...JOB_FLAGS,
    ],
    examples: [
      { line: "queuectl run --max-retries 0 -- make test", about: "In CI: output, and the exit code of make" },
      {
        line: "queuectl run --key backup --on-conflict skip --quiet-on-success -- /usr/local/bin/backup",
        about: "In a crontab: never twice, mail only on failure",
      },
    ],
    exitCodes: { ...END_CODES, 125: "cancelled, lost, expired, or queuectl itself failed", 130: "left by Ctrl-C" },
    failureCode: 125,
    load: () => import("../commands/run.ts"),
  },
  {
    name: "wait",
    aliases: ["job wait"],
    group: "Jobs",
    summary: "Wait until jobs have ended; exit as they did",
    description: "On one job: 0 when it completed, else its own exit code. On several: 0 when all completed, else 1. " +
      "A filter means every job that matches, whether it has ended already or is added while waiting.",
    usage: ["wait ID... [OPTIONS]", "wait --batch NAME | --tag TAG | --queue NAME [OPTIONS]"],
    arguments: [{ ...JOBS_ARGUMENT, completes: "job:wait" }],
    flags: [
      ...JOB_FILTER_FLAGS.filter((flag) => WAIT_FILTERS.includes(flag.name)),
      { name: "any", type: "boolean", summary: "Until one of them has ended; prints its id" },
      { name: "timeout", type: "duration", value: "D", summary: "Give up after this long, with exit code 123" },
    ],
    examples: [
      { line: "queuectl wait k3v9", about: "One job: exits with its code" },
      { line: "queuectl wait --tag import --timeout 10m", about: "All jobs with a tag, but not for ever" },
      { line: "queuectl wait --any k3v9 p7q2", about: "Whichever ends first" },
    ],
    exitCodes: { ...END_CODES, 3: "there is nothing to wait for", 123: "--timeout ran out" },
    load: () => import("../commands/wait.ts"),
  },
  {
    name: "why",
    aliases: ["job why"],
    group: "Jobs",
    summary: "Say why a job does not run, and what to do about it",
    description:
      "One reason, the one to deal with first: a paused queue, a limit or a lock and who holds it, a rate, " +
      "a parent, its time, its backoff, a gate and what was seen, no live worker; or why it ended.",
    arguments: [JOB_ARGUMENT],
    examples: [
      { line: "queuectl why k3v9", about: "The reason, and the next step" },
      { line: "queuectl why k3v9 --json", about: "For a script: why, by, until, next" },
    ],
    load: () => import("../commands/why.ts"),
  },
  {
    name: "__run",
    group: "Workers",
    hidden: true,
    summary: "Run one job in the background, for those who show it",
    arguments: [
      { name: "ID", required: true, summary: "The job" },
      { name: "WORKER", required: true, summary: "Id that the worker is to have" },
    ],
    examples: [{ line: "queuectl __run k3v9 a7c2e4g6i8k0", about: "As the worker that the job is reserved for" }],
    load: () => import("../commands/worker/run_one.ts"),
  },
  {
    name: "__redact",
    group: "Workers",
    hidden: true,
    summary: "Search output for the patterns of redact, for a worker",
    examples: [{ line: "queuectl __redact", about: "As a worker starts it" }],
    load: () => import("../commands/worker/redact.ts"),
  },
];
