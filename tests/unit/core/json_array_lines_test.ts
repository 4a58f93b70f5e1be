/** A JSON array of any size, item by item. */
import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/core/errors.ts";
import { JsonArrayLines } from "../../../lib/core/json_array_lines.ts";

/** Items with the lines in which they begin, read in pieces of so many bytes. */
function items(text: string, pieceBytes: number): [number, string][] {
  const reader = new JsonArrayLines(1_000);
  const bytes = new TextEncoder().encode(text);
  const found: [number, string][] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const { bytes: lines, lineOf } = reader.push(bytes.slice(at, at + pieceBytes));
    new TextDecoder().decode(lines).split("\n").slice(0, -1).forEach((item, i) =>
      found.push([lineOf[i]!, item.trim()])
    );
  }
  reader.end();
  return found;
}

const CASES: readonly [string, string, [number, string][]][] = [
  ["an empty array", " [ \n ] \n", []],
  ["items on one line", '[{"a":1},{"a":2}]', [[1, '{"a":1}'], [1, '{"a":2}']]],
  [
    "items over several lines",
    '[\n  {\n    "a": [1,\n 2]\n  },\n\n  {}\n]',
    [[2, '{     "a": [1,  2]   }'], [7, "{}"]],
  ],
  [
    "commas, brackets and quotes within texts",
    '[{"a":"x],[\\"},{\\\\"},"é\\\\"]',
    [[1, '{"a":"x],[\\"},{\\\\"}'], [1, '"é\\\\"']],
  ],
  ["an item that is missing", "[{},,{}]", [[1, "{}"], [1, ","], [1, "{}"]]],
  ["a comma at the end", "[{},]", [[1, "{}"], [1, ","]]],
  ["a line end within a text", '["a\nb"]', [[1, '"a\x01b"']]],
];

for (const [what, text, expected] of CASES) {
  Deno.test(`an array is read item by item, in pieces of any size: ${what}`, () => {
    for (const size of [1, 2, 3, 7, 1_000]) assertEquals(items(text, size), expected, `pieces of ${size}`);
  });
}

Deno.test("an array without an end is refused with the last line", () => {
  assertThrows(
    () => items('[{"a":1},\n{"a":2', 4),
    UsageError,
    'line 2: unexpected end of the JSON array: "]" is missing',
  );
});

Deno.test("text after the array is refused with its line", () => {
  assertThrows(() => items("[{}]\n\n{}", 4), UsageError, "line 3: unexpected text after the end of the array");
});

Deno.test("an item that is too long is refused", () => {
  assertThrows(() => items(`["${"x".repeat(2_000)}"]`, 100), UsageError, "line 1: expected at most");
});
