import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { CommandSpec, CommandTable } from "../../../lib/cli/command.ts";
import { COMMAND_TABLE } from "../../../lib/cli/command_table.ts";
import { helpFor } from "../../../lib/cli/help.ts";
import { UsageError } from "../../../lib/core/errors.ts";

const load = () => Promise.reject(new Error("not loaded in these tests"));

const SEND: CommandSpec = {
  name: "mail send",
  aliases: ["send"],
  group: "Jobs",
  summary: "Send a letter",
  description:
    "A letter goes to everyone who is named, in the order in which they are named, and to no one else at all.",
  arguments: [{ name: "TO", required: true, variadic: true, summary: "Who gets it" }],
  flags: [
    { name: "subject", short: "s", type: "text", value: "TEXT", summary: "What it is about" },
    { name: "copies", type: "integer", value: "N", default: "1", summary: "How many" },
    { name: "paper", type: "boolean", negatable: true, summary: "On paper" },
    {
      name: "header-of-great-length",
      type: "text",
      value: "NAME=VALUE",
      repeatable: true,
      section: "Headers",
      summary: "One more line above the letter that says something about it",
    },
  ],
  examples: [
    { line: "queuectl mail send ann", about: "To one" },
    { line: "queuectl mail send ann bob -s hello", about: "To two" },
  ],
  exitCodes: { 4: "the post office is closed" },
  load,
};

const TABLE: CommandTable = {
  globalFlags: [{ name: "json", type: "boolean", summary: "Print JSON" }],
  commands: [
    SEND,
    { name: "mail list", group: "Jobs", summary: "List letters", examples: [], load },
    { name: "version", group: "About", summary: "Print the version", examples: [], load },
    { name: "__secret", group: "About", hidden: true, summary: "Nothing to see", examples: [], load },
  ],
};

Deno.test("the overview lists the commands by group, and not the hidden ones", () => {
  assertEquals(
    helpFor([], TABLE),
    `queuectl: a durable background job queue in one binary

Usage:
  queuectl [GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]

Jobs:
  mail send  Send a letter
  mail list  List letters

About:
  version  Print the version

Global options:
      --json  Print JSON

\`queuectl help COMMAND\` tells more about one command.
`,
  );
});

Deno.test("the help of a group lists its commands", () => {
  assertEquals(
    helpFor(["mail"], TABLE),
    `Usage: queuectl mail COMMAND [OPTIONS] [ARGUMENTS]

Commands:
  mail send  Send a letter
  mail list  List letters

\`queuectl help mail COMMAND\` tells more about one of them.
`,
  );
});

Deno.test("the help of a command tells everything that its spec says", () => {
  assertEquals(
    helpFor(["mail", "send"], TABLE, { columns: 60 }),
    `Send a letter

Usage:
  queuectl mail send [OPTIONS] TO...

A letter goes to everyone who is named, in the order in
which they are named, and to no one else at all.

Arguments:
  TO  Who gets it

Options:
  -s, --subject TEXT  What it is about
      --copies N      How many (default: 1)
      --[no-]paper    On paper

Headers:
      --header-of-great-length NAME=VALUE
    One more line above the letter that says something about
    it (repeatable)

Global options:
      --json  Print JSON

Examples:
  # To one
  queuectl mail send ann

  # To two
  queuectl mail send ann bob -s hello

Exit codes:
  0  ok
  1  the operation failed
  2  the command line makes no sense
  3  no such job, queue, ...
  4  the post office is closed
  5  the store is unavailable
`,
  );
});

Deno.test("an alias has the help of its command", () => {
  assertEquals(helpFor(["send"], TABLE), helpFor(["mail", "send"], TABLE));
});

Deno.test("help for a name that does not exist is refused with the nearest", () => {
  const error = assertThrows(() => helpFor(["mail", "snd"], TABLE), UsageError, 'Unknown command "mail snd"');

  assertEquals(error.hint, "queuectl mail send");
});

Deno.test("colour marks the headings, and only when asked for", () => {
  assertStringIncludes(helpFor([], TABLE, { color: true }), "\x1b[1mUsage:\x1b[22m");
  assert(!helpFor([], TABLE).includes("\x1b"));
});

for (const columns of [60, 80, 200]) {
  Deno.test(`no line of the real help is longer than ${columns} columns, except usage and examples`, () => {
    for (const command of COMMAND_TABLE.commands) {
      const lines = helpFor(command.name.split(" "), COMMAND_TABLE, { columns }).split("\n");
      const long = lines.filter((line) => line.length > Math.min(columns, 100) && !line.startsWith("  queuectl "));
      const verbatim = command.examples.map((example) => `  ${example.line}`);
      assertEquals(long.filter((line) => !verbatim.includes(line)), []);
    }
  });
}
