/**
 * Durations as people write them (`90s`, `1h30m`) and as they like to read them.
 *
 * Inside the program a duration is a whole number of milliseconds; this module
 * is the only place that knows the units.
 * @module
 */
import { InvalidValueError } from "./errors.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Long units first: a compound must be written in this order, so that `5m5m` and `30m1h` are caught as typing errors. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["w", 7 * DAY],
  ["d", DAY],
  ["h", HOUR],
  ["m", MINUTE],
  ["s", SECOND],
  ["ms", 1],
]);

/** 100 years. Beyond it a duration is a mistake, and `now + duration` would leave the range of dates. */
export const MAX_DURATION_MS = 36_525 * DAY;

const EXPECTED = "expected a duration such as 90s, 5m or 1h30m";
const BARE_NUMBER = /^(?:\d+(?:\.\d+)?|\.\d+)$/;
const PART = /(\d+(?:\.\d+)?|\.\d+)(ms|[smhdw])\s*/y;

/**
 * Reads a duration and gives it in milliseconds. A number, or text that is only
 * a number, is seconds.
 *
 * A positive value below 1 ms becomes 1 ms, because 0 means "none" for many
 * fields and no one who writes a limit wants to lose it by rounding.
 * @throws {InvalidValueError} when it is not a duration, is negative, or is over 100 years.
 */
export function parseDuration(value: unknown, field = "duration"): number {
  const ms = readMilliseconds(value);
  if (ms === undefined || !(ms >= 0)) throw new InvalidValueError(field, value, EXPECTED);
  if (ms > MAX_DURATION_MS) throw new InvalidValueError(field, value, "expected a duration of at most 100 years");
  return ms > 0 ? Math.max(1, Math.round(ms)) : 0;
}

function readMilliseconds(value: unknown): number | undefined {
  if (typeof value === "number") return value * SECOND;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return BARE_NUMBER.test(text) ? Number(text) * SECOND : readCompound(text);
}

function readCompound(text: string): number | undefined {
  if (text === "") return undefined;
  let total = 0;
  let previousUnit = Infinity;
  PART.lastIndex = 0;
  for (let at = 0; at < text.length; at = PART.lastIndex) {
    const part = PART.exec(text);
    const unit = UNITS.get(part?.[2] ?? "");
    if (part === null || unit === undefined || unit >= previousUnit) return undefined;
    total += Number(part[1]) * unit;
    previousUnit = unit;
  }
  return total;
}

/**
 * A duration for people, in at most two units: `0s`, `450ms`, `1.5s`, `2m 5s`,
 * `3h 12m`, `4d 2h`. Rounds first and then picks the units, so that 59.99 s
 * is `1m` and never `60s`.
 */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  const whole = Math.round(ms);
  if (whole === 0) return "0s";
  if (whole < SECOND) return `${whole}ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10}s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3_600) return twoUnits(seconds, 60, "m", "s");
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 1_440) return twoUnits(minutes, 60, "h", "m");
  return twoUnits(Math.round(ms / HOUR), 24, "d", "h");
}

function twoUnits(count: number, perLarge: number, large: string, small: string): string {
  const rest = count % perLarge;
  return `${Math.floor(count / perLarge)}${large}${rest === 0 ? "" : ` ${rest}${small}`}`;
}

/**
 * A duration without loss, as `parseDuration` reads it back: `1h30m`, `7d`,
 * `1m1.5s`. Weeks are left out: `90d` is clearer than `12w6d`.
 */
export function formatDurationExact(ms: number): string {
  const whole = Math.round(ms);
  if (whole === 0) return "0s";
  if (whole < SECOND) return `${whole}ms`;
  const parts: [number, string][] = [
    [Math.floor(whole / DAY), "d"],
    [Math.floor(whole % DAY / HOUR), "h"],
    [Math.floor(whole % HOUR / MINUTE), "m"],
    [whole % MINUTE / SECOND, "s"],
  ];
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`).join("");
}
