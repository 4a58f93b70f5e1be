/**
 * Command table -> completion script for zsh, with the summaries beside what
 * is offered. Works from a folder of `$fpath` and by `eval`.
 * @module
 */
import type { CommandTable, FlagSpec } from "../command.ts";
import engine from "./engine.zsh" with { type: "text" };
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

export function zshCompletion(table: CommandTable): string {
  const commands = visibleCommands(table);
  return `#compdef queuectl
# zsh completion for queuectl. ${GENERATED_NOTE}

${engine.trim()}

# REPLY: the command that these words mean, or nothing.
_queuectl_command_of() {
  REPLY=
  case $1 in
${cases(spellings(table).map(([typed, name]) => [singleQuoted(typed), `REPLY=${singleQuoted(name)}`]))}
  esac
}

# reply: the words that may come next, with their summaries.
_queuectl_next_words() {
  reply=()
  case $1 in
${
    cases([...nextWords(table)].map(([level, choices]) => [
      singleQuoted(level),
      `reply=(\n${choices.map((choice) => described(choice.word, choice.summary)).join("\n")}\n    )`,
    ]))
  }
  esac
}

# Flags that take the next word as their value.
_queuectl_takes_value() {
  [[ $1 == (${valueFlagSpellings(table).join("|")}) ]]
}

# reply: the flags of a command, with their summaries.
_queuectl_flags() {
  reply=()
  case $1 in
${
    cases(
      commands.filter((command) => command.flags !== undefined).map((command) => [
        singleQuoted(command.name),
        `reply=(\n${flagLines(command.flags ?? [])}\n    )`,
      ]),
    )
  }
  esac
  reply+=(
${flagLines(table.globalFlags)}
  )
}

# Flags that may be given again.
_queuectl_is_repeatable() {
  [[ $1 == (${repeatable(table)}) ]]
}

# Offers the values of a flag: COMMAND FLAG.
_queuectl_flag_values() {
  case "$1 $2" in
${
    cases([
      ...commands.flatMap((command) =>
        (command.flags ?? []).flatMap((flag) => flagCase(flag, (name) => singleQuoted(`${command.name} ${name}`)))
      ),
      ...table.globalFlags.flatMap((flag) => flagCase(flag, (name) => `*${singleQuoted(` ${name}`)}`)),
    ])
  }
    *) _message 'value' ;;
  esac
}

# Offers the values of an argument: COMMAND and how many stand before it.
_queuectl_argument_values() {
  case "$1 $2" in
${
    cases(commands.flatMap((command) =>
      (command.arguments ?? []).map((argument, i): [string, string] => {
        const offer = offerFrom(valueSource(argument)) ?? `_message ${singleQuoted(argument.summary)}`;
        const pattern = argument.variadic
          ? `${singleQuoted(`${command.name} `)}*`
          : singleQuoted(`${command.name} ${i}`);
        return [pattern, offer];
      })
    ))
  }
    *) return 1 ;;
  esac
}

# Commands that take a program behind "--".
_queuectl_takes_program() {
  [[ $1 == (${programTakers(table)}) ]]
}

# Called by compsys when this file lies in $fpath; else loaded by eval.
if [[ $funcstack[1] == _queuectl ]]; then
  _queuectl "$@"
else
  compdef _queuectl queuectl
fi
`;
}

function cases(entries: readonly (readonly [pattern: string, body: string])[]): string {
  return entries.map(([pattern, body]) => `    ${pattern}) ${body} ;;`).join("\n");
}

/** `_describe` splits at the first colon that has no backslash. */
function described(word: string, summary: string): string {
  return `      ${singleQuoted(`${word.replaceAll(":", "\\:")}:${summary}`)}`;
}

function flagLines(flags: readonly FlagSpec[]): string {
  return typedFlags(flags).flatMap(({ spec, long, short }) =>
    [...long, ...short === undefined ? [] : [short]].map((typed) => described(typed, spec.summary))
  ).join("\n");
}

function flagCase(flag: FlagSpec, patternOf: (name: string) => string): [string, string][] {
  if (flag.type === "boolean") return [];
  const offer = offerFrom(valueSource(flag), isCommaList(flag)) ??
    `_message ${singleQuoted(`${flag.value ?? "value"}: ${flag.summary}`)}`;
  const names = [`--${flag.name}`, ...(flag.aliases ?? []).map((alias) => `--${alias}`)];
  const spelled = flag.short === undefined ? names : [...names, `-${flag.short}`];
  return [[spelled.map(patternOf).join(" | "), offer]];
}

function offerFrom(source: ValueSource, isList = false): string | undefined {
  const list = isList ? "list" : "one";
  switch (source.from) {
    case "nothing":
      return undefined;
    case "choices":
      return `_queuectl_offer_choices ${list} ${source.choices.map(singleQuoted).join(" ")}`;
    case "files":
      return "_files";
    case "directories":
      return "_files -/";
    case "programs":
      return "_command_names -e";
    case "topics":
      return `_queuectl_offer_words command "$arguments"`;
    case "store":
      return `_queuectl_offer_stored ${list} ${source.kind}`;
  }
}

function repeatable(table: CommandTable): string {
  const flags = visibleCommands(table).flatMap((command) => command.flags ?? []).filter((flag) => flag.repeatable);
  return [...new Set(flags.map((flag) => `--${flag.name}`))].join("|");
}

function programTakers(table: CommandTable): string {
  return visibleCommands(table).filter((command) => command.takesArgv).map((command) => singleQuoted(command.name))
    .join("|");
}
