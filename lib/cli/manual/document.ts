/**
 * The shapes that a manual page is made of. `roff.ts`, `plain.ts` and
 * `markdown.ts` each turn the same page into text, so that `man`, a terminal
 * without man and the reference in docs/ say the same.
 *
 * In texts, words between backquotes are typed as they stand, and
 * `queuectl-run(1)` refers to another page.
 * @module
 */
import type { ExampleSpec } from "../command.ts";

export interface ManualPage {
  /** `queuectl-worker`; all pages are in section 1. */
  readonly name: string;
  /** Other names under which people look for it: `queuectl-wait`. */
  readonly otherNames: readonly string[];
  /** Behind the name in the NAME line: lower case, without a period. */
  readonly summary: string;
  /** Usage lines without the program's name. */
  readonly synopsis: readonly string[];
  readonly blocks: readonly Block[];
  /** Names of related pages. */
  readonly seeAlso: readonly string[];
}

export type Block =
  | { readonly kind: "section"; readonly title: string }
  /** Below a section. `isTyped`: the title is a command line. */
  | { readonly kind: "part"; readonly title: string; readonly isTyped?: boolean }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "usage"; readonly lines: readonly string[] }
  | { readonly kind: "terms"; readonly head: string; readonly terms: readonly Term[]; readonly isCompact?: boolean }
  | { readonly kind: "examples"; readonly examples: readonly ExampleSpec[] };

/** A name with its explanation. */
export interface Term {
  /** As typed: `--queue`. Several where they mean the same: `-q`, `--quiet`. */
  readonly names: readonly string[];
  /** What the reader puts behind the name: `NAME`. */
  readonly value?: string;
  readonly text: string;
}

/** A reference to a page within a text. */
export const PAGE_REFERENCE = /\b(queuectl(?:-[a-z]+)*)\(1\)/g;
