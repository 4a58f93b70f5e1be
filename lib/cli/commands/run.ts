/**
 * `queuectl run`: enqueues a job, has it run by a worker of its own, shows what
 * it prints and exits with its code.
 *
 * This process only shows. The job and its worker go on without it. The worker
 * is started as early as can be; what showing needs is loaded while it starts.
 * @module
 */
import { wholeEnvironment } from "../../host/own_environment.ts";
import { currentDirectory } from "../../host/current_directory.ts";
import { jobDefaults } from "../../config/job_defaults.ts";
import type { NewJob } from "../../core/job.ts";
import { readNewJob } from "../../core/job_fields.ts";
import { generateJobId } from "../../core/job_id.ts";
import type { Store } from "../../store/store.ts";
import { refuseWhileStopped } from "../../worker/stop_file.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn } from "../input.ts";
import { WorkerKeeper } from "../running/worker_keeper.ts";
import { writtenJob } from "../written_job.ts";

export async function run(context: Context, input: Input): Promise<number> {
  const store = await context.store("write");
  const newJob = await readJob(context, store, input);
  const isOwn = !isOn(input, "on-workers");
  if (isOwn) {
    refuseWhileStopped(store.folder);
    // Its worker inherits all of it: found out before the job is stored.
    wholeEnvironment();
  }
  const workerId = isOwn ? generateJobId() : undefined;
  const [enqueued] = await store.jobs.enqueue([newJob], { reserveFor: workerId });
  if (enqueued === undefined) throw new Error("The store took the job but gave no id");
  const { id: jobId, deduplicated: isAttached } = enqueued;
  if (isAttached && newJob.on_conflict === "skip") return 0;

  const keeper = new WorkerKeeper({
    store,
    dbPath: context.dbPath,
    jobId,
    isAlive: async (id) => await (await import("../worker_view.ts")).isWorkerThere(context, store, id),
  });
  if (workerId !== undefined) {
    if (!isAttached) keeper.start(workerId);
    keeper.tend();
  }
  const { showJob } = await import("../running/show_job.ts");
  const { tellWhyItWaits } = await import("../running/waiting_note.ts");
  const { isTalkative } = await import("../running/talkative.ts");
  const isQuiet = isOn(input, "quiet-on-success");
  const note = isQuiet
    ? undefined
    : tellWhyItWaits(context, store, { jobId, hasOwnWorker: isOwn, tellsRetries: isTalkative(context) });
  try {
    return await Promise.race([showJob(context, store, { jobId, isAttached, isQuiet }), keeper.failure]);
  } finally {
    await note?.stop();
    await keeper.stop();
  }
}

async function readJob(context: Context, store: Store, input: Input): Promise<NewJob> {
  const defaults = jobDefaults(await context.settings(), {
    now: context.clock.now(),
    cwd: currentDirectory(),
    allowPast: isOn(input, "allow-past"),
  });
  const written = await writtenJob(input);
  const fields = written.template == null
    ? written
    : await (await import("../../operations/templates.ts")).withTemplate(store, written);
  const job = readNewJob(fields, defaults);
  // Whoever asks for the output of a job that is there already gets it.
  return { ...job, on_conflict: job.key === null ? null : job.on_conflict ?? "attach" };
}
