/**
 * Reads the command line of a tool with `@std/cli/parse-args`, which by itself
 * takes every option it meets and lets a value be missing.
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";

/** For a mistake in the arguments: the message alone is enough. */
export class ArgumentsError extends Error {}

export interface Declared<Switch extends string, Value extends string> {
  /** Options without a value. */
  readonly switches?: readonly Switch[];
  /** Options with a value. */
  readonly values?: readonly Value[];
  /** What the words without an option are, such as "PATH". Without it there may be none. */
  readonly words?: string;
}

export interface Arguments<Switch extends string, Value extends string> {
  readonly switches: Readonly<Record<Switch, boolean>>;
  readonly values: Readonly<Partial<Record<Value, string>>>;
  readonly words: readonly string[];
}

/** @throws {ArgumentsError} for an option that is not declared, lacks its value, or for words where none may be. */
export function readArguments<Switch extends string = never, Value extends string = never>(
  args: readonly string[],
  declared: Declared<Switch, Value>,
): Arguments<Switch, Value> {
  const { switches = [], values = [], words } = declared;
  const parsed = parseArgs(args, {
    boolean: switches,
    string: [...values, "_"],
    unknown(arg, key) {
      if (key !== undefined) throw new ArgumentsError(`unknown option ${arg}`);
      if (words === undefined) throw new ArgumentsError(`unexpected argument "${arg}"`);
    },
  });
  const given: Partial<Record<Value, string>> = {};
  for (const name of values) {
    const value = parsed[name];
    // Present without a value, it is the empty text.
    if (value === "") throw new ArgumentsError(`--${name} takes a value`);
    if (typeof value === "string") given[name] = value;
  }
  return {
    switches: Object.fromEntries(switches.map((name) => [name, parsed[name] === true])) as Record<Switch, boolean>,
    values: given,
    words: parsed._.map(String),
  };
}
