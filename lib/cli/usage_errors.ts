/**
 * What is said when a command line makes no sense: one sentence, and as hint
 * the nearest command line that would. Loaded only when that happens.
 * @module
 */
import { InvalidValueError, quoted, UsageError } from "../core/errors.ts";
import { nearestName } from "../core/nearest_name.ts";
import type { ArgumentSpec, CommandSpec, CommandTable, FlagSpec } from "./command.ts";
import type { FoundCommand } from "./parse.ts";
import { shellQuote } from "./shell_quote.ts";

/** A group was named without one of its commands; `run.ts` shows the group's help. */
export class MissingSubcommandError extends UsageError {
  constructor(readonly group: string) {
    super(`Missing subcommand after ${quoted(group)}`, { hint: `queuectl ${group} --help` });
  }
}

export function missingSubcommand(group: string): UsageError {
  return new MissingSubcommandError(group);
}

export function unknownCommand(group: string, word: string, table: CommandTable): UsageError {
  const beginning = group === "" ? "" : `${group} `;
  const names = table.commands.filter((command) => !command.hidden).flatMap(
    (command) => [command.name, ...command.aliases ?? []],
  );
  const nextWords = names.filter((name) => name.startsWith(beginning))
    .map((name) => name.slice(beginning.length).split(" ")[0] ?? "");
  const nearest = nearestName(word, new Set(nextWords));
  const hint = `queuectl ${beginning}${nearest ?? "--help"}`;
  return new UsageError(`Unknown command ${quoted(beginning + word)}`, { hint });
}

export interface FlagPlace {
  readonly specs: readonly FlagSpec[];
  readonly found: FoundCommand;
  /** The words read before the flag. */
  readonly words: readonly string[];
}

export function unknownFlag(shown: string, { specs, found, words }: FlagPlace): UsageError {
  const owner = found.name === "" ? "" : ` for ${quoted(found.name)}`;
  const message = `Unknown option ${quoted(shown)}${owner}`;
  const names = specs.flatMap((flag) => [flag.name, ...flag.negatable ? [`no-${flag.name}`] : []]);
  const nearest = shown.startsWith("--") ? nearestName(shown.slice(2), names) : undefined;
  if (nearest !== undefined) return new UsageError(message, { hint: `${programWith(found)} --${nearest}` });
  // `enqueue ls -la`: the flag was meant for the program.
  const program = words.length > 0 ? programForm(found, specs) : undefined;
  return new UsageError(message, { hint: program ?? `${programWith(found)} --help` });
}

function programWith(found: FoundCommand): string {
  return `queuectl ${found.name}`.trimEnd();
}

export function missingValue(spec: FlagSpec, found: FoundCommand, next: string | undefined): UsageError {
  const shown = `--${spec.name}`;
  const start = programWith(found);
  const hint = next === undefined || next === "--"
    ? `${start} ${shown} ${spec.choices?.[0] ?? spec.value ?? "VALUE"}`
    : `${start} ${shown}=${shellQuote(next)}`;
  return new UsageError(`Missing value for ${quoted(shown)}`, { hint });
}

export function valueForBoolean(shown: string, text: string): UsageError {
  return new UsageError(`Option ${quoted(shown)} takes no value, got ${quoted(text)}`);
}

export function invalidValue(field: string, text: string, expected: string): UsageError {
  return new InvalidValueError(field, text, expected);
}

export function notAChoice(field: string, text: string, choices: readonly string[]): UsageError {
  const nearest = nearestName(text, choices);
  const hint = nearest === undefined ? undefined : field.startsWith("--") ? `${field} ${nearest}` : nearest;
  return new InvalidValueError(field, text, `expected ${choices.join(", ")}`, { hint });
}

export function tooManyWords(
  spec: CommandSpec,
  words: readonly string[],
  found: FoundCommand,
  table: CommandTable,
): UsageError {
  const wanted = spec.arguments?.length ?? 0;
  const extra = words[wanted] ?? "";
  // `config nonsense`: the group's own name is a command, so the word was meant as a subcommand.
  const isSubcommand = wanted === 0 && table.commands.some((command) => command.name.startsWith(`${found.name} `));
  if (isSubcommand) return unknownCommand(found.name, extra, table);
  const program = programForm(found, [...spec.flags ?? [], ...table.globalFlags]);
  if (program !== undefined) {
    const count = words.length - namedArguments(spec);
    return new UsageError(`Cannot tell the command from ${count} word${count === 1 ? "" : "s"}`, { hint: program });
  }
  // A part of a value, which may be secret: it is not repeated.
  if (found.name === "config set") {
    return new UsageError(`Too many words for ${quoted(found.name)}: a value with blanks needs quotes`, {
      hint: `queuectl ${found.name} --help`,
    });
  }
  const message = `Unexpected argument ${quoted(extra)} for ${quoted(found.name)}`;
  return new UsageError(message, { hint: `queuectl ${found.name} --help` });
}

/** How many words come before the command, such as the ID of `edit`. */
function namedArguments(spec: CommandSpec): number {
  return spec.arguments?.filter((argument) => argument.required).length ?? 0;
}

/**
 * The same command line with the program behind `--`. What comes before the
 * command and long options that this command knows move to the front;
 * everything else stays with the program.
 */
function programForm(found: FoundCommand, specs: readonly FlagSpec[]): string | undefined {
  if (!found.spec?.takesArgv) return undefined;
  const options: string[] = [];
  const program: string[] = [];
  const tokens = [...found.rest];
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    const name = token.startsWith("--") ? token.slice(2).split("=")[0] : undefined;
    const flag = specs.find((spec) => spec.name === name || (name !== undefined && spec.aliases?.includes(name)));
    if (token === "--") continue;
    if (flag === undefined) {
      program.push(token);
      continue;
    }
    options.push(token);
    const value = flag.type !== "boolean" && !token.includes("=") ? tokens.shift() : undefined;
    if (value !== undefined) options.push(value);
  }
  const named = program.splice(0, namedArguments(found.spec));
  // One word is a line for the shell: as a program it would have to have that name.
  const command = program.length === 1 ? ["--command", ...program] : ["--", ...program];
  return ["queuectl", found.name, ...[...named, ...options, ...command].map(shellQuote)].join(" ");
}

export function missingArgument(spec: CommandSpec, argument: ArgumentSpec): UsageError {
  return new UsageError(`Missing ${argument.name} for ${quoted(spec.name)}`, {
    hint: spec.examples[0]?.line ?? `queuectl ${spec.name} --help`,
  });
}

export function emptyArgv(spec: CommandSpec): UsageError {
  return new UsageError(`Nothing follows "--" for ${quoted(spec.name)}`, {
    hint: `queuectl ${spec.name} -- PROGRAM ARGUMENT...`,
  });
}
