/** What may reach a terminal, and that every way to it makes the rest visible. */
import { assertEquals } from "@std/assert";
import { stylerFor } from "../../../../lib/cli/output/color.ts";
import { jsonText } from "../../../../lib/cli/output/json.ts";
import { shownLine, shownText } from "../../../../lib/cli/output/terminal_text.ts";

const EVIL = "a\x1b]0;title\x07\x9b2J\u202eb\u200bc\rd";
const SHOWN = "a\\x1b]0;title\\x07\\x9b2J\\u202eb\\u200bc\\rd";

Deno.test("shownText() keeps lines and the styles of ours, and nothing else that drives a terminal", () => {
  const paint = stylerFor(true);
  for (const style of ["heading", "strong", "dim", "good", "bad", "warning", "active", "waiting"] as const) {
    const painted = paint(style, "text");
    assertEquals(shownText(`x ${painted}\t${EVIL}\n`, { hasStyles: true }), `x ${painted}\t${SHOWN}\n`);
  }
});

Deno.test("shownText() shows styles that hide, blink or are not ours, and all of them without colour", () => {
  for (const code of ["0", "5", "7", "8", "38;5;1", "1;31"]) {
    assertEquals(shownText(`\x1b[${code}mx`, { hasStyles: true }), `\\x1b[${code}mx`);
  }
  assertEquals(shownText("\x1b[1mx\x1b[22m", { hasStyles: false }), "\\x1b[1mx\\x1b[22m");
});

Deno.test("shownLine() keeps a message on one line", () => {
  assertEquals(shownLine(`${EVIL}\nqueuectl: all is well`), `${SHOWN}\\nqueuectl: all is well`);
});

Deno.test("jsonText() is the same value, escaped, in one line or indented", () => {
  for (const indent of [undefined, 2]) {
    const text = jsonText({ reason: EVIL }, indent);

    assertEquals(JSON.parse(text), { reason: EVIL });
    assertEquals(shownText(text, { hasStyles: false }), text);
  }
});
