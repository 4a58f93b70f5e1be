/**
 * Command table -> completion script for fish (3.4 and later).
 * @module
 */
import type { CommandTable, FlagSpec } from "../command.ts";
import engine from "./engine.fish" with { type: "text" };
import {
  GENERATED_NOTE,
  isCommaList,
  nextWords,
  spellings,
  valueFlagSpellings,
  type ValueSource,
  valueSource,
  visibleCommands,
} from "./model.ts";

export function fishCompletion(table: CommandTable): string {
  const commands = visibleCommands(table);
  return `# fish completion for queuectl. ${GENERATED_NOTE}

${engine.trim()}

# The command that these words mean, or nothing.
function __queuectl_command_of
    switch "$argv"
${spellings(table).map(([typed, name]) => `        case ${quote(typed)}\n            echo ${quote(name)}`).join("\n")}
    end
end

# Whether a command's name begins with these words.
function __queuectl_is_known
    contains -- "$argv" ${knownBeginnings(table).map(quote).join(" ")}
end

# Flags that take the next word as their value.
function __queuectl_takes_value
    contains -- "$argv" ${valueFlagSpellings(table).join(" ")}
end

# Commands that take a program behind "--".
function __queuectl_takes_program
    contains -- "$argv" ${
    commands.filter((command) => command.takesArgv).map((command) => quote(command.name)).join(" ")
  }
end

# The words that may come next.
function __queuectl_next_words
    switch "$argv"
${
    [...nextWords(table)].map(([level, choices]) =>
      `        case ${quote(level)}\n            printf '%s\\t%s\\n' ${
        choices.map((choice) => `${quote(choice.word)} ${quote(choice.summary)}`).join(" ")
      }`
    ).join("\n")
  }
    end
end

# Files only where they are asked for.
complete -c queuectl -f
complete -c queuectl -n __queuectl_program_follows -a '(__queuectl_program)'

# Commands
${
    [...nextWords(table).keys()].map((level) =>
      `complete -c queuectl -n ${quote(`__queuectl_at ${quote(level)}`)} -a ${
        quote(`(__queuectl_next_words ${quote(level)})`)
      }`
    ).join("\n")
  }

# Global options
${table.globalFlags.map((flag) => flagLine(flag, "__queuectl_before_dashes")).join("\n")}
${
    commands.map((command) => {
      const condition = `__queuectl_in ${quote(command.name)}`;
      const flags = (command.flags ?? []).map((flag) => flagLine(flag, condition));
      const words = (command.arguments ?? []).flatMap((argument, i) => {
        const offer = offerFrom(valueSource(argument), false);
        const place = quote(`__queuectl_argument ${quote(command.name)} ${argument.variadic ? "any" : i}`);
        return offer === "" ? [] : [`complete -c queuectl -n ${place} ${offer}`];
      });
      const lines = [...words, ...flags];
      return lines.length === 0 ? "" : `\n# ${command.name}\n${lines.join("\n")}\n`;
    }).join("").trimEnd()
  }
`;
}

function knownBeginnings(table: CommandTable): readonly string[] {
  const beginnings = spellings(table).flatMap(([typed]) => {
    const words = typed.split(" ");
    return words.map((_, i) => words.slice(0, i + 1).join(" "));
  });
  return [...new Set(beginnings)];
}

function flagLine(flag: FlagSpec, condition: string): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  const source = valueSource(flag);
  const takes = source.from === "files" ? "-r" : "-x";
  const offer = flag.type === "boolean" ? "" : ` ${takes} ${offerFrom(source, isCommaList(flag))}`.trimEnd();
  const line = (name: string) =>
    `complete -c queuectl -n ${quote(condition)} -l ${name}${short}${offer} -d ${quote(flag.summary)}`;
  return flag.negatable ? `${line(flag.name)}\n${line(`no-${flag.name}`)}` : line(flag.name);
}

function offerFrom(source: ValueSource, isList: boolean): string {
  const list = isList ? " | __queuectl_list" : "";
  switch (source.from) {
    case "nothing":
      return "";
    case "choices":
      // The tab says that a value has no description: else fish shows the one of the option beside each.
      return `-k -a ${quote(`(printf '%s\\t\\n' ${source.choices.join(" ")}${list})`)}`;
    case "files":
      return "-F";
    case "directories":
      return `-a '(__fish_complete_directories (commandline -ct))'`;
    case "programs":
      return "-a '(__queuectl_programs)'";
    case "topics":
      return `-a '(__queuectl_next_words "$__queuectl_arguments")'`;
    case "store":
      return `-k -a ${quote(`(__queuectl_stored ${source.kind}${list})`)}`;
  }
}

/** In fish, a backslash protects only itself and the quote inside single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
