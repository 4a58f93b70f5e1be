import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { InvalidValueError } from "../../../lib/core/errors.ts";
import { generateJobId, isIdPrefix, parseJobId } from "../../../lib/core/job_id.ts";

Deno.test("parseJobId() accepts letters, digits, dots, underscores, colons and hyphens", () => {
  for (const id of ["a", "7", "backup-2026.11:nightly_1", "Z".repeat(128)]) assertEquals(parseJobId(id), id);
});

Deno.test("parseJobId() refuses ids that a shell, a path or a flag could misread", () => {
  for (const id of ["", "-a", ".a", "_a", ":a", "a b", "a/b", "a\n", "ä", "a".repeat(129), 12, null, undefined, {}]) {
    const error = assertThrows(() => parseJobId(id), InvalidValueError, "Invalid id");
    assertEquals(error.field, "id");
  }
});

Deno.test("generateJobId() makes 12 lower-case base32 characters that are a valid id", () => {
  const id = generateJobId();

  assertMatch(id, /^[a-z2-7]{12}$/);
  assertEquals(parseJobId(id), id);
});

Deno.test("generateJobId() does not repeat itself in 100,000 ids", () => {
  const ids = new Set(Array.from({ length: 100_000 }, generateJobId));

  assertEquals(ids.size, 100_000);
});

Deno.test("generateJobId() uses every character about equally often", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 20_000; i++) {
    for (const char of generateJobId()) counts.set(char, (counts.get(char) ?? 0) + 1);
  }

  // 7,500 each are expected, with a deviation of 85: ten times that is no accident.
  assertEquals(counts.size, 32);
  for (const [char, count] of counts) assert(Math.abs(count - 7_500) < 850, `${char}: ${count}`);
});

Deno.test("isIdPrefix() accepts 4 to 12 characters of the alphabet of generated ids", () => {
  for (const text of ["abcd", "k3v7", generateJobId()]) assertEquals(isIdPrefix(text), true, text);
});

Deno.test("isIdPrefix() refuses what cannot begin a generated id", () => {
  for (const text of ["", "abc", "abcd1", "ABCD", "ab-cd", "a".repeat(13), "abcd\n"]) {
    assertEquals(isIdPrefix(text), false, text);
  }
});
