/**
 * What the three completion scripts have in common: the command table, turned
 * to the questions that a completion asks.
 *
 * All three work alike. They walk over the words before the cursor to learn
 * the command, count its arguments, and then offer subcommands, flags or
 * values. Values that only the store knows come from `queuectl __complete`.
 * @module
 */
import type { ArgumentSpec, CommandSpec, CommandTable, FlagSpec } from "../command.ts";
import { knownValues } from "./known_values.ts";

/** First line of each script, behind its comment sign. */
export const GENERATED_NOTE = "Made from the command table by `deno task generate`; do not edit.";

/** Where the values of a flag or an argument come from. */
export type ValueSource =
  | { readonly from: "nothing" }
  | { readonly from: "choices"; readonly choices: readonly string[] }
  | { readonly from: "files" | "directories" | "programs" | "topics" }
  | { readonly from: "store"; readonly kind: string };

export function valueSource(spec: FlagSpec | ArgumentSpec): ValueSource {
  if (spec.choices !== undefined) return { from: "choices", choices: spec.choices };
  switch (spec.completes) {
    case undefined:
      return { from: "nothing" };
    case "file":
      return { from: "files" };
    case "directory":
      return { from: "directories" };
    case "command":
      return { from: "programs" };
    case "topic":
      return { from: "topics" };
    default: {
      const choices = knownValues(spec.completes);
      return choices === undefined ? { from: "store", kind: spec.completes } : { from: "choices", choices };
    }
  }
}

/** Whether one value may hold several, with commas between them: `--state dead,failed`. */
export function isCommaList(spec: FlagSpec): boolean {
  return spec.value?.endsWith(",..") === true || spec.completes === "failure";
}

export function visibleCommands(table: CommandTable): readonly CommandSpec[] {
  return table.commands.filter((command) => !command.hidden);
}

/** What may be typed for each command, and the command's name: `job show` -> `show`. */
export function spellings(table: CommandTable): readonly (readonly [string, string])[] {
  return visibleCommands(table).flatMap((command) =>
    [command.name, ...command.aliases ?? []].map((spelling) => [spelling, command.name] as const)
  );
}

export interface Choice {
  readonly word: string;
  readonly summary: string;
}

/** The next words after each beginning of a command name; the top level is under "". */
export function nextWords(table: CommandTable): ReadonlyMap<string, readonly Choice[]> {
  const levels = new Map<string, Choice[]>([["", []]]);
  for (const command of visibleCommands(table)) {
    for (const name of [command.name, ...command.aliases ?? []]) {
      const words = name.split(" ");
      for (let depth = 0; depth < words.length; depth++) {
        const level = words.slice(0, depth).join(" ");
        const word = words[depth] ?? "";
        // Aliases work, but their first word is not offered: one way to say a thing is enough to show.
        if (depth === 0 && name !== command.name) continue;
        const choices = levels.get(level) ?? [];
        levels.set(level, choices);
        const isWhole = depth === words.length - 1;
        if (choices.some((choice) => choice.word === word)) continue;
        choices.push({ word, summary: isWhole ? command.summary : groupSummary(`${level} ${word}`.trim(), table) });
      }
    }
  }
  return levels;
}

/** A group has no sentence of its own; its commands say what it is about. */
function groupSummary(group: string, table: CommandTable): string {
  const below = visibleCommands(table).filter((command) => command.name.startsWith(`${group} `));
  return below.map((command) => command.name.slice(group.length + 1)).join(", ");
}

/** A flag as the scripts need it: every way to type it, `--no-` form included. */
export interface TypedFlag {
  readonly spec: FlagSpec;
  readonly long: readonly string[];
  readonly short: string | undefined;
}

export function typedFlags(flags: readonly FlagSpec[]): readonly TypedFlag[] {
  return flags.map((spec) => ({
    spec,
    long: [`--${spec.name}`, ...spec.negatable ? [`--no-${spec.name}`] : []],
    short: spec.short === undefined ? undefined : `-${spec.short}`,
  }));
}

/** Every spelling of every flag that takes the next word as its value; the same in all commands. */
export function valueFlagSpellings(table: CommandTable): readonly string[] {
  const flags = [...table.globalFlags, ...visibleCommands(table).flatMap((command) => command.flags ?? [])];
  const spelled = flags.filter((flag) => flag.type !== "boolean").flatMap((flag) => [
    `--${flag.name}`,
    ...(flag.aliases ?? []).map((alias) => `--${alias}`),
    ...flag.short === undefined ? [] : [`-${flag.short}`],
  ]);
  return [...new Set(spelled)];
}

/** Quotes for the body of a POSIX single-quoted word. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
