/**
 * Typed reading of an `Input`. Asking for a flag by another type than its spec
 * says is a programming error and throws.
 * @module
 */
import { InvalidValueError } from "../core/errors.ts";
import type { FlagType, FlagValue, Input } from "./command.ts";

/** The text of a `text` or `choice` flag; undefined when it was not given. */
export function text(input: Input, flag: string): string | undefined {
  const value = valueOf(input, flag, ["text", "choice"]);
  return typeof value === "string" ? value : undefined;
}

/** Whether a boolean flag was given (and not as `--no-...`). */
export function isOn(input: Input, flag: string): boolean {
  return valueOf(input, flag, ["boolean"]) === true;
}

/** As `isOn`, but tells "not given" (undefined) from "given as no" (false). */
export function isOnOrOff(input: Input, flag: string): boolean | undefined {
  const value = valueOf(input, flag, ["boolean"]);
  return typeof value === "boolean" ? value : undefined;
}

export function integer(input: Input, flag: string): number | undefined {
  const value = valueOf(input, flag, ["integer"]);
  return typeof value === "number" ? value : undefined;
}

export function durationMs(input: Input, flag: string): number | undefined {
  const value = valueOf(input, flag, ["duration"]);
  return typeof value === "number" ? value : undefined;
}

/** All values of a repeatable flag, as typed; empty when it was not given. */
export function list(input: Input, flag: string): readonly string[] {
  const value = valueOf(input, flag, ["text", "choice"]);
  if (typeof value === "string") return [value];
  return isList(value) ? value : [];
}

/**
 * As `list`, and each value may hold several: `--state dead,failed --state pending`.
 * @throws {InvalidValueError} for a value without any: `--queue "$QUEUE"` of a variable that is not set must not mean all.
 */
export function commaList(input: Input, flag: string): readonly string[] {
  return list(input, flag).flatMap((value) => {
    const items = value.split(",").map((item) => item.trim()).filter((item) => item !== "");
    if (items.length === 0) throw new InvalidValueError(`--${flag}`, value, "expected a value");
    return items;
  });
}

/** The n-th positional word; undefined when there are fewer. */
export function word(input: Input, index: number): string | undefined {
  return input.words[index];
}

/** The n-th positional word, for arguments that the spec requires. */
export function requiredWord(input: Input, index: number): string {
  const found = input.words[index];
  if (found === undefined) throw new Error(`Command "${input.spec.name}" does not require argument ${index + 1}`);
  return found;
}

function isList(value: FlagValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

function valueOf(input: Input, flag: string, types: readonly FlagType[]): FlagValue | undefined {
  const value = input.flags.get(flag);
  const spec = input.spec.flags?.find((candidate) => candidate.name === flag);
  if (spec !== undefined && !types.includes(spec.type)) {
    throw new Error(`Flag --${flag} of "${input.spec.name}" is of type ${spec.type}, not ${types.join(" or ")}`);
  }
  return value;
}
