/** `queuectl config set`: changes a setting for everyone who uses this database. @module */
import { environmentName, textOfEnvironment } from "../../../config/load_settings.ts";
import { canonicalSetting } from "../../../config/settings.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { jsonText, shownText } from "./list.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const { spec, text } = canonicalSetting(requiredWord(input, 0), requiredWord(input, 1));
  const store = await context.store("write");
  await store.settings.set(spec.key, text);
  if (isJsonFormat(context)) printJson(context, { [spec.key]: jsonText(spec, text) });
  else context.note(`${spec.key} = ${shownText(spec, text)}`);
  const doubt = spec.doubt?.(text);
  if (doubt !== undefined) context.warn(doubt);
  if (textOfEnvironment(spec, { env: context.env, stored: await store.settings.all() }) === undefined) return;
  context.warn(`${environmentName(spec)} is set in this environment and comes before the stored value`);
}
