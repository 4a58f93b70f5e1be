/**
 * Command and settings tables -> docs/reference, and the short tables of the
 * README that lead there. `tools/generate.ts` writes them.
 * @module
 */
import { environmentName } from "../config/load_settings.ts";
import type { SettingSpec } from "../config/settings.ts";
import type { CommandSpec, CommandTable } from "./command.ts";
import type { ManualPage } from "./manual/document.ts";
import { anchorOf, cell, code, markdownTable, referenceFileOf, sectionText, toMarkdown } from "./manual/markdown.ts";
import { pageNameOf, visible } from "./manual/page_names.ts";
import { manualPages } from "./manual/pages.ts";

/** First line of each file. */
const NOTE = "<!-- Made from the command and settings tables by `tools/deno task generate`; do not edit. -->\n\n";

/** The files of docs/reference: name -> content. */
export function referenceFiles(table: CommandTable, settings: readonly SettingSpec[]): ReadonlyMap<string, string> {
  const [main, ...families] = manualPages(table) as [ManualPage, ...ManualPage[]];
  const files: [string, string][] = [
    [referenceFileOf(main.name), indexText(table, main)],
    ...families.map((page): [string, string] => [referenceFileOf(page.name), toMarkdown(page)]),
    ["settings.md", settingsText(settings)],
    ["exit-codes.md", exitCodesText(table, main)],
    ["environment.md", `# Environment variables\n\n${sectionText(main, "Environment")}\n\n${SETTINGS_NOTE}\n`],
    ["files.md", `# Files\n\n${sectionText(main, "Files")}\n`],
  ];
  return new Map(files.map(([name, text]) => [name, NOTE + text]));
}

const SETTINGS_NOTE = "The variable of each setting is in the table of [settings](settings.md).";

function indexText(table: CommandTable, main: ManualPage): string {
  return [
    "# Reference",
    sectionText(main, "Description"),
    "On a terminal: `queuectl help`, `queuectl help COMMAND`, and the manual pages by `queuectl man`. " +
    "`queuectl man install` makes `man queuectl` work.",
    "Besides the commands: [settings](settings.md), [exit codes](exit-codes.md), " +
    "[environment variables](environment.md), [files](files.md).",
    "## Commands",
    commandTables(table),
    "## Global options",
    sectionText(main, "Global options"),
    "## States of a job",
    sectionText(main, "States of a job"),
    "## Values",
    sectionText(main, "Values"),
  ].join("\n\n") + "\n";
}

/** Every command that is not hidden with its sentence, by group; `folder` leads to docs/reference. */
export function commandTables(table: CommandTable, folder = ""): string {
  const groups = Map.groupBy(visible(table), (command) => command.group);
  const rows = (commands: readonly CommandSpec[]) =>
    commands.map((command) => [
      `[${code(command.name)}](${folder}${linkTo(command)})`,
      cell(command.summary),
    ]);
  return [...groups].map(([group, commands]) => markdownTable([group, ""], rows(commands))).join("\n\n");
}

function linkTo(command: CommandSpec): string {
  return `${referenceFileOf(pageNameOf(command))}#${anchorOf(`queuectl ${command.name}`)}`;
}

function exitCodesText(table: CommandTable, main: ManualPage): string {
  const rows = visible(table).flatMap((command) =>
    Object.entries(command.exitCodes ?? {}).map(([number, meaning]) => [
      `[${code(command.name)}](${linkTo(command)})`,
      number,
      cell(meaning),
    ])
  );
  return [
    "# Exit codes",
    sectionText(main, "Exit status"),
    "## Codes with a special meaning",
    markdownTable(["Command", "Code", ""], rows),
  ].join("\n\n") + "\n";
}

function settingsText(settings: readonly SettingSpec[]): string {
  const rows = settings.map((setting) => [
    code(setting.key),
    typeOf(setting),
    standardOf(setting),
    code(environmentName(setting)),
    cell(setting.summary),
  ]);
  return [
    "# Settings",
    "A setting comes from the first of these: the option of a command, the variable, the database " +
    "([`queuectl config set`](config.md#queuectl-config-set)), the default. Its name may be written with `-`, `_` or " +
    "in camelCase. Workers follow changes without a restart.",
    markdownTable(["Setting", "Type", "Default", "Variable", ""], rows),
  ].join("\n\n") + "\n";
}

/** The settings with their defaults, for the README. */
export function settingsReference(settings: readonly SettingSpec[]): string {
  const rows = settings.map((setting) => [code(setting.key), standardOf(setting), cell(setting.summary)]);
  return markdownTable(["Setting", "Default", ""], rows);
}

function standardOf(setting: SettingSpec): string {
  return setting.default === "" ? "" : code(setting.default);
}

function typeOf({ type, choices, min, max }: SettingSpec): string {
  if (choices !== undefined) return choices.map(code).join(", ");
  if (min !== undefined && max !== undefined) return `${type}, ${min} to ${max}`;
  return min === undefined ? type : `${type}, at least ${min}`;
}
