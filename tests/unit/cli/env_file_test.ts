import { assert, assertEquals, assertThrows } from "@std/assert";
import { parseEnvFile } from "../../../lib/cli/env_file.ts";
import { UsageError } from "../../../lib/core/errors.ts";

Deno.test("a file of variables has NAME=VALUE lines, comments and empty lines", () => {
  const text = "# database\nA=1\n\n  export B = \nB=two words\r\nC=\"q=1 'x'\"\nD='#no comment'\nE=\nF=a=b # kept\n";
  assertThrows(() => parseEnvFile(text, "f"), UsageError, "line 4");
  assertEquals(parseEnvFile(text.replace("  export B = \n", "  export Z=0\n"), "f"), [
    "A=1",
    "Z=0",
    "B=two words",
    "C=q=1 'x'",
    "D=#no comment",
    "E=",
    "F=a=b # kept",
  ]);
});

Deno.test("a line that is none is named by its number, and not repeated", () => {
  const error = assertThrows(() => parseEnvFile("A=1\nhunter2\n", "prod.env"), UsageError);
  assertEquals(error.message, "Cannot read prod.env, line 2: expected NAME=VALUE");
  assert(!error.message.includes("hunter2"));
});
