/** `queuectl edit`: writes other options to a job that waits. @module */
import { currentDirectory } from "../../host/current_directory.ts";
import { forbiddenBy } from "../../core/allowed_commands.ts";
import { UsageError } from "../../core/errors.ts";
import { readEditedJob } from "../../core/job_fields.ts";
import { jobToJson } from "../../core/job_json.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord } from "../input.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { flagFields } from "../written_job.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const written = await flagFields(input);
  if (input.argv !== undefined) written.argv = input.argv;
  if (Object.keys(written).length === 0) {
    throw new UsageError("Missing option: say what to change", { hint: "queuectl edit ID --priority 10" });
  }
  const store = await context.store("write");
  const { allow_commands } = (await context.settings()).values;
  const at = {
    now: context.clock.now(),
    cwd: currentDirectory(),
    allowPast: isOn(input, "allow-past"),
    forbids: forbiddenBy(allow_commands),
  };
  const job = await store.jobs.edit(requiredWord(input, 0), (current) => readEditedJob(current, written, at));
  if (isJsonFormat(context)) printJson(context, jobToJson(job));
  else context.note(`Job ${job.id} changed`);
}
