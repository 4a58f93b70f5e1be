/**
 * Command and settings tables -> the reference sections of the README, as
 * Markdown. `tools/generate.ts` puts them between their markers.
 * @module
 */
import type { SettingSpec } from "../config/settings.ts";
import type { CommandSpec, CommandTable, FlagSpec } from "./command.ts";
import { flagSections, flagSentence, flagTerm, usageLines } from "./help.ts";
import { JOB_FLAGS } from "./table/job_options.ts";

/** Every command that is not hidden, by group, with the flags that many share told once. */
export function commandReference(table: CommandTable): string {
  const shown = table.commands.filter((command) => !command.hidden);
  const groups = Map.groupBy(shown, (command) => command.group);
  return [
    ...flagTable("Global options, before or after every command", table.globalFlags),
    ...[...groups].flatMap(([group, commands]) => [`### ${group}`, "", ...commands.flatMap(commandSection)]),
    "### Job options",
    "",
    `The flags that describe a job, for ${
      shown.filter(takesJobFlags).map((command) => `\`${command.name}\``).join(", ")
    }.`,
    "",
    ...[...flagSections(JOB_FLAGS)].flatMap(([section, flags]) => flagTable(section, flags)),
  ].join("\n").trimEnd() + "\n";
}

function commandSection(command: CommandSpec): string[] {
  const ownFlags = (command.flags ?? []).filter((flag) => !JOB_FLAGS.includes(flag));
  return [
    `#### \`queuectl ${command.name}\``,
    "",
    `${command.summary}.${command.description === undefined ? "" : ` ${command.description}`}`,
    "",
    "```sh",
    ...usageLines(command).map((usage) => `queuectl ${usage}`),
    "```",
    "",
    ...argumentTable(command),
    ...ownFlags.length === 0 ? [] : flagTable("Option", ownFlags),
    ...takesJobFlags(command) ? ["It takes all [job options](#job-options).", ""] : [],
    "```sh",
    ...command.examples.map((example) => `${example.line}  # ${example.about}`),
    "```",
    "",
    ...exitCodeList(command),
  ];
}

function takesJobFlags(command: CommandSpec): boolean {
  return command.flags?.some((flag) => JOB_FLAGS.includes(flag)) === true;
}

function argumentTable(command: CommandSpec): string[] {
  if (command.arguments === undefined) return [];
  const rows = command.arguments.map((argument) => [code(argument.name), text(argument.summary)]);
  return markdownTable(["Argument", ""], rows);
}

function flagTable(heading: string, flags: readonly FlagSpec[]): string[] {
  return markdownTable([heading, ""], flags.map((flag) => [code(flagTerm(flag).trim()), text(flagSentence(flag))]));
}

function exitCodeList(command: CommandSpec): string[] {
  const codes = Object.entries(command.exitCodes ?? {});
  if (codes.length === 0) return [];
  return [`Exit codes: ${codes.map(([number, meaning]) => `${number} ${meaning}`).join("; ")}.`, ""];
}

/** The settings with their defaults. */
export function settingsReference(settings: readonly SettingSpec[]): string {
  const rows = settings.map((setting) => [
    code(setting.key),
    setting.choices === undefined ? setting.type : setting.choices.map(code).join(", "),
    setting.default === "" ? "" : code(setting.default),
    text(setting.summary),
  ]);
  return markdownTable(["Setting", "Type", "Default", ""], rows).join("\n").trimEnd() + "\n";
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), line(head.map(() => "---")), ...rows.map(line), ""];
}

function code(value: string): string {
  return `\`${value.replaceAll("|", "\\|")}\``;
}

function text(value: string): string {
  return value.replaceAll("|", "\\|");
}
