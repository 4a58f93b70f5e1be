import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentsError, readArguments } from "../../tools/arguments.ts";

const DECLARED = { switches: ["no-static", "install"], values: ["jobs"], words: "PATH" } as const;

Deno.test("switches, values and words are told apart, in any order", () => {
  const expected = {
    switches: { "no-static": true, install: false },
    values: { jobs: "4" },
    words: ["tests/unit", "7"],
  };

  assertEquals(readArguments(["tests/unit", "--jobs", "4", "--no-static", "7"], DECLARED), expected);
  assertEquals(readArguments(["--no-static", "--jobs=4", "--", "tests/unit", "7"], DECLARED), expected);
});

Deno.test("what was not given is false or absent", () => {
  assertEquals(readArguments([], DECLARED), {
    switches: { "no-static": false, install: false },
    values: {},
    words: [],
  });
});

for (
  const [args, message] of [
    [["--instal"], "unknown option --instal"],
    [["-x"], "unknown option -x"],
    [["--jobs"], "--jobs takes a value"],
    [["--jobs", "--install"], "--jobs takes a value"],
    [["--jobs="], "--jobs takes a value"],
  ] as const
) {
  Deno.test(`${args.join(" ")} is refused`, () => {
    assertThrows(() => readArguments(args, DECLARED), ArgumentsError, message);
  });
}

Deno.test("a word is refused where none may be", () => {
  assertThrows(() => readArguments(["oops"], { values: ["jobs"] }), ArgumentsError, 'unexpected argument "oops"');
});
