/** `queuectl template show`: what a template says. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { templateCommand, templateOptions, templateToJson } from "../../output/template_view.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const template = await (await context.store("read")).templates.find(requiredWord(input, 0));
  if (isJsonFormat(context)) return printJson(context, templateToJson(template));
  context.print(`Template ${template.name}`);
  const command = templateCommand(template);
  context.print(`  command: ${command ?? "none; the job brings its own"}`);
  for (const option of templateOptions(template)) context.print(`  ${option}`);
}
