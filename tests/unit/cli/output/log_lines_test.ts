import { assertEquals } from "@std/assert";
import { LogLines } from "../../../../lib/cli/output/log_lines.ts";
import type { OutputChunk } from "../../../../lib/operations/follow_output.ts";

function chunk(text: string | Uint8Array<ArrayBuffer>, overrides: Partial<OutputChunk> = {}): OutputChunk {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { run: 1, stream: "stdout", bytes, dropped: 0, runFinishedAt: null, ...overrides };
}

Deno.test("a line is given when its end has come, each stream for itself", () => {
  const lines = new LogLines();

  assertEquals(lines.push(chunk("one\ntw"), 1), [{ at: 1, run: 1, stream: "stdout", text: "one" }]);
  assertEquals(lines.push(chunk("err\n", { stream: "stderr" }), 2), [{ at: 2, run: 1, stream: "stderr", text: "err" }]);
  assertEquals(lines.push(chunk("o\n\n"), 3).map(({ text }) => text), ["two", ""]);
  assertEquals(lines.end(), []);
});

Deno.test("a line without an end is given when its run is over", () => {
  const lines = new LogLines();
  lines.push(chunk("no newline"), 1);

  assertEquals(lines.push(chunk("next\n", { run: 2 }), 2).map(({ run, text }) => [run, text]), [
    [1, "no newline"],
    [2, "next"],
  ]);
  lines.push(chunk("last", { run: 2 }), 3);
  assertEquals(lines.end(), [{ at: 3, run: 2, stream: "stdout", text: "last" }]);
});

Deno.test("lines of a run that had ended have the time of its end", () => {
  assertEquals(new LogLines().push(chunk("x\n", { runFinishedAt: 7 }), 99)[0]?.at, 7);
});

Deno.test("a character that comes in two pieces is one", () => {
  const lines = new LogLines();
  const [bytes] = [new TextEncoder().encode("ü\n")];
  lines.push(chunk(bytes.slice(0, 1)), 1);
  assertEquals(lines.push(chunk(bytes.slice(1)), 1).map(({ text }) => text), ["ü"]);
});

Deno.test("where bytes are missing, a line of its own says so", () => {
  const lines = new LogLines();
  lines.push(chunk("half a li"), 1);
  assertEquals(lines.push(chunk("rest\n", { dropped: 5 }), 1).map(({ text }) => text), [
    "half a li",
    "[queuectl: 5 bytes dropped]",
    "rest",
  ]);
});
