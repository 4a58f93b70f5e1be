/**
 * The flags that choose jobs by what they have in common, shared by every
 * command that does so; `job_filter.ts` reads them.
 * @module
 */
import type { ArgumentSpec, Completes, FlagSpec } from "../command.ts";

export const STATE_FLAG: FlagSpec = {
  name: "state",
  type: "text",
  value: "STATE,..",
  repeatable: true,
  completes: "state",
  summary: "Only jobs in these states",
};

export const QUEUE_FLAG: FlagSpec = {
  name: "queue",
  type: "text",
  value: "NAME,..",
  repeatable: true,
  completes: "queue",
  summary: "Only jobs of these queues",
};

export const SINCE_FLAG: FlagSpec = {
  name: "since",
  type: "duration",
  value: "D",
  summary: "Only jobs made within this time",
};

export const JOB_FILTER_FLAGS: readonly FlagSpec[] = [
  STATE_FLAG,
  QUEUE_FLAG,
  {
    name: "tag",
    type: "text",
    value: "TAG",
    repeatable: true,
    completes: "tag",
    summary: "Only jobs with this tag",
  },
  {
    name: "batch",
    type: "text",
    value: "NAME",
    completes: "batch",
    summary: "Only jobs of this batch",
  },
  { name: "search", type: "text", value: "TEXT", summary: "Only jobs with this text in their id or command" },
  SINCE_FLAG,
];

/** The filter of a command that acts on jobs in some states only. */
export function filterFlags(states: Completes): readonly FlagSpec[] {
  return JOB_FILTER_FLAGS.map((flag) => flag === STATE_FLAG ? { ...flag, completes: states } : flag);
}

export const LIMIT_FLAG: FlagSpec = {
  name: "limit",
  short: "n",
  type: "integer",
  value: "N",
  default: "50",
  summary: "Show at most N; 0 shows all",
};

export const JOB_ARGUMENT: ArgumentSpec = {
  name: "ID",
  required: true,
  completes: "job",
  summary: "Job id, or a unique beginning of a generated one",
};

/** For commands that take ids or a filter. */
export const JOBS_ARGUMENT: ArgumentSpec = {
  name: "ID",
  variadic: true,
  completes: "job",
  summary: "Job ids, or unique beginnings of generated ones",
};
