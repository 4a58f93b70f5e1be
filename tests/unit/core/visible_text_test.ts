import { assertEquals } from "@std/assert";
import { visibleJson, visibleText } from "../../../lib/core/visible_text.ts";

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

Deno.test("visibleText() makes characters visible that have no width", () => {
  for (const char of "\u00ad\u180e\u200b\u2060\u2061\u2064\u206a\u206f\ufeff\ufff9\ufffb") {
    const code = char.charCodeAt(0);
    const escape = code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16).padStart(4, "0")}`;
    assertEquals(visibleText(`pro${char}duction`), `pro${escape}duction`);
  }
});

Deno.test("visibleText() makes the tag block visible, in which a sentence can hide", () => {
  assertEquals(visibleText("true\u{e0072}\u{e006d}\u{e007f}"), "true\\u{e0072}\\u{e006d}\\u{e007f}");
});

Deno.test("visibleText() keeps a joiner between letters that need it and shows it beside ASCII", () => {
  for (const text of ["می‌خواهم", "क्‍ष", "👨‍💻"]) assertEquals(visibleText(text), text);
  assertEquals(visibleText("pro\u200dduction"), "pro\\u200dduction");
  assertEquals(visibleText("a\u200c"), "a\\u200c");
  assertEquals(visibleText("\u200dé"), "\\u200dé");
});

Deno.test("visibleJson() gives JSON of the same value without anything that could mislead a terminal", () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
  const value = {
    controls,
    "\u202ekey": ["\u2066\u200b\u200d\u2028\u2029\ufeff\u00ad", "\u{e0041}", "\ud800", "\udc00x", '日本語 👩‍👧 é \\ "'],
  };
  for (const indent of [undefined, 2]) {
    const json = visibleJson(JSON.stringify(value, null, indent));

    assertEquals(JSON.parse(json), value);
    // deno-lint-ignore no-control-regex -- they are what must not be there
    assertEquals(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(json), false);
    assertEquals(json.includes("\u{e0041}"), false);
    assertEquals(json.isWellFormed(), true);
    assertEquals(json.includes("日本語"), true);
  }
});
