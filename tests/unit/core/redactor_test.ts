import { assert, assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../../lib/core/errors.ts";
import { parseRedaction, type Redaction, wordsOfSecret } from "../../../lib/core/redaction.ts";
import { searchLines, type Steps } from "../../../lib/core/pattern_stage.ts";
import { Redactor, redactText } from "../../../lib/core/redactor.ts";
import { REDACTED } from "../../../lib/core/spans.ts";

const words = (...list: string[]): Redaction => ({ words: list, patterns: [] });

/** Searches for patterns right here. */
function done(steps: Steps<Uint8Array<ArrayBuffer>>, { patterns }: Redaction): Uint8Array<ArrayBuffer> {
  let step = steps.next();
  while (!step.done) step = steps.next(searchLines(patterns, step.value));
  return step.value;
}

/** What comes out when the text goes in by pieces that end at these places. */
function inPieces(text: string, redaction: Redaction, cuts: readonly number[]): string {
  const bytes = new TextEncoder().encode(text);
  const redactor = new Redactor(redaction);
  const shown: number[] = [];
  let at = 0;
  for (const cut of cuts) {
    shown.push(...done(redactor.push(bytes.subarray(at, cut)), redaction));
    at = cut;
  }
  shown.push(...done(redactor.last(bytes.subarray(at)), redaction));
  return new TextDecoder().decode(Uint8Array.from(shown));
}

/** Numbers that are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state;
  }
}

Deno.test("a secret in two halves is taken out, wherever it is cut", () => {
  const text = "before hunter2 after hunter2";
  for (let cut = 0; cut <= text.length; cut++) {
    assertEquals(inPieces(text, words("hunter2"), [cut]), `before ${REDACTED} after ${REDACTED}`, `cut at ${cut}`);
  }
});

Deno.test("a secret that comes byte by byte is taken out", () => {
  const text = "xx hunthunter2ter2 hunter";
  const everywhere = Array.from({ length: text.length - 1 }, (_, index) => index + 1);
  assertEquals(inPieces(text, words("hunter2"), everywhere), `xx hunt${REDACTED}ter2 hunter`);
});

Deno.test("what cannot be the beginning of a secret is shown at once", () => {
  const redaction = words("hunter2");
  const redactor = new Redactor(redaction);
  const push = (text: string) =>
    new TextDecoder().decode(done(redactor.push(new TextEncoder().encode(text)), redaction));

  assertEquals(push("Password: "), "Password: ");
  assertEquals(push("hunt"), "");
  assertEquals(push("ing"), "hunting");
  assertEquals(push("hunter2"), REDACTED);
  assertEquals(new TextDecoder().decode(done(redactor.last(new Uint8Array()), redaction)), "");
});

Deno.test("overlapping secrets are taken out as a whole", () => {
  assertEquals(redactText("xabcdy", words("abc", "bcd")), `x${REDACTED}y`);
  assertEquals(inPieces("xabcdy", words("abc", "bcd"), [4]), `x${REDACTED}y`);
  assertEquals(inPieces("aaaaaab", words("aaa"), [1, 2, 3, 4, 5, 6]), `${REDACTED}b`);
  assertEquals(redactText("a-secret-b", words("secret", "a-secret-b")), REDACTED);
});

Deno.test("pieces make no difference: for any text, secrets and cuts", () => {
  const random = numbers(7);
  const next = (below: number) => random.next().value % below;
  const letters = (length: number) => Array.from({ length }, () => "ab\n"[next(3)]).join("");
  for (let round = 0; round < 3_000; round++) {
    const redaction: Redaction = {
      words: Array.from({ length: 1 + next(3) }, () => letters(1 + next(5))),
      patterns: round % 2 === 0 ? [] : [/ba+/g, /bb/g],
    };
    const text = letters(next(40));
    const cuts = Array.from({ length: next(6) }, () => next(text.length + 1)).sort((a, b) => a - b);

    const shown = inPieces(text, redaction, cuts);

    assertEquals(shown, inPieces(text, redaction, []), JSON.stringify({ text, cuts, words: redaction.words }));
    for (const word of redaction.words) {
      const left = shown.split(REDACTED).some((part) => part.includes(word));
      assert(!left, `${JSON.stringify(word)} is in ${JSON.stringify(shown)}`);
    }
  }
});

Deno.test("everything else comes out as it went in, also what is no text", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7 + (index >> 8)) % 256);
  const redaction = { words: ["not in there, surely"], patterns: [/nor this one/g] };
  const redactor = new Redactor(redaction);
  const shown: number[] = [];
  for (let at = 0; at < bytes.length; at += 999) {
    shown.push(...done(redactor.push(bytes.subarray(at, at + 999)), redaction));
  }
  shown.push(...done(redactor.last(new Uint8Array()), redaction));
  assertEquals(Uint8Array.from(shown), bytes);
});

Deno.test("secrets beyond ASCII are found, cut within a character too", () => {
  const text = "x pässwörd y";
  for (let cut = 0; cut <= new TextEncoder().encode(text).length; cut++) {
    assertEquals(inPieces(text, words("pässwörd"), [cut]), `x ${REDACTED} y`);
  }
});

Deno.test("patterns see whole lines", () => {
  const redaction = parseRedaction("/password=\\S+/i");
  assertEquals(inPieces("a PassWord=x1 b\npassword=\nc", redaction, [8, 10, 12]), `a ${REDACTED} b\npassword=\nc`);
});

Deno.test("a pattern that looks around sees its line alone", () => {
  assertEquals(redactText("ab\nac\n", parseRedaction("/a(?=b)/,/c(?![^])/")), `${REDACTED}b\na${REDACTED}\n`);
  assertEquals(redactText("key: x\nmy key: y\n", parseRedaction("/^key: .*$/")), `${REDACTED}\nmy key: y\n`);
});

Deno.test("a match in a line beyond all measure is taken out to its end", () => {
  const redaction = parseRedaction("/key=\\S+/");
  const text = `${"x".repeat(100_000)} key=${"s3".repeat(150_000)} end ${"y".repeat(100_000)}\n`;
  const cuts = Array.from({ length: 70 }, (_, index) => index * 7_000);
  const shown = inPieces(text, redaction, cuts);
  assert(!shown.includes("s3"), "the secret is there");
  assert(shown.startsWith("x".repeat(100_000) + " [redacted]") && shown.endsWith(` end ${"y".repeat(100_000)}\n`));
});

Deno.test("the setting holds words and /patterns/ with commas or newlines between them", () => {
  const { words, patterns } = parseRedaction("hunter2, /[a,b]{1,3}\\/x/i\nto ken,,/y[/]/");
  assertEquals(words, ["hunter2", "to ken"]);
  assertEquals(patterns.map(String), ["/[a,b]{1,3}\\/x/gim", "/y[/]/gm"]);
  assertEquals(parseRedaction(""), { words: [], patterns: [] });
});

for (const bad of ["/(/", "/a", "/x*/", "/a/g", "word,/[/"]) {
  Deno.test(`the setting refuses ${bad}`, () => {
    assertThrows(() => parseRedaction(bad), UsageError, "Invalid redact");
  });
}

Deno.test("a refused entry is named by its place and never repeated", () => {
  for (
    const bad of [
      "/[hunter2/",
      "/hunter2(/",
      "/hunter2",
      "/hunter2/g",
      "/(hunter2)*/",
      "/(?<hunter2: x>a)/",
      "/hunter2: {2,1}a{2,1}/",
      "/\\k<hunter2>(?<a>b)/",
      "/hunter2(: hunter2/",
    ]
  ) {
    const error = assertThrows(
      () => parseRedaction(`one,/two/,${bad}`),
      UsageError,
      "Invalid redact, entry 3: expected",
    );
    assert(!`${error.stack} ${error.cause}`.includes("hunter2"), `${error.message}, ${error.cause}`);
  }
});

Deno.test("a secret of several lines is also hidden line by line", () => {
  const secret = "-----BEGIN KEY-----\nMIIEvQIBADANBg\n}\n-----END KEY-----\n";
  assertEquals(wordsOfSecret(secret).includes("MIIEvQIBADANBg"), true);
  assertEquals(wordsOfSecret(secret).includes("}"), false);
  assertEquals(redactText("1: MIIEvQIBADANBg!", words(...wordsOfSecret(secret))), `1: ${REDACTED}!`);
  assertEquals(wordsOfSecret(""), []);
  assertEquals(wordsOfSecret("one line"), ["one line"]);
});
