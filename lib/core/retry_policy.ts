/**
 * When a failed job is tried again.
 *
 * After the n-th failed attempt a job waits, in seconds: exponential `base^n`,
 * linear `delay * n`, fixed `delay`; never longer than `max`, and spread by
 * `jitter` so that jobs that failed together do not come back together.
 * @module
 */
import { parseDuration } from "./duration.ts";
import { InvalidValueError } from "./errors.ts";
import { nearestName } from "./nearest_name.ts";

export const BACKOFF_STRATEGIES = ["exponential", "linear", "fixed"] as const;

export type BackoffStrategy = typeof BACKOFF_STRATEGIES[number];

/** Also the JSON shape of a job's `backoff`. */
export interface Backoff {
  readonly strategy: BackoffStrategy;
  /** For exponential. Above 0; between 0 and 1 the delays shrink. */
  readonly base: number;
  /** For linear and fixed, in seconds. */
  readonly delay: number;
  /** Longest delay, in seconds. */
  readonly max: number;
  /** Share of the delay by which it may be shorter or longer: 0 exact, 0.2 between 80 % and 120 %. */
  readonly jitter: number;
}

const KEYS = ["strategy", "base", "delay", "max", "jitter"] as const satisfies readonly (keyof Backoff)[];

const EXPECTED = "expected exponential:2, linear:30s or fixed:10s, with ,max=1h or ,jitter=0.2 where wanted";

/** How many attempts a job has: the first one and its retries. */
export function attemptsAllowed(maxRetries: number): number {
  return maxRetries + 1;
}

/**
 * Milliseconds to wait after the `attempt`-th failed attempt. `random` (0 to 1)
 * picks the place within the jitter.
 *
 * The spread ends at `max` instead of being cut there: cutting would send half
 * of the longest waits to the same moment, which jitter is there to prevent.
 */
export function retryDelayMs(backoff: Backoff, attempt: number, random: number): number {
  // base^n may be Infinity, which the cap turns into `max`.
  const seconds = Math.min(uncappedDelay(backoff, Math.max(1, attempt)), backoff.max);
  const shortest = seconds * (1 - backoff.jitter);
  const longest = Math.min(seconds * (1 + backoff.jitter), backoff.max);
  return Math.round((shortest + random * (longest - shortest)) * 1_000);
}

function uncappedDelay(backoff: Backoff, attempt: number): number {
  switch (backoff.strategy) {
    case "exponential":
      return backoff.base ** attempt;
    case "linear":
      return backoff.delay * attempt;
    case "fixed":
      return backoff.delay;
  }
}

/**
 * Reads a backoff from JSON (`{"strategy": "fixed", "delay": 10}`) or text
 * (`exponential:2`, `fixed:10s,max=1h,jitter=0.2`). What is not said comes from
 * `defaults`; null and undefined say nothing.
 * @throws {InvalidValueError} naming the part that is wrong.
 */
export function parseBackoff(value: unknown, defaults: Backoff): Backoff {
  if (value === undefined || value === null) return defaults;
  if (typeof value === "string") return completed(partsOfText(value), defaults);
  if (typeof value === "object" && !Array.isArray(value)) return completed(Object.entries(value), defaults);
  throw new InvalidValueError("backoff", value, EXPECTED);
}

function partsOfText(text: string): [string, unknown][] {
  const [head = "", ...options] = text.split(",").map((part) => part.trim());
  const [name = "", argument, ...rest] = head.split(":").map((part) => part.trim());
  if (name === "" || rest.length > 0) throw new InvalidValueError("backoff", text, EXPECTED);
  const parts: [string, unknown][] = [["strategy", name]];
  if (argument !== undefined) parts.push([name === "exponential" ? "base" : "delay", argument]);
  for (const option of options) {
    const [, key, setting] = /^(\w+)\s*=\s*(.+)$/.exec(option) ?? [];
    if (key === undefined || key === "strategy" || parts.some(([known]) => known === key)) {
      throw new InvalidValueError("backoff", text, EXPECTED);
    }
    parts.push([key, setting]);
  }
  return parts;
}

function completed(parts: Iterable<[string, unknown]>, defaults: Backoff): Backoff {
  const backoff: { -readonly [Key in keyof Backoff]: Backoff[Key] } = { ...defaults };
  for (const [key, value] of parts) {
    if (value === undefined || value === null) continue;
    switch (key) {
      case "strategy":
        backoff.strategy = parseStrategy(value);
        break;
      case "base":
        backoff.base = parseBase(value);
        break;
      case "delay":
        backoff.delay = parseDuration(value, "backoff.delay") / 1_000;
        break;
      case "max":
        backoff.max = parseMax(value);
        break;
      case "jitter":
        backoff.jitter = parseJitter(value);
        break;
      default:
        throw new InvalidValueError("backoff field", key, `expected ${KEYS.join(", ")}${didYouMean(key, KEYS)}`);
    }
  }
  return backoff;
}

/** Reads `exponential`, `linear` or `fixed`. */
export function parseStrategy(value: unknown, field = "backoff.strategy"): BackoffStrategy {
  const strategy = BACKOFF_STRATEGIES.find((name) => name === value);
  if (strategy !== undefined) return strategy;
  const guess = typeof value === "string" ? didYouMean(value, BACKOFF_STRATEGIES) : "";
  throw new InvalidValueError(field, value, `expected exponential, linear or fixed${guess}`);
}

/** Reads the base of exponential backoff. */
export function parseBase(value: unknown, field = "backoff.base"): number {
  const base = toNumber(value);
  if (base > 0 && base < Infinity) return base;
  throw new InvalidValueError(field, value, "expected a number above 0");
}

/** Reads the longest delay, in seconds. 0 is refused: one reader takes it for "at once", the next for "no limit". */
function parseMax(value: unknown): number {
  const ms = parseDuration(value, "backoff.max");
  if (ms > 0) return ms / 1_000;
  throw new InvalidValueError("backoff.max", value, "expected a duration above 0");
}

/** Reads a jitter share. */
export function parseJitter(value: unknown, field = "backoff.jitter"): number {
  const jitter = toNumber(value);
  if (jitter >= 0 && jitter <= 1) return jitter;
  throw new InvalidValueError(field, value, "expected a share from 0 to 1");
}

/** NaN for everything that is not written as a plain number. */
function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\s*(?:\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : NaN;
}

function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}
