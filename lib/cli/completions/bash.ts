/**
 * Command table -> completion script for bash (3.2 and later; the package
 * bash-completion is used where it is there, and not needed).
 * @module
 */
import type { CommandTable, FlagSpec } from "../command.ts";
import engine from "./engine.bash" with { type: "text" };
import {
  GENERATED_NOTE,
  isCommaList,
  nextWords,
  singleQuoted,
  spellings,
  typedFlags,
  valueFlagSpellings,
  type ValueSource,
  valueSource,
  visibleCommands,
} from "./model.ts";

export function bashCompletion(table: CommandTable): string {
  return `# bash completion for queuectl. ${GENERATED_NOTE}

${engine.trim()}

# The command that these words mean, or nothing.
__queuectl_command_of() {
  case $1 in
${cases(spellings(table).map(([typed, name]) => [singleQuoted(typed), `echo ${singleQuoted(name)}`]))}
  esac
}

# The words that may come next.
__queuectl_next_words() {
  case $1 in
${
    cases([...nextWords(table)].map(([level, choices]) => [
      singleQuoted(level),
      `echo ${singleQuoted(choices.map((choice) => choice.word).join(" "))}`,
    ]))
  }
  esac
}

# Flags that take the next word as their value.
__queuectl_takes_value() {
  case $1 in
    ${valueFlagSpellings(table).join(" | ")}) return 0 ;;
  esac
  return 1
}

# The flags of a command.
__queuectl_flags() {
  echo ${singleQuoted(longNames(table.globalFlags))}
  case $1 in
${
    cases(
      visibleCommands(table).filter((command) => command.flags !== undefined).map((command) => [
        singleQuoted(command.name),
        `echo ${singleQuoted(longNames(command.flags ?? []))}`,
      ]),
    )
  }
  esac
}

# Flags that may be given again.
__queuectl_is_repeatable() {
  case $1 in
    ${repeatable(table)}) return 0 ;;
  esac
  return 1
}

# Offers the values of a flag: COMMAND FLAG.
__queuectl_flag_values() {
  case "$1 $2" in
${
    cases([
      ...visibleCommands(table).flatMap((command) =>
        (command.flags ?? []).flatMap((flag) => flagCase(flag, (name) => singleQuoted(`${command.name} ${name}`)))
      ),
      ...table.globalFlags.flatMap((flag) => flagCase(flag, (name) => `*${singleQuoted(` ${name}`)}`)),
    ])
  }
  esac
}

# Offers the values of an argument: COMMAND and how many stand before it.
__queuectl_argument_values() {
  case "$1 $2" in
${
    cases(
      visibleCommands(table).flatMap((command) =>
        (command.arguments ?? []).flatMap((argument, i): [string, string][] => {
          const offer = offerFrom(valueSource(argument));
          const pattern = argument.variadic
            ? `${singleQuoted(`${command.name} `)}*`
            : singleQuoted(`${command.name} ${i}`);
          return offer === undefined ? [] : [[pattern, offer]];
        })
      ),
    )
  }
  esac
}

# Commands that take a program behind "--".
__queuectl_takes_program() {
  case $1 in
    ${programTakers(table)}) return 0 ;;
  esac
  return 1
}

complete -F _queuectl queuectl
`;
}

function cases(entries: readonly (readonly [pattern: string, body: string])[]): string {
  return entries.map(([pattern, body]) => `    ${pattern}) ${body} ;;`).join("\n");
}

function longNames(flags: readonly FlagSpec[]): string {
  return typedFlags(flags).flatMap((flag) => flag.long).join(" ");
}

function flagCase(flag: FlagSpec, patternOf: (name: string) => string): [string, string][] {
  const offer = flag.type === "boolean" ? undefined : offerFrom(valueSource(flag), isCommaList(flag));
  if (offer === undefined) return [];
  const names = [`--${flag.name}`, ...(flag.aliases ?? []).map((alias) => `--${alias}`)];
  const spelled = flag.short === undefined ? names : [...names, `-${flag.short}`];
  return [[spelled.map(patternOf).join(" | "), offer]];
}

function offerFrom(source: ValueSource, isList = false): string | undefined {
  const list = isList ? " list" : "";
  switch (source.from) {
    case "nothing":
      return undefined;
    case "choices":
      return `__queuectl_offer_words ${singleQuoted(source.choices.join(" "))}${list}`;
    case "files":
      return "__queuectl_offer_files -f";
    case "directories":
      return "__queuectl_offer_files -d";
    case "programs":
      return "__queuectl_offer_files -c";
    case "topics":
      return `__queuectl_offer_words "$(__queuectl_next_words "$typed")"`;
    case "store":
      return `__queuectl_offer_stored ${source.kind}${list}`;
  }
}

function repeatable(table: CommandTable): string {
  const flags = visibleCommands(table).flatMap((command) => command.flags ?? []).filter((flag) => flag.repeatable);
  return [...new Set(flags.map((flag) => `--${flag.name}`))].join(" | ") || "''";
}

function programTakers(table: CommandTable): string {
  const takers = visibleCommands(table).filter((command) => command.takesArgv);
  return takers.map((command) => singleQuoted(command.name)).join(" | ") || "''";
}
