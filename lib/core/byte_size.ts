/**
 * Sizes in bytes as people write them (`512`, `10MiB`) and like to read them.
 *
 * K, M, G, T and KiB, MiB, GiB, TiB are powers of 1024; KB, MB, GB, TB are
 * powers of 1000. Letter case does not matter.
 * @module
 */
import { InvalidValueError } from "./errors.ts";

const EXPECTED = "expected a size such as 512, 64KiB or 10MiB";
const SIZE = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?b)?|b)?$/i;
const PREFIXES = ["k", "m", "g", "t"];
const BINARY_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/**
 * Reads a size and gives it in bytes, rounded to a whole one.
 * @throws {InvalidValueError} when it is not a size, is negative, or is too large to be counted exactly.
 */
export function parseByteSize(value: unknown, field = "size"): number {
  const bytes = typeof value === "string" ? readSize(value.trim()) : value;
  if (typeof bytes !== "number" || !(bytes >= 0)) throw new InvalidValueError(field, value, EXPECTED);
  const whole = Math.round(bytes);
  if (!Number.isSafeInteger(whole)) throw new InvalidValueError(field, value, "expected a size below 8192TiB");
  return whole;
}

function readSize(text: string): number | undefined {
  const [, count, prefix, suffix] = SIZE.exec(text) ?? [];
  if (count === undefined) return undefined;
  const power = prefix === undefined ? 0 : PREFIXES.indexOf(prefix.toLowerCase()) + 1;
  const base = suffix?.toLowerCase() === "b" ? 1_000 : 1_024;
  return Number(count) * base ** power;
}

/** A size for people, with one decimal at most: `0B`, `512B`, `1.5KiB`, `10MiB`. */
export function formatByteSize(bytes: number): string {
  let count = bytes;
  let power = 0;
  // The bound is where one decimal would round up to 1024 of a unit.
  while (count >= (power === 0 ? 1_024 : 1_023.95) && power < BINARY_UNITS.length - 1) {
    count /= 1_024;
    power++;
  }
  return `${Math.round(count * 10) / 10}${BINARY_UNITS[power]}`;
}

/** A size without loss, as `parseByteSize` reads it back: `10MiB`, `1500`. */
export function formatByteSizeExact(bytes: number): string {
  for (let power = BINARY_UNITS.length - 1; power > 0; power--) {
    if (bytes > 0 && bytes % 1_024 ** power === 0) return `${bytes / 1_024 ** power}${BINARY_UNITS[power]}`;
  }
  return `${bytes}`;
}
