/** `queuectl enqueue`: adds one job and prints its id. @module */
import { currentDirectory } from "../../host/current_directory.ts";
import { jobDefaults } from "../../config/job_defaults.ts";
import { UsageError } from "../../core/errors.ts";
import { readNewJob } from "../../core/job_fields.ts";
import { jobToJson } from "../../core/job_json.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn } from "../input.ts";
import { writtenJob } from "../written_job.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const written = await writtenJob(input);
  const store = await context.store("write");
  const defaults = jobDefaults(await context.settings(), {
    now: context.clock.now(),
    cwd: currentDirectory(),
    allowPast: isOn(input, "allow-past"),
  });
  const fields = written.template == null
    ? written
    : await (await import("../../operations/templates.ts")).withTemplate(store, written);
  const onBatchDone = input.flags.has("on-batch-done")
    ? await (await import("../on_batch_done.ts")).onBatchDone(context, input)
    : undefined;
  const newJob = readNewJob(fields, defaults);
  if (onBatchDone !== undefined && newJob.batch === null) {
    throw new UsageError("Cannot use --on-batch-done without --batch", { hint: "queuectl enqueue --batch NAME ..." });
  }
  const [job] = await store.jobs.enqueue([newJob], { onBatchDone });
  if (job === undefined) throw new Error("The store took the job but gave no id");
  if (context.format === "table" || context.format === "plain") {
    context.print(job.id);
    if (job.deduplicated) context.note("Not added: the job above holds the key");
    return;
  }
  const { printJson } = await import("../output/json.ts");
  printJson(context, { ...jobToJson(await store.jobs.find(job.id)), deduplicated: job.deduplicated });
}
