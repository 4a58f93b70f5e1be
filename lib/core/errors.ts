/**
 * The few errors that callers act on. Each carries a code, which decides the
 * exit code and the `code` of a JSON error, and where it helps a hint: the
 * next command to try.
 *
 * Messages say the action, the quoted value, then the current state, with no
 * final period: `Cannot cancel job "7f3a": already completed`.
 * @module
 */

import { visibleJson } from "./visible_text.ts";

/** What kind of trouble it is; `EXIT_CODES` gives the number a shell sees. */
export type ErrorCode = "failed" | "usage" | "not_found" | "conflict" | "store_unavailable";

export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  failed: 1,
  usage: 2,
  not_found: 3,
  conflict: 4,
  store_unavailable: 5,
};

/** What a stack begins with. By the code and not by the class, whose own name is lost when the program is packed. */
const NAMES: Readonly<Record<ErrorCode, string>> = {
  failed: "QueuectlError",
  usage: "UsageError",
  not_found: "NotFoundError",
  conflict: "ConflictError",
  store_unavailable: "StoreUnavailableError",
};

export interface ErrorOptionsWithHint {
  /** The next step, shown as `Try: ...`. */
  hint?: string | undefined;
  cause?: unknown;
}

/** The root of all errors meant for a person to read. */
export class QueuectlError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptionsWithHint = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = NAMES[code];
    this.code = code;
    this.hint = options.hint;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** The command line, or a value given to it, makes no sense. */
export class UsageError extends QueuectlError {
  constructor(message: string, options?: ErrorOptionsWithHint) {
    super("usage", message, options);
  }
}

/** One value of one named field is refused: `Invalid priority "abc": expected an integer`. */
export class InvalidValueError extends UsageError {
  constructor(
    readonly field: string,
    readonly value: unknown,
    readonly expected: string,
    options?: ErrorOptionsWithHint,
  ) {
    super(`Invalid ${field} ${quoted(value)}: ${expected}`, options);
  }
}

/** Something named by the user does not exist. */
export class NotFoundError extends QueuectlError {
  constructor(message: string, options?: ErrorOptionsWithHint) {
    super("not_found", message, options);
  }
}

/** A name is taken, or the present state does not allow what was asked. */
export class ConflictError extends QueuectlError {
  constructor(message: string, options?: ErrorOptionsWithHint) {
    super("conflict", message, options);
  }
}

/** The store cannot be used: locked, corrupt, newer, out of reach, full. */
export class StoreUnavailableError extends QueuectlError {
  constructor(message: string, options?: ErrorOptionsWithHint) {
    super("store_unavailable", message, options);
  }
}

/** Another process held the store's write lock beyond the busy timeout. */
export class StoreBusyError extends StoreUnavailableError {}

/** A result came from a worker whose claim was taken away meanwhile. */
export class ClaimLostError extends QueuectlError {
  constructor(message: string, options?: ErrorOptionsWithHint) {
    super("conflict", message, options);
  }
}

/** Longest part of a refused value that is repeated to the user. */
const MAX_QUOTED = 60;

/** A path as it appears in messages: whole, because what was cut off could not be looked for. */
export function quotedPath(path: string): string {
  return escaped(path);
}

/** A value as it appears in messages: quoted, on one line, cut when long, no control characters. */
export function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  const cut = text.length > MAX_QUOTED ? text.slice(0, MAX_QUOTED) + "..." : text;
  return typeof value === "string" ? escaped(cut) : cut;
}

function escaped(text: string): string {
  return visibleJson(JSON.stringify(text));
}
