/**
 * Limits of a queue as people write them: `--concurrency 2`, `--rate 10/1s`;
 * `none` or 0 takes one away.
 * @module
 */
import { formatDurationExact, parseDuration } from "./duration.ts";
import { InvalidValueError } from "./errors.ts";

/** At most so many starts in any so many milliseconds. */
export interface Rate {
  readonly count: number;
  readonly ms: number;
}

/** Start times are kept for each start that a rate counts. */
const MAX_RATE_COUNT = 100_000;
const MAX_LIMIT = 2 ** 31 - 1;

/** Reads a whole number above 0; null for none. */
export function parseQueueLimit(value: string, field: string): number | null {
  const text = value.trim();
  if (text === "none" || /^0+$/.test(text)) return null;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= 1 && number <= MAX_LIMIT) return number;
  throw new InvalidValueError(field, value, `expected a whole number from 1 to ${MAX_LIMIT}, or none`);
}

/** Reads `10/1s` or `10/s`; null for none. */
export function parseRate(value: string, field = "rate"): Rate | null {
  const text = value.trim();
  if (text === "none" || /^0+$/.test(text)) return null;
  const [, count = "", per = ""] = /^(\d{1,10})\s*\/\s*(\S.*)$/.exec(text) ?? [];
  const starts = Number(count);
  if (count === "" || starts < 1 || starts > MAX_RATE_COUNT) throw refused(field, value);
  const ms = parseDuration(/^(ms|[smhdw])$/.test(per) ? `1${per}` : per, field);
  if (ms < 1) throw refused(field, value);
  return { count: starts, ms };
}

function refused(field: string, value: string): InvalidValueError {
  return new InvalidValueError(
    field,
    value,
    `expected N/D such as 10/1s or 100/m with N from 1 to ${MAX_RATE_COUNT}, or none`,
  );
}

/** As `parseRate` reads it back. */
export function formatRate({ count, ms }: Rate): string {
  return `${count}/${formatDurationExact(ms)}`;
}
