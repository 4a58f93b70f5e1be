import { assertEquals } from "@std/assert";
import { jsonTrouble } from "../../../lib/core/json_trouble.ts";

function troubleOf(text: string): [what: string, offset: number] {
  try {
    JSON.parse(text);
  } catch (error) {
    const { what, offset } = jsonTrouble(error, text);
    return [what, offset];
  }
  throw new Error(`${text} is JSON`);
}

const LONG = "x".repeat(1_000);

for (
  const [about, text, what, offset] of [
    ["a word without quotes", '{"command": x, "id": "y"}', "Unexpected token 'x'", 12],
    ["one far behind the beginning", `{"a": "${LONG}", "b": y}`, "Unexpected token 'y'", 1_015],
    ["no JSON at all", "not json", "Unexpected token 'o'", 1],
    ["a first character that cannot be", LONG, "Unexpected token 'x'", 0],
    ["a quote in the wrong place", "{\"a\": 'b'}", "Unexpected token '''", 6],
    ["a comma too much", '{"a": 1,}', "Expected double-quoted property name", 8],
    ["a text without its end", '{"a": "b', "Unterminated string", 8],
    ["an object without its end", '{"a":', "Unexpected end of JSON input", 5],
    ["nothing", "", "Unexpected end of JSON input", 0],
  ] as const
) {
  Deno.test(`jsonTrouble() tells what is wrong and where: ${about}`, () => {
    assertEquals(troubleOf(text), [what, offset]);
  });
}
