/**
 * Flags, exit codes and other entries of the tables as terms of a manual page.
 * @module
 */
import type { FlagSpec } from "../command.ts";
import { flagSentence } from "../help.ts";
import type { Entry } from "../table/surroundings.ts";
import type { Term } from "./document.ts";

export function flagTermOf(flag: FlagSpec): Term {
  const long = flag.negatable ? [`--${flag.name}`, `--no-${flag.name}`] : [`--${flag.name}`];
  return {
    names: [...flag.short === undefined ? [] : [`-${flag.short}`], ...long],
    ...flag.type === "boolean" ? {} : { value: flag.value ?? "VALUE" },
    text: `${flagSentence(flag)}${choicesNote(flag)}`,
  };
}

/** The values of a choice, where its sentence does not name them. */
function choicesNote({ choices = [], summary }: FlagSpec): string {
  return choices.every((choice) => summary.includes(choice)) ? "" : `: one of ${choices.join(", ")}`;
}

export function exitCodeTerms(codes: Readonly<Record<number, string>>): readonly Term[] {
  return entryTerms(Object.entries(codes));
}

export function entryTerms(entries: readonly Entry[]): readonly Term[] {
  return entries.map(([name, text]) => ({ names: [name], text }));
}
