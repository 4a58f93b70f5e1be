/** `queuectl template create`: keeps job options under a name. @module */
import { currentDirectory } from "../../../host/current_directory.ts";
import { jobDefaults } from "../../../config/job_defaults.ts";
import { parseName } from "../../../core/job_fields.ts";
import { readTemplate } from "../../../core/template.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn, requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { templateToJson } from "../../output/template_view.ts";
import { writtenJob } from "../../written_job.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = parseName(requiredWord(input, 0), "template name");
  const written = await writtenJob(input, { commandAt: 1, needsCommand: false });
  const store = await context.store("write");
  const job = readTemplate(
    written,
    jobDefaults(await context.settings(), {
      now: context.clock.now(),
      cwd: currentDirectory(),
      allowPast: isOn(input, "allow-past"),
    }),
  );
  const template = await store.templates.put(name, job, { replace: isOn(input, "replace") });
  if (isJsonFormat(context)) printJson(context, templateToJson(template));
  else context.note(`Template ${name} is ready: queuectl enqueue --template ${name}`);
}
