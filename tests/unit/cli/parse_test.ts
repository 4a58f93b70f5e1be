import { assertEquals, assertRejects } from "@std/assert";
import type { CommandSpec, CommandTable, Input } from "../../../lib/cli/command.ts";
import { parse } from "../../../lib/cli/parse.ts";
import { GLOBAL_FLAGS } from "../../../lib/cli/table/global_flags.ts";
import { MissingSubcommandError } from "../../../lib/cli/usage_errors.ts";
import { UsageError } from "../../../lib/core/errors.ts";

function aCommand(name: string, rest: Partial<CommandSpec> = {}): CommandSpec {
  const load = () => Promise.reject(new Error("not loaded in these tests"));
  return { name, group: "Jobs", summary: name, examples: [{ line: `queuectl ${name}`, about: name }], load, ...rest };
}

/** Small, and with one of everything that a spec can say. */
const TABLE: CommandTable = {
  globalFlags: GLOBAL_FLAGS,
  commands: [
    aCommand("enqueue", {
      takesArgv: true,
      arguments: [{ name: "COMMAND", summary: "What to run" }],
      flags: [
        { name: "priority", type: "text", value: "N", summary: "Higher first" },
        { name: "max-retries", aliases: ["retries"], type: "text", value: "N", summary: "Retries" },
        { name: "timeout", type: "text", value: "D", summary: "Timeout" },
        { name: "tag", type: "text", value: "TAG", repeatable: true, summary: "Tag" },
        { name: "no-output", type: "boolean", summary: "Keep nothing" },
      ],
    }),
    aCommand("edit", {
      takesArgv: true,
      arguments: [{ name: "ID", required: true, summary: "Which" }],
      flags: [{ name: "priority", type: "text", value: "N", summary: "Higher first" }],
    }),
    aCommand("template create", {
      takesArgv: true,
      arguments: [{ name: "NAME", required: true, summary: "Which" }, { name: "COMMAND", summary: "What to run" }],
    }),
    aCommand("list", {
      aliases: ["job list"],
      flags: [
        { name: "limit", short: "n", type: "integer", value: "N", summary: "At most" },
        { name: "since", type: "duration", value: "D", summary: "Within" },
        { name: "order", type: "choice", choices: ["newest", "oldest"], value: "ORDER", summary: "Order" },
        { name: "follow", short: "f", type: "boolean", summary: "Follow" },
        { name: "header", type: "boolean", negatable: true, summary: "Header" },
      ],
    }),
    aCommand("show", { aliases: ["job show"], arguments: [{ name: "ID", required: true, summary: "Which" }] }),
    aCommand("cancel", { arguments: [{ name: "ID", required: true, variadic: true, summary: "Which" }] }),
    aCommand("worker run"),
    aCommand("worker stop"),
    aCommand("config list", { aliases: ["config"] }),
    aCommand("config get", { arguments: [{ name: "KEY", summary: "Which" }] }),
    aCommand("config set", {
      arguments: [{ name: "KEY", required: true, summary: "Which" }, {
        name: "VALUE",
        required: true,
        summary: "What",
      }],
    }),
    aCommand("completions", {
      arguments: [{ name: "SHELL", required: true, choices: ["bash", "zsh"], summary: "Which" }],
    }),
    aCommand("version"),
    aCommand("help", { arguments: [{ name: "COMMAND", variadic: true, summary: "Which" }] }),
  ],
};

function reading(...argv: string[]): Promise<Input> {
  return parse(argv, TABLE);
}

/** The parts of an Input that a test compares. */
async function partsOf(...argv: string[]) {
  const { spec, words, argv: program, flags } = await reading(...argv);
  return { name: spec.name, words, argv: program, flags: Object.fromEntries(flags) };
}

async function refusal(...argv: string[]): Promise<{ message: string; hint: string | undefined }> {
  const error = await assertRejects(() => reading(...argv), UsageError);
  return { message: error.message, hint: error.hint };
}

Deno.test("a command gets its words and flags", async () => {
  assertEquals(await partsOf("enqueue", "sleep 5", "--priority", "3"), {
    name: "enqueue",
    words: ["sleep 5"],
    argv: undefined,
    flags: { priority: "3" },
  });
});

Deno.test("options work before and after the subcommand and its words", async () => {
  const lines = [
    ["--db", "x", "--priority", "3", "enqueue", "true"],
    ["--db", "x", "enqueue", "--priority", "3", "true"],
    ["enqueue", "--priority=3", "true", "--db=x"],
    ["--priority=3", "enqueue", "true", "--db", "x"],
  ];

  for (const line of lines) {
    const { name, words, flags } = await partsOf(...line);
    assertEquals({ name, words, flags }, { name: "enqueue", words: ["true"], flags: { db: "x", priority: "3" } });
  }
});

Deno.test("options work between the words of a command's name", async () => {
  assertEquals((await partsOf("worker", "--json", "run")).name, "worker run");
  assertEquals((await partsOf("--db", "run", "worker", "run")).flags, { db: "run" });
});

Deno.test("an alias means the flag that it stands for", async () => {
  assertEquals((await partsOf("enqueue", "true", "--retries", "2")).flags, { "max-retries": "2" });
});

Deno.test("a flag given twice counts the last time, a repeatable one collects", async () => {
  const { flags } = await partsOf("enqueue", "true", "--priority=1", "--tag=a", "--priority=2", "--tag=b");

  assertEquals(flags, { priority: "2", tag: ["a", "b"] });
});

Deno.test("a value may begin with a dash, and may be empty", async () => {
  assertEquals((await partsOf("enqueue", "true", "--timeout", "-5")).flags, { timeout: "-5" });
  assertEquals((await partsOf("enqueue", "true", "--timeout", "-x")).flags, { timeout: "-x" });
  assertEquals((await partsOf("enqueue", "true", "--tag=")).flags, { tag: [""] });
  assertEquals((await partsOf("enqueue", "true", "--tag=--a=b")).flags, { tag: ["--a=b"] });
});

Deno.test("a negative number is a word, and so is a lone dash", async () => {
  assertEquals((await partsOf("config", "set", "backoff_jitter", "-1")).words, ["backoff_jitter", "-1"]);
  assertEquals((await partsOf("enqueue", "-")).words, ["-"]);
});

Deno.test("a missing value is refused, with the form that would do", async () => {
  assertEquals(await refusal("enqueue", "true", "--timeout"), {
    message: 'Missing value for "--timeout"',
    hint: "queuectl enqueue --timeout D",
  });
  assertEquals((await refusal("enqueue", "--timeout", "--json", "true")).hint, "queuectl enqueue --timeout=--json");
  assertEquals((await refusal("enqueue", "--timeout", "--", "true")).hint, "queuectl enqueue --timeout D");
});

Deno.test("everything after -- is the program of a command that takes one", async () => {
  assertEquals(await partsOf("enqueue", "--priority=1", "--", "ls", "--json", "-la", "--", "x"), {
    name: "enqueue",
    words: [],
    argv: ["ls", "--json", "-la", "--", "x"],
    flags: { priority: "1" },
  });
});

Deno.test("everything after -- is words for other commands", async () => {
  const { words, argv } = await partsOf("cancel", "a", "--", "--b", "-c");

  assertEquals({ words, argv }, { words: ["a", "--b", "-c"], argv: undefined });
});

Deno.test("a -- with nothing behind it is refused", async () => {
  assertEquals(await refusal("enqueue", "--"), {
    message: 'Nothing follows "--" for "enqueue"',
    hint: "queuectl enqueue -- PROGRAM ARGUMENT...",
  });
});

Deno.test("several words without -- are refused, the hint shows the -- form", async () => {
  assertEquals((await refusal("enqueue", "sleep", "5")).hint, "queuectl enqueue -- sleep 5");
  assertEquals(
    (await refusal("enqueue", "echo", "a b", "--priority", "3", "it's")).hint,
    `queuectl enqueue --priority 3 -- echo 'a b' 'it'\\''s'`,
  );
  assertEquals((await refusal("enqueue", "grep", "-q", "x")).hint, "queuectl enqueue -- grep -q x");
});

Deno.test("the -- form leaves what comes before the command in its place, and one word is for the shell", async () => {
  assertEquals(await refusal("edit", "k3v9", "sleep", "5", "--priority", "3"), {
    message: "Cannot tell the command from 2 words",
    hint: "queuectl edit k3v9 --priority 3 -- sleep 5",
  });
  assertEquals(await refusal("edit", "k3v9", "sleep 5"), {
    message: "Cannot tell the command from 1 word",
    hint: "queuectl edit k3v9 --command 'sleep 5'",
  });
  assertEquals((await refusal("template", "create", "x", "sleep", "5")).hint, "queuectl template create x -- sleep 5");
});

Deno.test("a flag that was meant for the program is refused with the -- form", async () => {
  assertEquals(await refusal("enqueue", "ls", "-la", "/tmp"), {
    message: 'Unknown option "-l" for "enqueue"',
    hint: "queuectl enqueue -- ls -la /tmp",
  });
});

Deno.test("an unknown flag is refused with the nearest name", async () => {
  assertEquals(await refusal("enqueue", "true", "--prioritty", "3"), {
    message: 'Unknown option "--prioritty" for "enqueue"',
    hint: "queuectl enqueue --priority",
  });
  assertEquals((await refusal("--jsn")).hint, "queuectl --json");
  assertEquals((await refusal("list", "--zzzzzz")).hint, "queuectl list --help");
  assertEquals((await refusal("list", "-z")).message, 'Unknown option "-z" for "list"');
});

Deno.test("an unknown command is refused with the nearest name", async () => {
  assertEquals(await refusal("enqeue", "--priority", "3"), {
    message: 'Unknown command "enqeue"',
    hint: "queuectl enqueue",
  });
  assertEquals(await refusal("worker", "strt"), {
    message: 'Unknown command "worker strt"',
    hint: "queuectl worker --help",
  });
  assertEquals((await refusal("worker", "stpo")).hint, "queuectl worker stop");
  assertEquals((await refusal("xyzzy")).hint, "queuectl --help");
});

Deno.test("a word after a group that is a command too is an unknown subcommand", async () => {
  assertEquals(await refusal("config", "gett"), {
    message: 'Unknown command "config gett"',
    hint: "queuectl config get",
  });
});

Deno.test("config alone lists, and job list is list", async () => {
  assertEquals((await partsOf("config")).name, "config list");
  assertEquals((await partsOf("config", "--json")).name, "config list");
  assertEquals((await partsOf("config", "get")).words, []);
  assertEquals((await partsOf("job", "list", "-n5")).name, "list");
});

Deno.test("a group alone is refused with its help", async () => {
  const error = await assertRejects(() => reading("worker"), MissingSubcommandError);

  assertEquals(error.group, "worker");
});

Deno.test("too many words are refused by the first that is too many", async () => {
  assertEquals((await refusal("show", "a", "b")).message, 'Unexpected argument "b" for "show"');
  assertEquals((await refusal("list", "a")).message, 'Unexpected argument "a" for "list"');
});

Deno.test("a missing argument is refused by its name", async () => {
  assertEquals((await refusal("show")).message, 'Missing ID for "show"');
  assertEquals((await refusal("cancel")).message, 'Missing ID for "cancel"');
  assertEquals((await refusal("config", "set", "max_retries")).message, 'Missing VALUE for "config set"');
});

Deno.test("an argument with choices takes no other", async () => {
  assertEquals((await partsOf("completions", "zsh")).words, ["zsh"]);
  assertEquals(await refusal("completions", "zhs"), {
    message: 'Invalid SHELL "zhs": expected bash, zsh',
    hint: "zsh",
  });
});

Deno.test("integers, durations and choices are read, or refused by name", async () => {
  assertEquals((await partsOf("list", "--limit", "5", "--since", "1h30m", "--order=oldest")).flags, {
    limit: 5,
    since: 5_400_000,
    order: "oldest",
  });
  assertEquals((await partsOf("list", "--limit", "-1")).flags, { limit: -1 });
  assertEquals((await refusal("list", "--limit", "many")).message, 'Invalid --limit "many": expected a whole number');
  assertEquals((await refusal("list", "--limit", "1.5")).message, 'Invalid --limit "1.5": expected a whole number');
  assertEquals((await refusal("list", "--limit=")).message, 'Invalid --limit "": expected a whole number');
  assertEquals((await refusal("list", "--since", "soon")).message.startsWith('Invalid --since "soon"'), true);
  assertEquals(await refusal("list", "--order", "oldst"), {
    message: 'Invalid --order "oldst": expected newest, oldest',
    hint: "--order oldest",
  });
});

Deno.test("short flags cluster, and the one that takes a value takes the rest", async () => {
  assertEquals((await partsOf("list", "-qf")).flags, { quiet: true, follow: true });
  assertEquals((await partsOf("list", "-n5")).flags, { limit: 5 });
  assertEquals((await partsOf("list", "-n=5")).flags, { limit: 5 });
  assertEquals((await partsOf("list", "-fn", "5")).flags, { follow: true, limit: 5 });
  assertEquals((await partsOf("-n", "5", "list")).flags, { limit: 5 });
});

Deno.test("a boolean takes only true and false as its value", async () => {
  assertEquals((await partsOf("list", "--follow=true")).flags, { follow: true });
  assertEquals((await partsOf("list", "--follow=false")).flags, { follow: false });
  assertEquals((await refusal("list", "--follow=5")).message, 'Option "--follow" takes no value, got "5"');
});

Deno.test("--no- works for flags that say so, and for flags named so", async () => {
  assertEquals((await partsOf("list", "--no-header")).flags, { header: false });
  assertEquals((await partsOf("list", "--no-header=false")).flags, { header: true });
  assertEquals((await partsOf("enqueue", "true", "--no-output")).flags, { "no-output": true });
  assertEquals((await refusal("list", "--no-follow")).message, 'Unknown option "--no-follow" for "list"');
});

Deno.test("--json and --format: the last one decides", async () => {
  assertEquals((await partsOf("list", "--json")).flags, { json: true, format: "json" });
  assertEquals((await partsOf("list", "--json", "--format=plain")).flags, { json: false, format: "plain" });
  assertEquals((await partsOf("list", "--format=plain", "--json")).flags, { json: true, format: "json" });
});

Deno.test("help wherever it is asked for", async () => {
  const target = async (...argv: string[]) => {
    const { name, words } = await partsOf(...argv);
    return `${name}: ${words.join(" ")}`;
  };

  assertEquals(await target(), "help: ");
  assertEquals(await target("--json"), "help: ");
  assertEquals(await target("-h"), "help: ");
  assertEquals(await target("help", "worker", "run"), "help: worker run");
  assertEquals(await target("worker", "--help"), "help: worker");
  assertEquals(await target("--help", "worker", "run"), "help: worker run");
  assertEquals(await target("show", "--help"), "help: show");
  assertEquals(await target("enqueue", "a", "b", "-h"), "help: enqueue");
});

Deno.test("--version wherever it is asked for, but not behind --", async () => {
  assertEquals((await partsOf("--version")).name, "version");
  assertEquals((await partsOf("list", "--version")).name, "version");
  assertEquals((await partsOf("enqueue", "--", "ls", "--version")).name, "enqueue");
  assertEquals((await partsOf("enqueue", "--", "ls", "--help")).argv, ["ls", "--help"]);
});
