/**
 * Keys: at most one job with a key, in the sense of a scope, and what happens
 * to a second one.
 * @module
 */
import { parseDuration } from "./duration.ts";
import { InvalidValueError } from "./errors.ts";

/** What to do with a new job whose key is held. */
export const ON_CONFLICT = ["skip", "attach", "replace", "fail"] as const;

export type OnConflict = typeof ON_CONFLICT[number];

/** Among which jobs a key is unique. */
export type KeyScope =
  /** Those that are not final. */
  | { readonly kind: "active" }
  /** Those that wait for a run: not processing, not final. */
  | { readonly kind: "waiting" }
  /** Those made within this time, whatever became of them; cancelled ones do not count. */
  | { readonly kind: "window"; readonly ms: number };

/** How a scope is written; behind the colon comes the time. */
export const KEY_SCOPES = ["active", "waiting", "window:"] as const;

const MAX_KEY_LENGTH = 200;

/** Reads a key or the name of a lock: any text on one line. */
export function parseKey(value: unknown, field: string): string {
  // deno-lint-ignore no-control-regex
  if (typeof value === "string" && value !== "" && value.length <= MAX_KEY_LENGTH && !/[\x00-\x1f\x7f]/.test(value)) {
    return value;
  }
  throw new InvalidValueError(field, value, `expected 1 to ${MAX_KEY_LENGTH} characters on one line`);
}

/** Checks the text of a scope and gives it back, null for the usual one; `keyScope` tells what it means. */
export function parseKeyScope(value: unknown): string | null {
  if (value === "active") return null;
  if (value === "waiting") return value;
  const window = typeof value === "string" ? /^window:(.+)$/.exec(value)?.[1] : undefined;
  if (window !== undefined && parseDuration(window, "key_scope") > 0) return `window:${window}`;
  throw new InvalidValueError("key_scope", value, "expected active, waiting or window:D such as window:1h");
}

/** What a checked scope means; null is the usual one. */
export function keyScope(scope: string | null): KeyScope {
  if (scope === null) return { kind: "active" };
  if (scope === "waiting") return { kind: "waiting" };
  return { kind: "window", ms: parseDuration(scope.replace(/^window:/, ""), "key_scope") };
}

export function parseOnConflict(value: unknown): OnConflict {
  const known = ON_CONFLICT.find((word) => word === value);
  if (known !== undefined) return known;
  throw new InvalidValueError("on_conflict", value, `expected ${ON_CONFLICT.join(", ")}`);
}
