/**
 * The flags that describe a job, shared by every command that makes or changes
 * one. Their values stay text here: `lib/core/job_fields.ts` knows each field,
 * so that flags, JSON and REST refuse the same values with the same words.
 *
 * `max-attempts` is a total and so no alias of `max-retries`.
 * @module
 */
import { ON_CONFLICT } from "../../core/job_key.ts";
import type { FlagSpec } from "../command.ts";

const WHAT = "What to run";
const TRIES = "Retries";
const RULES = "Exit rules";
const WHEN = "Timing";
const ORDER = "Order and uniqueness";
const AROUND = "Surroundings";

export const JOB_FLAGS: readonly FlagSpec[] = [
  {
    section: WHAT,
    name: "command",
    type: "text",
    value: "TEXT",
    summary: "Shell command, also when it looks like JSON",
  },
  {
    section: WHAT,
    name: "template",
    type: "text",
    value: "NAME",
    completes: "template",
    summary: "Take what is not said here from this template",
  },
  { section: WHAT, name: "id", type: "text", value: "ID", summary: "Name the job instead of getting a random id" },
  {
    section: WHAT,
    name: "queue",
    type: "text",
    value: "NAME",
    default: "default",
    completes: "queue",
    summary: "Put it into this queue",
  },
  {
    section: WHAT,
    name: "priority",
    type: "text",
    value: "N",
    default: "0",
    summary: "Higher runs first",
  },
  {
    section: WHAT,
    name: "tag",
    type: "text",
    value: "TAG",
    repeatable: true,
    completes: "tag",
    summary: "Mark the job, to find it again",
  },
  {
    section: TRIES,
    name: "max-retries",
    aliases: ["retries"],
    type: "text",
    value: "N",
    summary: "Retry a failed run at most N times (setting: max_retries)",
  },
  { section: TRIES, name: "max-attempts", type: "text", value: "N", summary: "Run at most N times in all" },
  {
    section: TRIES,
    name: "backoff",
    type: "text",
    value: "STRATEGY[:N]",
    summary: "Wait between tries: exponential:BASE, linear:D or fixed:D",
  },
  { section: TRIES, name: "backoff-base", type: "text", value: "N", summary: "Base of the exponential backoff" },
  { section: TRIES, name: "backoff-delay", type: "text", value: "D", summary: "Delay of the linear and fixed backoff" },
  { section: TRIES, name: "backoff-max", type: "text", value: "D", summary: "Never wait longer than this" },
  { section: TRIES, name: "backoff-jitter", type: "text", value: "0..1", summary: "Spread the delay by this share" },
  {
    section: RULES,
    name: "ok-on",
    type: "text",
    value: "CODES",
    summary: "Exit codes that count as success, such as 0,3",
  },
  {
    section: RULES,
    name: "fail-on",
    type: "text",
    value: "CODES",
    summary: "Exit codes that are never retried, such as 64-78",
  },
  {
    section: RULES,
    name: "snooze-on",
    type: "text",
    value: "CODES:D",
    summary: "Exit codes that mean try again later, such as 75:10m",
  },
  {
    section: RULES,
    name: "retry-on",
    type: "text",
    value: "CODES",
    summary: "Retry only these: codes, timeout, signal, spawn",
  },
  {
    section: WHEN,
    name: "run-at",
    type: "text",
    value: "TIME",
    summary: "Not before this time: +30s, 02:00, 2026-12-01 02:00",
  },
  { section: WHEN, name: "delay", type: "text", value: "D", summary: "Not before this much time has passed" },
  {
    section: WHEN,
    name: "expires",
    type: "text",
    value: "TIME|D",
    summary: "Cancel it when it still waits then: 2h, 02:00",
  },
  { section: WHEN, name: "allow-past", type: "boolean", summary: "Accept a --run-at or --expires that has passed" },
  {
    section: WHEN,
    name: "timeout",
    type: "text",
    value: "D",
    summary: "Stop a run that takes longer (setting: job_timeout)",
  },
  {
    section: WHEN,
    name: "kill-grace",
    type: "text",
    value: "D",
    summary: "Time between TERM and KILL (setting: kill_grace)",
  },
  {
    section: ORDER,
    name: "after",
    type: "text",
    value: "ID,..",
    repeatable: true,
    completes: "job",
    summary: "Run when these jobs have completed",
  },
  {
    section: ORDER,
    name: "after-any",
    type: "text",
    value: "ID,..",
    repeatable: true,
    completes: "job",
    summary: "Run when these jobs have ended, however they did",
  },
  {
    section: ORDER,
    name: "lock",
    type: "text",
    value: "KEY",
    summary: "Run at most one job with this lock at a time",
  },
  { section: ORDER, name: "key", type: "text", value: "KEY", summary: "Have at most one job with this key" },
  {
    section: ORDER,
    name: "key-scope",
    type: "text",
    value: "SCOPE",
    default: "active",
    summary: "Among which: active, waiting, or window:D since creation",
  },
  {
    section: ORDER,
    name: "on-conflict",
    type: "choice",
    value: "WHAT",
    choices: ON_CONFLICT,
    summary: "When the key is held; a running job is never replaced",
  },
  {
    section: ORDER,
    name: "batch",
    type: "text",
    value: "NAME",
    completes: "batch",
    summary: "Make it a member of this batch",
  },
  {
    section: ORDER,
    name: "when",
    type: "text",
    value: "GATE",
    summary: "Only where load<4 mem>2G free:/data>10G file:/run/ok",
  },
  {
    section: AROUND,
    name: "cwd",
    type: "text",
    value: "DIR",
    completes: "directory",
    summary: "Run in this directory instead of the present one",
  },
  {
    section: AROUND,
    name: "env",
    type: "text",
    value: "K=V",
    repeatable: true,
    summary: "Set an environment variable",
  },
  {
    section: AROUND,
    name: "env-file",
    type: "text",
    value: "FILE",
    repeatable: true,
    completes: "file",
    summary: "Set those of a file with a K=V on each line",
  },
  {
    section: AROUND,
    name: "secret-env",
    type: "text",
    value: "K",
    repeatable: true,
    summary: "Take K from the worker, and keep its value out of output",
  },
  {
    section: AROUND,
    name: "stdin",
    type: "text",
    value: "TEXT|@FILE|-",
    completes: "file",
    summary: "What the job reads from its standard input",
  },
  { section: AROUND, name: "umask", type: "text", value: "MODE", summary: "File mode mask, such as 027" },
  { section: AROUND, name: "nice", type: "text", value: "N", summary: "Scheduling niceness, -20 to 19" },
  {
    section: AROUND,
    name: "memory",
    type: "text",
    value: "SIZE",
    summary: "Most memory that each of its processes may map",
  },
  {
    section: AROUND,
    name: "cpu-time",
    type: "text",
    value: "D",
    summary: "Most computing time of each of its processes",
  },
  { section: AROUND, name: "no-output", type: "boolean", summary: "Do not keep what the job prints" },
];

/** For commands that put jobs into a batch, or seal one. */
export const ON_BATCH_DONE_FLAG: FlagSpec = {
  name: "on-batch-done",
  type: "text",
  value: "CMD",
  summary: "Enqueue this when the last job of the batch has ended",
};
