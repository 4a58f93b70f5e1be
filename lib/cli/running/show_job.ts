/**
 * Shows a job until it is final: what it prints, as it prints it, and in the
 * end what the job itself does not tell.
 * @module
 */
import { QueuectlError } from "../../core/errors.ts";
import type { Job, Run } from "../../core/job.ts";
import { jobToJson, runToJson } from "../../core/job_json.ts";
import { isFinal } from "../../core/job_state.ts";
import { followOutput } from "../../operations/follow_output.ts";
import { exitCodeOfJob } from "../../operations/wait.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../context.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { followInterrupts } from "./interrupts.ts";
import { JobStreams } from "./job_streams.ts";
import { isTalkative } from "./talkative.ts";

export interface Showing {
  readonly jobId: string;
  /** It was there before: what its earlier runs printed is not shown. */
  readonly isAttached: boolean;
  /** Shows nothing unless it fails, then everything. */
  readonly isQuiet: boolean;
}

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;
/** Codes that stand for something that the job's own output does not tell. */
const FIRST_SHELL_CODE = 124;
const LAST_SHELL_CODE = 127;

/** The exit code that the job asks for, or 130 when it was left by a second Ctrl-C. */
export async function showJob(context: Context, store: Store, showing: Showing): Promise<number> {
  const found = await store.jobs.find(showing.jobId);
  const { id } = found;
  const fromRun = showing.isAttached ? presentRun(found) : 1;
  const interrupts = followInterrupts(() => void cancel(context, store, id));
  try {
    if (showing.isAttached && isTalkative(context)) context.note(`Attached to job ${id}, which is ${found.state}`);
    await showOutput(context, store, { job: found, fromRun, isHidden: showing.isQuiet, signal: interrupts.left });
    const job = await store.jobs.find(id);
    if (!isFinal(job.state)) {
      context.note(`Job ${id} is left to itself; queuectl logs -f ${id} shows it again`);
      return INTERRUPTED;
    }
    const code = await exitCodeOfJob(store, job);
    if (isJsonFormat(context)) await printJob(context, store, { job, showing });
    else if (code !== 0) await tellFailure(context, store, { job, code, showing, fromRun });
    return code;
  } finally {
    interrupts.close();
  }
}

/** The run that goes on, or was the last one; of a job that waits, the next. */
function presentRun({ state, run_count: count }: Job): number {
  return Math.max(1, state === "processing" || isFinal(state) ? count : count + 1);
}

interface Following {
  readonly job: Job;
  readonly fromRun: number;
  readonly isHidden: boolean;
  readonly signal: AbortSignal;
}

async function showOutput(
  context: Context,
  store: Store,
  { job, fromRun, isHidden, signal }: Following,
): Promise<void> {
  const isShown = !isHidden && !isJsonFormat(context);
  const streams = new JobStreams();
  const onRun = ({ run }: Run) => {
    if (run > fromRun && isShown && isTalkative(context)) context.note(`Run ${run} of job ${job.id}`);
  };
  for await (const chunk of followOutput(store, { job, signal, fromRun, onRun })) if (isShown) streams.write(chunk);
}

async function printJob(
  context: Context,
  store: Store,
  { job, showing }: { job: Job; showing: Showing },
): Promise<void> {
  const runs = await store.jobs.runs(job.seq);
  printJson(context, { ...jobToJson(job), deduplicated: showing.isAttached, runs: runs.map(runToJson) });
}

async function tellFailure(
  context: Context,
  store: Store,
  { job, code, showing, fromRun }: { job: Job; code: number; showing: Showing; fromRun: number },
): Promise<void> {
  if (showing.isQuiet) {
    const streams = new JobStreams();
    const all = { job, fromRun, isLive: false, signal: AbortSignal.any([]) };
    for await (const chunk of followOutput(store, all)) streams.write(chunk);
  }
  const isOfOurs = code >= FIRST_SHELL_CODE && code <= LAST_SHELL_CODE;
  if (isOfOurs || showing.isQuiet || isTalkative(context)) {
    context.note(`queuectl: Job ${job.id} is ${job.state}: ${job.reason ?? "no reason is known"}`);
  }
}

async function cancel(context: Context, store: Store, id: string): Promise<void> {
  context.note(`Cancelling job ${id}; Ctrl-C again leaves it to itself`);
  try {
    await store.jobs.cancel({ ids: [id] });
  } catch (error) {
    // It ended just now, which is told anyway; or the store is in trouble, which those who read it tell.
    if (!(error instanceof QueuectlError)) throw error;
  }
}
