/** `queuectl enqueue`: adds one job and prints its id. @module */
import { jobDefaults } from "../../config/job_defaults.ts";
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
    cwd: Deno.cwd(),
    allowPast: isOn(input, "allow-past"),
  });
  const fields = written.template == null
    ? written
    : await (await import("../../operations/templates.ts")).withTemplate(store, written);
  const [job] = await store.jobs.enqueue([readNewJob(fields, defaults)]);
  if (job === undefined) throw new Error("The store took the job but gave no id");
  if (context.format === "table" || context.format === "plain") {
    context.print(job.id);
    return;
  }
  const { printJson } = await import("../output/json.ts");
  printJson(context, jobToJson(await store.jobs.find(job.id)));
}
