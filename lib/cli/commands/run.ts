/**
 * `queuectl run`: enqueues a job, has it run by a worker of its own, shows what
 * it prints and exits with its code.
 *
 * This process only shows. The job and its worker go on without it.
 * @module
 */
import { jobDefaults } from "../../config/job_defaults.ts";
import { QueuectlError, UsageError } from "../../core/errors.ts";
import type { Job, NewJob, Run } from "../../core/job.ts";
import { generateJobId } from "../../core/job_id.ts";
import { readNewJob } from "../../core/job_fields.ts";
import { jobToJson, runToJson } from "../../core/job_json.ts";
import { isFinal } from "../../core/job_state.ts";
import { followOutput } from "../../operations/follow_output.ts";
import { withTemplate } from "../../operations/templates.ts";
import { exitCodeOfJob } from "../../operations/wait.ts";
import type { Store } from "../../store/store.ts";
import { refuseWhileStopped } from "../../worker/stop_file.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn } from "../input.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { followInterrupts } from "../running/interrupts.ts";
import { JobStreams } from "../running/job_streams.ts";
import { tellWhyItWaits } from "../running/waiting_note.ts";
import { WorkerKeeper } from "../running/worker_keeper.ts";
import { isThere, viewWorkers } from "../worker_view.ts";
import { writtenJob } from "../written_job.ts";

/** What a shell reports of a program that Ctrl-C ended. */
const INTERRUPTED = 130;
/** From this code on, and up to the signals, nothing that the job printed tells why. */
const FIRST_SHELL_CODE = 124;
const LAST_SHELL_CODE = 127;

export async function run(context: Context, input: Input): Promise<number> {
  const written = await writtenJob(input);
  const store = await context.store("write");
  const isOwn = !isOn(input, "on-workers");
  if (isOwn) refuseWhileStopped(store.folder);
  const newJob = await readJob(context, store, { written, allowPast: isOn(input, "allow-past") });
  const workerId = isOwn ? generateJobId() : undefined;
  const [enqueued] = await store.jobs.enqueue([newJob], { reserveFor: workerId });
  if (enqueued === undefined) throw new Error("The store took the job but gave no id");
  const keeper = new WorkerKeeper({
    store,
    dbPath: context.dbPath,
    jobId: enqueued.id,
    isAlive: async (id) => (await viewWorkers(context, store)).some((worker) => worker.id === id && isThere(worker)),
  });
  if (workerId !== undefined) {
    keeper.start(workerId);
    keeper.tend();
  }
  const isQuiet = isOn(input, "quiet-on-success");
  const note = isQuiet ? undefined : tellWhyItWaits(context, store, {
    jobId: enqueued.id,
    hasOwnWorker: workerId !== undefined,
    tellsRetries: isTalkative(context),
  });
  try {
    return await Promise.race([
      shown(context, store, { jobId: enqueued.id, fromRun: 1, isQuiet }),
      keeper.failure,
    ]);
  } finally {
    await note?.stop();
    await keeper.stop();
  }
}

async function readJob(
  context: Context,
  store: Store,
  { written, allowPast }: { written: Record<string, unknown>; allowPast: boolean },
): Promise<NewJob> {
  const defaults = jobDefaults(await context.settings(), { now: context.clock.now(), cwd: Deno.cwd(), allowPast });
  return readNewJob(await withTemplate(store, written), defaults);
}

interface Showing {
  readonly jobId: string;
  /** The first run to show. */
  readonly fromRun: number;
  /** Shows nothing unless it fails, then everything. */
  readonly isQuiet: boolean;
}

/** Shows the job until it is final; its exit code. */
async function shown(context: Context, store: Store, showing: Showing): Promise<number> {
  const first = await store.jobs.find(showing.jobId);
  const { id } = first;
  const interrupts = followInterrupts(() => void cancel(context, store, id));
  try {
    await show(context, store, { ...showing, job: first, signal: interrupts.left });
    const job = await store.jobs.find(id);
    if (!isFinal(job.state)) {
      context.note(`Job ${id} is left to itself; queuectl logs -f ${id} shows it again`);
      return INTERRUPTED;
    }
    const code = await exitCodeOfJob(store, job);
    await tell(context, store, { job, code, showing });
    return code;
  } finally {
    interrupts.close();
  }
}

async function show(
  context: Context,
  store: Store,
  { job, fromRun, isQuiet, signal }: Showing & { job: Job; signal: AbortSignal },
): Promise<void> {
  const isHidden = isQuiet || isJsonFormat(context);
  const streams = new JobStreams();
  let last: Run | undefined;
  const onRun = (run: Run) => {
    if (last !== undefined && !isHidden && isTalkative(context)) context.note(`Run ${run.run} of job ${job.id}`);
    last = run;
  };
  for await (const chunk of followOutput(store, { job, signal, fromRun, onRun })) if (!isHidden) streams.write(chunk);
}

/** What the job itself printed does not tell. */
async function tell(
  context: Context,
  store: Store,
  { job, code, showing }: { job: Job; code: number; showing: Showing },
): Promise<void> {
  if (isJsonFormat(context)) {
    const runs = await store.jobs.runs(job.seq);
    return printJson(context, { ...jobToJson(job), runs: runs.map(runToJson) });
  }
  if (code === 0) return;
  if (showing.isQuiet) {
    const streams = new JobStreams();
    const all = { job, signal: AbortSignal.any([]), fromRun: showing.fromRun, isLive: false };
    for await (const chunk of followOutput(store, all)) streams.write(chunk);
  }
  const isOfOurs = code >= FIRST_SHELL_CODE && code <= LAST_SHELL_CODE;
  if (isOfOurs || showing.isQuiet || isTalkative(context)) {
    context.note(`queuectl: Job ${job.id} is ${job.state}: ${job.reason ?? "no reason is known"}`);
  }
}

/** A script compares what the job wrote to stderr; a person at a terminal wants to know more. */
function isTalkative(context: Context): boolean {
  return context.verbose || Deno.stderr.isTerminal();
}

async function cancel(context: Context, store: Store, id: string): Promise<void> {
  context.note(`Cancelling job ${id}; Ctrl-C again leaves it to itself`);
  try {
    await store.jobs.cancel({ ids: [id] });
  } catch (error) {
    // It ended just now: that is told anyway.
    if (!(error instanceof QueuectlError) || error instanceof UsageError) throw error;
  }
}
