import { assertEquals } from "@std/assert";
import { visibleText } from "../../../lib/core/visible_text.ts";

Deno.test("visibleText() leaves ordinary text of every script alone", () => {
  for (const text of ["", "make -j8", "C:\\tmp", "日本語", "naïve café", "👩‍👩‍👧 👍🏽", "עברית", "a b"]) {
    assertEquals(visibleText(text), text);
  }
});

Deno.test("visibleText() makes escape sequences visible", () => {
  assertEquals(visibleText("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  assertEquals(visibleText("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  assertEquals(visibleText("\x9b31m"), "\\x9b31m");
});

Deno.test("visibleText() makes every C0 and C1 control character and DEL visible", () => {
  const controls = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 0x20 }, (_, i) => 0x80 + i)];
  for (const code of controls) {
    const shown = visibleText(String.fromCharCode(code));
    assertEquals(/^\\(?:x[0-9a-f]{2}|[nrt])$/.test(shown), true, `${code}: ${shown}`);
  }
});

Deno.test("visibleText() makes characters visible that turn the direction of writing", () => {
  assertEquals(visibleText("\u202egpj.exe"), "\\u202egpj.exe");
  for (const char of "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
    assertEquals(visibleText(char), `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
});

Deno.test("visibleText() makes line separators and byte order marks visible", () => {
  assertEquals(visibleText("a\u2028b\u2029c\ufeffd"), "a\\u2028b\\u2029c\\ufeffd");
});

Deno.test("visibleText() makes unpaired surrogates visible and keeps pairs", () => {
  assertEquals(visibleText("\ud83d"), "\\ud83d");
  assertEquals(visibleText("\ude00\ud83d"), "\\ude00\\ud83d");
  assertEquals(visibleText("\ud83d\ude00"), "😀");
});

Deno.test("visibleText() puts text on one line unless told to keep its lines", () => {
  assertEquals(visibleText("a\tb\r\nc\n"), "a\\tb\\r\\nc\\n");
  assertEquals(visibleText("a\tb\nc\x1b\n", { keepNewlines: true }), "a\tb\nc\\x1b\n");
});

Deno.test("visibleText() shows a carriage return even where lines are kept, since it overwrites what was printed", () => {
  assertEquals(visibleText("real\rfake\n", { keepNewlines: true }), "real\\rfake\n");
});
