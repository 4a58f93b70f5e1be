import { assertEquals } from "@std/assert";
import { readClosingLine } from "../../tools/test/closing_line.ts";

Deno.test("readClosingLine() reads the counts of a good run", () => {
  assertEquals(readClosingLine("\nok | 4 passed | 0 failed (1s)\n"), { passed: 4, failed: 0, ignored: 0 });
});

Deno.test("readClosingLine() is not confused by steps and ignored tests", () => {
  assertEquals(
    readClosingLine("ok | 4 passed (2 steps) | 0 failed | 1 ignored (1s)\n"),
    { passed: 4, failed: 0, ignored: 1 },
  );
  assertEquals(
    readClosingLine("FAILED | 1 passed (2 steps) | 3 failed (1 step) | 2 ignored | 5 filtered out (15ms)\n"),
    { passed: 1, failed: 3, ignored: 2 },
  );
});

Deno.test("readClosingLine() sees through colour", () => {
  assertEquals(
    readClosingLine(
      "\n\x1b[0m\x1b[31mFAILED\x1b[0m | 1 passed | 3 failed \x1b[0m\x1b[38;5;245m(15ms)\x1b[0m\n\nerror: Test failed\n",
    ),
    { passed: 1, failed: 3, ignored: 0 },
  );
});

Deno.test("readClosingLine() takes the last of several closing lines", () => {
  assertEquals(
    readClosingLine("ok | 9 passed | 0 failed (1s)\nFAILED | 0 passed | 1 failed (1s)\n"),
    { passed: 0, failed: 1, ignored: 0 },
  );
});

Deno.test("readClosingLine() gives null when the run ended without one", () => {
  assertEquals(readClosingLine("error: Module not found\n"), null);
});
