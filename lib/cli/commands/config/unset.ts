/** `queuectl config unset`: gives a setting back its default. @module */
import { findSetting } from "../../../config/settings.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { jsonText } from "./list.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const { spec } = findSetting(requiredWord(input, 0));
  const store = await context.store("write");
  const wasSet = await store.settings.unset(spec.key);
  if (isJsonFormat(context)) return printJson(context, { [spec.key]: jsonText(spec, spec.default) });
  context.note(wasSet ? `${spec.key} is back to ${spec.default}` : `${spec.key} was not set`);
}
