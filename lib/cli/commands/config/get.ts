/** `queuectl config get`: one setting, or all. @module */
import { findSetting } from "../../../config/settings.ts";
import { visibleText } from "../../../core/visible_text.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn, word } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { jsonValue, run as listSettings, shownValue } from "./list.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const key = word(input, 0);
  if (key === undefined) return await listSettings(context, input);
  const { spec, isTotal } = findSetting(key);
  const settings = await context.settings();
  // A name that counts attempts in all is answered in the same way.
  const value = isTotal ? Number(shownValue(settings, spec)) + 1 : jsonValue(settings, spec);
  if (isJsonFormat(context)) return printJson(context, value);
  const origin = isOn(input, "show-origin") ? `\t${settings.describe(spec.key).origin}` : "";
  context.write(`${visibleText(String(value))}${origin}\n`);
}
