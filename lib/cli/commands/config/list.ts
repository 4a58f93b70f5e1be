/** `queuectl config list`: all settings. @module */
import type { Settings } from "../../../config/load_settings.ts";
import { SETTINGS, type SettingSpec } from "../../../config/settings.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn } from "../../input.ts";
import { type ListColumn, printList } from "../../output/format_list.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";

/** Shown instead of a secret that is set. */
const MASK = "********";

export async function run(context: Context, input: Input): Promise<void> {
  const settings = await context.settings();
  const withOrigin = isOn(input, "show-origin");
  if (isJsonFormat(context)) {
    printJson(context, Object.fromEntries(SETTINGS.map((spec) => [spec.key, jsonOf(settings, spec, withOrigin)])));
    return;
  }
  const columns: ListColumn<SettingSpec>[] = [
    { header: "SETTING", value: (spec) => spec.key },
    { header: "VALUE", value: (spec) => shownValue(settings, spec) },
    ...(withOrigin ? [{ header: "ORIGIN", value: (spec: SettingSpec) => settings.describe(spec.key).origin }] : []),
    { header: "MEANING", canShrink: true, value: (spec) => spec.summary },
  ];
  await printList(context, SETTINGS, { columns, whenEmpty: "No settings" });
}

/** The canonical text of a setting; secrets are masked. */
export function shownValue(settings: Settings, spec: SettingSpec): string {
  return shownText(spec, settings.describe(spec.key).text);
}

/** As it may be shown. */
export function shownText(spec: SettingSpec, text: string): string {
  return spec.secret && text !== "" ? MASK : text;
}

function jsonOf(settings: Settings, spec: SettingSpec, withOrigin: boolean): unknown {
  const value = jsonValue(settings, spec);
  return withOrigin ? { value, origin: settings.describe(spec.key).origin } : value;
}

export function jsonValue(settings: Settings, spec: SettingSpec): string | number {
  return jsonText(spec, settings.describe(spec.key).text);
}

/** Numbers as numbers; durations and sizes as the text that sets them. */
export function jsonText(spec: SettingSpec, canonical: string): string | number {
  const text = shownText(spec, canonical);
  return spec.type === "integer" || spec.type === "number" ? Number(text) : text;
}
