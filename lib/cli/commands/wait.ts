/** `queuectl wait`: until jobs have ended; exits with what became of them. @module */
import { formatDuration } from "../../core/duration.ts";
import { NotFoundError, UsageError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { jobToJson } from "../../core/job_json.ts";
import { exitCodeOfJob, type Waited, waitForJobs, waitForMatching, type WaitOptions } from "../../operations/wait.ts";
import type { JobFilter, Store } from "../../store/store.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { durationMs, isOn } from "../input.ts";
import { jobFilter } from "../job_filter.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { isTalkative } from "../running/talkative.ts";
import { tellWhyItWaits } from "../running/waiting_note.ts";

/** Neither the job's own nor one of ours: the waiting is over, the job is not. */
const GAVE_UP = 123;

export async function run(context: Context, input: Input): Promise<number> {
  const filter = jobFilter(context, input);
  const ids = [...new Set(input.words)];
  check(ids, filter);
  const store = await context.store("read");
  const timeoutMs = durationMs(input, "timeout");
  const any = isOn(input, "any");
  const options: WaitOptions = { clock: context.clock, timeoutMs, any };
  const [jobId] = ids;
  // A person who waits wants to know why; a script would have to sort it out.
  const note = jobId !== undefined && ids.length === 1 && isTalkative(context)
    ? tellWhyItWaits(context, store, { jobId, hasOwnWorker: false, tellsRetries: true })
    : undefined;
  let waited: Waited;
  try {
    waited = ids.length > 0 ? await waitForJobs(store, ids, options) : await waitForMatching(store, filter, options);
  } finally {
    await note?.stop();
  }
  switch (waited.kind) {
    case "nothing":
      throw new NotFoundError("Nothing to wait for: no job matches", { hint: "queuectl list" });
    case "timed_out":
      return gaveUp(context, waited.job, timeoutMs ?? 0);
    case "ended":
      return await tell(context, store, waited, { ids, filter, any });
  }
}

function check(ids: readonly string[], filter: JobFilter): void {
  const hasFilter = Object.keys(filter).length > 0;
  if (ids.length > 0 && hasFilter) throw new UsageError("Cannot take both ids and filters: give one");
  if (ids.length > 0 || hasFilter) return;
  throw new NotFoundError("Nothing to wait for: give job ids, --batch, --tag or --queue", {
    hint: "queuectl help wait",
  });
}

function gaveUp(context: Context, job: Job, timeoutMs: number): number {
  if (isJsonFormat(context)) printJson(context, jobToJson(job));
  context.warn(`gave up after ${formatDuration(timeoutMs)}: job "${job.id}" is ${job.state}`);
  return GAVE_UP;
}

interface Asked {
  readonly ids: readonly string[];
  readonly filter: JobFilter;
  readonly any: boolean;
}

async function tell(context: Context, store: Store, waited: Waited & { kind: "ended" }, asked: Asked): Promise<number> {
  const [first] = waited.jobs;
  const only = asked.ids.length === 1 ? first : undefined;
  if (isJsonFormat(context)) {
    const isByFilter = asked.ids.length === 0 && !asked.any;
    const jobs = isByFilter ? await store.jobs.list(asked.filter) : waited.jobs;
    printJson(context, only === undefined ? jobs.map(jobToJson) : jobToJson(only));
  } else {
    // Which one it was is the answer; what became of jobs that are named is told by the exit code.
    if (asked.any && first !== undefined) context.print(first.id);
    for (const job of waited.jobs.filter((job) => job.state !== "completed")) {
      context.note(`Job ${job.id} is ${job.state}: ${job.reason ?? "no reason is known"}`);
    }
  }
  if (only !== undefined) return await exitCodeOfJob(store, only);
  return waited.areAllCompleted ? 0 : 1;
}
