/**
 * argv + command table -> which command is meant, and its `Input`.
 *
 * In two steps: find the command among the words (global options, and even
 * the command's own, may stand before it), then read everything else against
 * its spec. `--help` becomes the `help` command and `--version` the `version`
 * command. Nothing here looks at the world; that comes with the Context.
 *
 * This is on the path of every start, so it imports almost nothing. The texts
 * of refusals, and units of durations, are loaded when they are needed.
 * @module
 */
import type { CommandSpec, CommandTable, FlagSpec, FlagValue, Input } from "./command.ts";

/**
 * Reads a whole command line.
 * @throws {UsageError} when it makes no sense; the hint names the nearest thing that would.
 */
export async function parse(argv: readonly string[], table: CommandTable): Promise<Input> {
  const found = findCommand(argv, table);
  if (found.spec === undefined && found.stranger !== undefined) {
    throw (await import("./usage_errors.ts")).unknownCommand(found.name, found.stranger, table);
  }
  const flagSpecs = [...found.spec?.flags ?? [], ...table.globalFlags];
  const typed = await readTyped(found, flagSpecs);
  if (typed.flags.get("help") === true) return redirect("help", found.name === "" ? [] : found.name.split(" "));
  if (typed.flags.get("version") === true) return redirect("version", []);
  if (found.spec === undefined) {
    if (found.name === "") return redirect("help", []);
    throw (await import("./usage_errors.ts")).missingSubcommand(found.name);
  }
  if (!found.spec.takesArgv && typed.argv !== undefined) {
    typed.words.push(...typed.argv);
    typed.argv = undefined;
  }
  await checkWords(found.spec, typed, found, table);
  return { spec: found.spec, words: typed.words, argv: typed.argv, flags: typed.flags };

  function redirect(name: string, words: readonly string[]): Input {
    const spec = table.commands.find((command) => command.name === name);
    if (spec === undefined) throw new Error(`The command table has no "${name}"`);
    return { spec, words, argv: undefined, flags: typed.flags };
  }
}

export interface FoundCommand {
  /** The words that named the command or the group, as typed: `worker run`, `config`, or none. */
  readonly name: string;
  /** Absent when the words only name a group, or when there were none. */
  readonly spec: CommandSpec | undefined;
  /** Without a spec: the word that is no command. */
  readonly stranger: string | undefined;
  /** argv without the words of the name. */
  readonly rest: readonly string[];
}

/** The longest command name that the first words spell, whatever options stand between them. */
export function findCommand(argv: readonly string[], table: CommandTable): FoundCommand {
  const nameAt: number[] = [];
  let name = "";
  let spec: CommandSpec | undefined;
  let stranger: string | undefined;
  let specs: readonly FlagSpec[] | undefined;
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] as string;
    if (token === "--") break;
    if (isFlag(token)) {
      specs ??= [...table.globalFlags, ...table.commands.flatMap((command) => command.flags ?? [])];
      if (takesNextToken(token, specs) && canBeValue(argv[i + 1])) i++;
      continue;
    }
    const longer = name === "" ? token : `${name} ${token}`;
    const exact = table.commands.find((command) => command.name === longer || command.aliases?.includes(longer));
    const isGroup = hasSubcommands(longer, table);
    if (exact === undefined && !isGroup) {
      stranger = token;
      break;
    }
    name = longer;
    spec = exact;
    nameAt.push(i);
    if (!isGroup) break;
  }
  return { name, spec, stranger, rest: argv.filter((_, i) => !nameAt.includes(i)) };
}

/** Whether `name` is the beginning of longer command names: `worker` of `worker run`. */
export function hasSubcommands(name: string, table: CommandTable): boolean {
  const beginning = `${name} `;
  return table.commands.some((command) =>
    command.name.startsWith(beginning) || command.aliases?.some((alias) => alias.startsWith(beginning))
  );
}

interface Typed {
  words: string[];
  argv: readonly string[] | undefined;
  flags: Map<string, FlagValue>;
}

async function readTyped(found: FoundCommand, specs: readonly FlagSpec[]): Promise<Typed> {
  const tokens = found.rest;
  const typed: Typed = { words: [], argv: undefined, flags: new Map() };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as string;
    if (token === "--") {
      typed.argv = tokens.slice(i + 1);
      break;
    }
    if (!isFlag(token)) {
      typed.words.push(token);
      continue;
    }
    for (const use of usesOf(token, specs)) {
      if (use.spec === undefined) {
        throw (await import("./usage_errors.ts")).unknownFlag(use.shown, { specs, found, words: typed.words });
      }
      let text = use.text;
      if (use.spec.type !== "boolean" && text === undefined) {
        text = tokens[i + 1];
        if (!canBeValue(text)) throw (await import("./usage_errors.ts")).missingValue(use.spec, found, text);
        i++;
      }
      await store(typed.flags, use, text);
    }
  }
  return typed;
}

/** One flag as it was typed; a cluster such as `-qv` holds several. */
interface FlagUse {
  readonly spec: FlagSpec | undefined;
  /** What stood behind `=` (or, for a short flag, behind the letter). */
  readonly text: string | undefined;
  readonly isNegated: boolean;
  /** As typed, for messages. */
  readonly shown: string;
}

function usesOf(token: string, specs: readonly FlagSpec[]): FlagUse[] {
  if (!token.startsWith("--")) return shortUsesOf(token, specs);
  const equals = token.indexOf("=");
  const shown = equals < 0 ? token : token.slice(0, equals);
  const text = equals < 0 ? undefined : token.slice(equals + 1);
  const spec = longFlag(shown.slice(2), specs);
  if (spec !== undefined) return [{ spec, text, isNegated: false, shown }];
  const negated = shown.startsWith("--no-") ? longFlag(shown.slice(5), specs) : undefined;
  return [{ spec: negated?.negatable ? negated : undefined, text, isNegated: true, shown }];
}

/** `-q`, `-qv`, `-n5`, `-n=5`: the first letter that takes a value takes the rest of the token. */
function shortUsesOf(token: string, specs: readonly FlagSpec[]): FlagUse[] {
  const uses: FlagUse[] = [];
  for (let i = 1; i < token.length; i++) {
    const letter = token[i] as string;
    const spec = specs.find((flag) => flag.short === letter);
    const shown = `-${letter}`;
    if (spec !== undefined && spec.type !== "boolean") {
      const rest = token.slice(i + 1);
      const text = rest === "" ? undefined : rest.startsWith("=") ? rest.slice(1) : rest;
      uses.push({ spec, text, isNegated: false, shown });
      break;
    }
    uses.push({ spec, text: undefined, isNegated: false, shown });
    if (spec === undefined) break;
  }
  return uses;
}

function longFlag(name: string, specs: readonly FlagSpec[]): FlagSpec | undefined {
  return specs.find((flag) => flag.name === name || flag.aliases?.includes(name));
}

/** Keeps the value of one use. Given twice, the last one counts, unless the flag collects them. */
async function store(flags: Map<string, FlagValue>, use: FlagUse, text: string | undefined): Promise<void> {
  const spec = use.spec as FlagSpec;
  const value = spec.type === "boolean" ? await readBoolean(use, text) : await readText(spec, text as string);
  if (spec.repeatable) {
    const earlier = flags.get(spec.name);
    flags.set(spec.name, [...Array.isArray(earlier) ? earlier : [], String(value)]);
  } else {
    flags.set(spec.name, value);
  }
  // `--json` is short for `--format json`; whichever comes last decides.
  if (spec.name === "json" && value === true) flags.set("format", "json");
  if (spec.name === "format") flags.set("json", value === "json");
}

async function readBoolean(use: FlagUse, text: string | undefined): Promise<boolean> {
  if (text === undefined || text === "true") return !use.isNegated;
  if (text === "false") return use.isNegated;
  throw (await import("./usage_errors.ts")).valueForBoolean(use.shown, text);
}

async function readText(spec: FlagSpec, text: string): Promise<string | number> {
  switch (spec.type) {
    case "integer": {
      const number = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
      if (Number.isSafeInteger(number)) return number;
      throw (await import("./usage_errors.ts")).invalidValue(`--${spec.name}`, text, "expected a whole number");
    }
    case "duration":
      return (await import("../core/duration.ts")).parseDuration(text, `--${spec.name}`);
    case "choice":
      if (spec.choices?.includes(text)) return text;
      throw (await import("./usage_errors.ts")).notAChoice(`--${spec.name}`, text, spec.choices ?? []);
    default:
      return text;
  }
}

async function checkWords(spec: CommandSpec, typed: Typed, found: FoundCommand, table: CommandTable): Promise<void> {
  const wanted = spec.arguments ?? [];
  const takesAll = wanted.at(-1)?.variadic === true;
  const tooMany = !takesAll && typed.words.length > wanted.length;
  const missing = wanted.find((argument, i) => argument.required && i >= typed.words.length);
  const notAChoice = wanted.find((argument, i) => {
    const word = typed.words[i];
    return word !== undefined && argument.choices !== undefined && !argument.choices.includes(word);
  });
  if (!tooMany && missing === undefined && notAChoice === undefined && typed.argv?.length !== 0) return;
  const errors = await import("./usage_errors.ts");
  if (tooMany) throw errors.tooManyWords(spec, typed.words, found, table);
  if (missing !== undefined) throw errors.missingArgument(spec, missing);
  if (notAChoice !== undefined) {
    throw errors.notAChoice(notAChoice.name, typed.words[wanted.indexOf(notAChoice)] ?? "", notAChoice.choices ?? []);
  }
  throw errors.emptyArgv(spec);
}

/** `-` alone is a word (standard input), and so is a negative number. */
export function isFlag(token: string): boolean {
  return token.length > 1 && token.startsWith("-") && !/^-[\d.]/.test(token);
}

/** A flag that needs a value takes the next token, also `-5`, but never another long flag. */
function canBeValue(token: string | undefined): boolean {
  return token !== undefined && !token.startsWith("--");
}

/**
 * Before the command is known: a flag takes a value in every command or in none, so any spec of that name will do.
 * undefined when none has it.
 */
export function takesNextToken(token: string, specs: readonly FlagSpec[]): boolean | undefined {
  const last = usesOf(token, specs).at(-1);
  return last?.spec && last.spec.type !== "boolean" && last.text === undefined;
}
