import { assertEquals, assertThrows } from "@std/assert";
import type { CommandSpec, FlagValue, Input } from "../../../lib/cli/command.ts";
import {
  commaList,
  durationMs,
  integer,
  isOn,
  isOnOrOff,
  list,
  requiredWord,
  text,
  word,
} from "../../../lib/cli/input.ts";
import { InvalidValueError } from "../../../lib/core/errors.ts";

const SPEC: CommandSpec = {
  name: "try",
  group: "Jobs",
  summary: "Try",
  examples: [],
  flags: [
    { name: "queue", type: "text", value: "NAME", summary: "Queue" },
    { name: "limit", type: "integer", value: "N", summary: "Limit" },
    { name: "since", type: "duration", value: "D", summary: "Since" },
    { name: "watch", type: "boolean", negatable: true, summary: "Watch" },
    { name: "tag", type: "text", value: "TAG", repeatable: true, summary: "Tag" },
  ],
  load: () => Promise.reject(new Error("not loaded in these tests")),
};

function anInput(flags: Record<string, FlagValue>, words: string[] = []): Input {
  return { spec: SPEC, words, argv: undefined, flags: new Map(Object.entries(flags)) };
}

Deno.test("a given flag is read by its type", () => {
  const input = anInput({ queue: "mail", limit: 0, since: 5_000, watch: false, tag: ["a,b", " c "] });

  assertEquals(text(input, "queue"), "mail");
  assertEquals(integer(input, "limit"), 0);
  assertEquals(durationMs(input, "since"), 5_000);
  assertEquals([isOn(input, "watch"), isOnOrOff(input, "watch")], [false, false]);
  assertEquals(list(input, "tag"), ["a,b", " c "]);
  assertEquals(commaList(input, "tag"), ["a", "b", "c"]);
});

Deno.test("a flag that was not given is undefined, off or empty", () => {
  const input = anInput({});

  assertEquals([text(input, "queue"), integer(input, "limit"), durationMs(input, "since")], [
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals([isOn(input, "watch"), isOnOrOff(input, "watch")], [false, undefined]);
  assertEquals([list(input, "tag"), commaList(input, "tag")], [[], []]);
});

Deno.test("an empty value of a list is refused instead of being none; a comma too much is not", () => {
  assertThrows(() => commaList(anInput({ queue: "" }), "queue"), InvalidValueError, 'Invalid --queue ""');
  assertThrows(() => commaList(anInput({ tag: ["a", " , "] }), "tag"), InvalidValueError, "Invalid --tag");
  assertEquals(commaList(anInput({ queue: "a,,b," }), "queue"), ["a", "b"]);
});

Deno.test("a global flag is read although it is not in the command's spec", () => {
  assertEquals(isOn(anInput({ json: true }), "json"), true);
});

Deno.test("asking for a flag by another type than its spec says is a programming error", () => {
  assertThrows(() => text(anInput({}), "limit"), Error, 'Flag --limit of "try" is of type integer');
});

Deno.test("words are read by position", () => {
  const input = anInput({}, ["a"]);

  assertEquals([word(input, 0), word(input, 1), requiredWord(input, 0)], ["a", undefined, "a"]);
  assertThrows(() => requiredWord(input, 1), Error, "does not require argument 2");
});
