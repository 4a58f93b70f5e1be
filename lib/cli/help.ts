/**
 * Command table -> help text: the overview, a group such as `worker`, or one
 * command. Loaded only when help is asked for.
 * @module
 */
import type { CommandSpec, CommandTable, FlagSpec } from "./command.ts";
import { stylerFor } from "./output/color.ts";
import { definitions, wrap } from "./output/wrap.ts";
import { USUAL_EXIT_CODES } from "./table/surroundings.ts";
import { unknownCommand } from "./usage_errors.ts";

export interface HelpOptions {
  /** Default false. */
  readonly color?: boolean;
  /** Columns of the terminal. Default 80. */
  readonly columns?: number;
}

/** Beyond this, lines are hard to read however wide the terminal is. */
const MAX_COLUMNS = 100;
const MAX_FLAG_COLUMNS = 28;
const MAX_COMMAND_COLUMNS = 20;

/**
 * Help for the words of a command or a group; for no words the overview.
 * @throws {UsageError} when there is no such command.
 */
export function helpFor(words: readonly string[], table: CommandTable, options: HelpOptions = {}): string {
  const page = new Page(options);
  const name = words.join(" ");
  if (name === "") return overview(table, page);
  const group = table.commands.filter((command) => isBelow(command, name));
  const spec = table.commands.find((command) => command.name === name) ??
    (group.length === 0 ? table.commands.find((command) => command.aliases?.includes(name)) : undefined);
  if (spec !== undefined) return commandHelp(spec, table, page);
  if (group.length > 0) return groupHelp(name, group, page);
  const known = longestKnown(words, table);
  throw unknownCommand(words.slice(0, known).join(" "), words[known] ?? "", table);
}

function isBelow(command: CommandSpec, group: string): boolean {
  return [command.name, ...command.aliases ?? []].some((name) => name.startsWith(`${group} `));
}

/** How many of the words are the beginning of some command's name. */
function longestKnown(words: readonly string[], table: CommandTable): number {
  let known = 0;
  while (
    known < words.length && table.commands.some((command) => isBelow(command, words.slice(0, known + 1).join(" ")))
  ) {
    known++;
  }
  return known;
}

function overview(table: CommandTable, page: Page): string {
  page.line("queuectl: a durable background job queue in one binary");
  page.heading("Usage");
  page.line("  queuectl [GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]");
  const shown = table.commands.filter((command) => !command.hidden);
  for (const group of new Set(shown.map((command) => command.group))) {
    page.heading(group);
    page.commands(shown.filter((command) => command.group === group).map((command) => [command.name, command.summary]));
  }
  page.heading("Global options");
  page.flags(table.globalFlags);
  page.line("");
  page.line("`queuectl help COMMAND` tells more about one command.");
  return page.text();
}

function groupHelp(name: string, commands: readonly CommandSpec[], page: Page): string {
  page.line(`Usage: queuectl ${name} COMMAND [OPTIONS] [ARGUMENTS]`);
  page.heading("Commands");
  page.commands(
    commands.filter((command) => !command.hidden).map((command) => {
      const called = [command.name, ...command.aliases ?? []].find((candidate) => candidate.startsWith(`${name} `));
      return [called ?? command.name, command.summary];
    }),
  );
  page.line("");
  page.line(`\`queuectl help ${name} COMMAND\` tells more about one of them.`);
  return page.text();
}

function commandHelp(spec: CommandSpec, table: CommandTable, page: Page): string {
  page.line(spec.summary);
  page.heading("Usage");
  for (const usage of usageLines(spec)) page.line(`  queuectl ${usage}`);
  if (spec.description !== undefined) {
    page.line("");
    page.paragraph(spec.description);
  }
  if (spec.arguments !== undefined && spec.arguments.length > 0) {
    page.heading("Arguments");
    page.definitions(spec.arguments.map((argument) => [argument.name, argument.summary]), MAX_FLAG_COLUMNS);
  }
  for (const [section, flags] of flagSections(spec.flags ?? [])) {
    page.heading(section);
    page.flags(flags);
  }
  page.heading("Global options");
  page.flags(table.globalFlags);
  page.heading("Examples");
  spec.examples.forEach((example, i) => {
    if (i > 0) page.line("");
    page.line(page.paint("dim", `  # ${example.about}`));
    page.line(`  ${example.line}`);
  });
  page.heading("Exit codes");
  const codes = Object.entries({ ...USUAL_EXIT_CODES, ...spec.exitCodes });
  page.definitions(codes.map(([code, meaning]) => [code, meaning]), MAX_FLAG_COLUMNS);
  return page.text();
}

/** The usage lines without the program's name; made from the spec where it has none of its own. */
export function usageLines(spec: CommandSpec): readonly string[] {
  if (spec.usage !== undefined) return spec.usage;
  const words = (spec.arguments ?? []).map((argument) => {
    const name = argument.choices === undefined ? argument.name : argument.choices.join("|");
    const repeated = argument.variadic ? `${name}...` : name;
    return argument.required ? repeated : `[${repeated}]`;
  });
  return [[spec.name, ...spec.flags === undefined ? [] : ["[OPTIONS]"], ...words].join(" ")];
}

/** Flags under their headings, in the order of the table. */
export function flagSections(flags: readonly FlagSpec[]): Map<string, FlagSpec[]> {
  return Map.groupBy(flags, (flag) => flag.section ?? "Options");
}

/** `-q, --quiet`, `    --db PATH|URL`, `    --[no-]paused`. */
export function flagTerm(flag: FlagSpec): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const name = flag.negatable ? `[no-]${flag.name}` : flag.name;
  return `${short}--${name}${flag.type === "boolean" ? "" : ` ${flag.value ?? "VALUE"}`}`;
}

/** The sentence of a flag with what help adds: repeatable, default. */
export function flagSentence(flag: FlagSpec): string {
  const repeatable = flag.repeatable ? ["repeatable"] : [];
  const standard = flag.default === undefined ? [] : [`default: ${flag.default}`];
  const extra = [...repeatable, ...standard];
  return extra.length === 0 ? flag.summary : `${flag.summary} (${extra.join("; ")})`;
}

/** Lines being collected, with the few shapes that help is made of. */
class Page {
  readonly #lines: string[] = [];
  readonly #columns: number;
  readonly paint: ReturnType<typeof stylerFor>;

  constructor(options: HelpOptions) {
    this.#columns = Math.min(options.columns ?? 80, MAX_COLUMNS);
    this.paint = stylerFor(options.color ?? false);
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  paragraph(text: string): void {
    this.#lines.push(...wrap(text, this.#columns));
  }

  heading(text: string): void {
    this.#lines.push("", this.paint("heading", `${text}:`));
  }

  commands(entries: readonly (readonly [string, string])[]): void {
    this.definitions(entries, MAX_COMMAND_COLUMNS);
  }

  flags(flags: readonly FlagSpec[]): void {
    this.definitions(flags.map((flag) => [flagTerm(flag), flagSentence(flag)]), MAX_FLAG_COLUMNS);
  }

  definitions(entries: readonly (readonly [string, string])[], maxTerm: number): void {
    this.#lines.push(...definitions(entries, { columns: this.#columns, indent: 2, maxTerm }));
  }

  text(): string {
    return this.#lines.join("\n") + "\n";
  }
}
