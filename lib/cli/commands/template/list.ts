/** `queuectl template list`: all templates, by name. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { printList } from "../../output/format_list.ts";
import { templateCommand, templateOptions, templateToJson } from "../../output/template_view.ts";

export async function run(context: Context, _input: Input): Promise<void> {
  const store = await context.store("read");
  await printList(context, await store.templates.list(), {
    columns: [
      { header: "TEMPLATE", value: (template) => template.name },
      { header: "COMMAND", canShrink: true, value: templateCommand },
      { header: "OPTIONS", canShrink: true, value: (template) => templateOptions(template).join(", ") || null },
    ],
    toJson: templateToJson,
    whenEmpty: "No templates",
  });
}
