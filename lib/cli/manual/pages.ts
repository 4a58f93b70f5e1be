/**
 * Command and settings tables -> the manual: a page for each family of
 * commands, and `queuectl(1)` for what holds for all of them.
 * @module
 */
import { SETTINGS, type SettingSpec } from "../../config/settings.ts";
import type { CommandSpec, CommandTable } from "../command.ts";
import { flagSections, usageLines } from "../help.ts";
import { JOB_FLAGS } from "../table/job_options.ts";
import { USUAL_EXIT_CODES } from "../table/surroundings.ts";
import type { Block, ManualPage, Term } from "./document.ts";
import { mainPage } from "./main_page.ts";
import { firstWord, pageNameOf, SHARED_PAGES, visible } from "./page_names.ts";
import { exitCodeTerms, flagTermOf } from "./terms.ts";

/** The page on which the options of a job are told; other pages refer to it. */
const JOB_OPTIONS_PAGE = "queuectl-enqueue";

/** Every page; `queuectl` first, the others in the order of the command table. */
export function manualPages(table: CommandTable): readonly ManualPage[] {
  const families = Map.groupBy(visible(table), pageNameOf);
  const pages = [...families].map(([name, commands]) => familyPage(name, commands));
  return [mainPage(table, pages), ...pages];
}

/** The page that somebody asks for as `worker`, `worker start` or `queuectl-worker`; undefined when there is none. */
export function findPage(asked: string, table: CommandTable): ManualPage | undefined {
  const pages = manualPages(table);
  const name = asked.replace(/^queuectl(-|\s+|$)/, "").trim();
  if (name === "") return pages[0];
  const command = visible(table).find((command) =>
    [command.name, ...command.aliases ?? []].some((known) => known === name || known.startsWith(`${name} `))
  );
  const pageName = command === undefined ? `queuectl-${name}` : pageNameOf(command);
  return pages.find((page) => page.name === pageName || page.otherNames.includes(pageName));
}

function familyPage(name: string, commands: readonly CommandSpec[]): ManualPage {
  const shared = SHARED_PAGES.find((page) => `queuectl-${page.name}` === name);
  const words = [...new Set(commands.map(firstWord))].map((word) => `queuectl-${word}`);
  const first = commands[0] as CommandSpec;
  return {
    name,
    otherNames: words.filter((word) => word !== name),
    summary: shared?.summary ?? decapitalised(first.summary),
    synopsis: commands.flatMap(usageLines),
    blocks: [
      { kind: "section", title: "Commands" },
      ...commands.flatMap(commandBlocks),
      ...name === JOB_OPTIONS_PAGE ? jobOptions() : [],
      ...name === "queuectl-config" ? settingsBlocks(SETTINGS) : [],
      { kind: "section", title: "Exit status" },
      {
        kind: "text",
        text: "Every command may exit with these codes; a command that gives a code another meaning says so above.",
      },
      { kind: "terms", head: "Code", terms: exitCodeTerms(USUAL_EXIT_CODES), isCompact: true },
      { kind: "section", title: "Global options, environment and files" },
      { kind: "text", text: "`--db`, `--json`, `--format`, `--quiet`, `--yes` and the others: queuectl(1)." },
    ],
    seeAlso: ["queuectl", ...RELATED[name] ?? []],
  };
}

/** What a reader of a page is likely to need next, besides queuectl(1). */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  "queuectl-enqueue": ["queuectl-run", "queuectl-list", "queuectl-template", "queuectl-batch"],
  "queuectl-list": ["queuectl-cancel", "queuectl-status"],
  "queuectl-cancel": ["queuectl-enqueue", "queuectl-list", "queuectl-dlq"],
  "queuectl-run": ["queuectl-enqueue", "queuectl-worker"],
  "queuectl-dlq": ["queuectl-cancel", "queuectl-list"],
  "queuectl-worker": ["queuectl-service", "queuectl-status", "queuectl-config"],
  "queuectl-service": ["queuectl-worker"],
  "queuectl-queue": ["queuectl-enqueue", "queuectl-status"],
  "queuectl-batch": ["queuectl-enqueue", "queuectl-run"],
  "queuectl-template": ["queuectl-enqueue"],
  "queuectl-status": ["queuectl-list", "queuectl-worker"],
  "queuectl-backup": ["queuectl-status"],
  "queuectl-config": ["queuectl-enqueue", "queuectl-worker"],
};

function commandBlocks(command: CommandSpec): readonly Block[] {
  const ownFlags = (command.flags ?? []).filter((flag) => !JOB_FLAGS.includes(flag));
  const codes = command.exitCodes ?? {};
  return [
    { kind: "part", title: `queuectl ${command.name}`, isTyped: true },
    { kind: "usage", lines: usageLines(command) },
    { kind: "text", text: `${command.summary}.${command.description === undefined ? "" : ` ${command.description}`}` },
    ...command.arguments === undefined ? [] : [{
      kind: "terms" as const,
      head: "Argument",
      terms: command.arguments.map(({ name, summary }) => ({ names: [], value: name, text: summary })),
    }],
    ...ownFlags.length === 0 ? [] : [{ kind: "terms" as const, head: "Option", terms: ownFlags.map(flagTermOf) }],
    ...jobOptionsNote(command),
    { kind: "examples", examples: command.examples },
    ...Object.keys(codes).length === 0
      ? []
      : [{ kind: "terms" as const, head: "Exit code", terms: exitCodeTerms(codes), isCompact: true }],
  ];
}

/** Which of the options of a job a command takes, when it takes any. */
function jobOptionsNote(command: CommandSpec): readonly Block[] {
  const missing = JOB_FLAGS.filter((flag) => command.flags?.includes(flag) !== true);
  if (missing.length === JOB_FLAGS.length) return [];
  const except = missing.length === 0
    ? ""
    : ` except ${missing.map((flag) => `\`--${flag.name}\``).join(", ").replace(/, ([^,]+)$/, " and $1")}`;
  const where = pageNameOf(command) === JOB_OPTIONS_PAGE ? "below" : `of ${JOB_OPTIONS_PAGE}(1)`;
  return [{ kind: "text", text: `It takes the job options ${where}${except}.` }];
}

function jobOptions(): readonly Block[] {
  return [
    { kind: "section", title: "Job options" },
    { kind: "text", text: "These options describe a job. Every command that makes or changes jobs takes them." },
    ...[...flagSections(JOB_FLAGS)].flatMap(([title, flags]): Block[] => [
      { kind: "part", title },
      { kind: "terms", head: "Option", terms: flags.map(flagTermOf) },
    ]),
  ];
}

function settingsBlocks(settings: readonly SettingSpec[]): readonly Block[] {
  return [
    { kind: "section", title: "Settings" },
    {
      kind: "text",
      text:
        "A setting comes from the first of these: the option of a command, the variable `QUEUECTL_<SETTING>`, the " +
        "database, the default. Its name may be written with `-`, `_` or in camelCase. Workers follow changes without " +
        "a restart.",
    },
    { kind: "terms", head: "Setting", terms: settings.map(settingTerm) },
  ];
}

function settingTerm(setting: SettingSpec): Term {
  const type = setting.choices === undefined ? setting.type : setting.choices.join(", ");
  const standard = setting.default === "" ? "empty" : setting.default;
  return { names: [setting.key], text: `${setting.summary} (${type}; default: ${standard})` };
}

/** `Print the ...` -> `print the ...`; a name such as `JSON` keeps its letters. */
function decapitalised(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
