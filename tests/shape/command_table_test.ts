import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CommandSpec, FlagSpec } from "../../lib/cli/command.ts";
import { FAMILIES, partFor } from "../../lib/cli/command_families.ts";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import { parse } from "../../lib/cli/parse.ts";

const { commands, globalFlags } = COMMAND_TABLE;

/** Every flag with the command that has it. */
const allFlags: { owner: string; flag: FlagSpec }[] = [
  ...globalFlags.map((flag) => ({ owner: "global", flag })),
  ...commands.flatMap((command) => (command.flags ?? []).map((flag) => ({ owner: command.name, flag }))),
];

function spellings(flag: FlagSpec): string[] {
  return [
    `--${flag.name}`,
    ...(flag.aliases ?? []).map((alias) => `--${alias}`),
    ...flag.negatable ? [`--no-${flag.name}`] : [],
    ...flag.short === undefined ? [] : [`-${flag.short}`],
  ];
}

function duplicates(names: readonly string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i);
}

for (const command of commands) {
  Deno.test(`${command.name}: its code loads and has run()`, async () => {
    const module = await command.load();

    assertEquals(typeof module.run, "function");
  });

  Deno.test(`${command.name}: has a summary and examples that parse as this command`, async () => {
    assertMatch(command.summary, /^[A-Z].*[^.]$/);
    assert(command.examples.length > 0, "has no example");
    for (const example of command.examples) {
      const argv = shellWords(example.line);
      if (argv === undefined) continue;
      const input = await parse(argv, COMMAND_TABLE);
      assertEquals(input.spec.name, command.name, example.line);
    }
  });

  Deno.test(`${command.name}: every flag and argument has a sentence, and no name twice`, () => {
    for (const flag of command.flags ?? []) checkFlag(flag);
    for (const argument of command.arguments ?? []) assertMatch(argument.summary, /^[A-Z].*[^.]$/, argument.name);
    const typed = [...command.flags ?? [], ...globalFlags].flatMap(spellings);
    assertEquals(duplicates(typed), []);
  });

  Deno.test(`${command.name}: required arguments come first, and only the last takes many`, () => {
    const wanted = command.arguments ?? [];
    const firstOptional = wanted.findIndex((argument) => !argument.required);
    assert(firstOptional < 0 || wanted.slice(firstOptional).every((argument) => !argument.required));
    assert(wanted.slice(0, -1).every((argument) => !argument.variadic));
  });
}

for (const [word, family] of FAMILIES) {
  Deno.test(`the family of ${word} holds every command that begins with this word`, async () => {
    const beginsSo = (name: string) => name === word || name.startsWith(`${word} `);
    const named = commands.filter(({ name, aliases }) => [name, ...aliases ?? []].some(beginsSo));
    const part = await family();

    assert(named.length > 0, "no command begins with it");
    assertEquals(named.filter((command) => !part.includes(command)), []);
  });
}

for (
  const { argv, first } of [
    { argv: ["enqueue", "true"], first: "enqueue" },
    { argv: ["--db", "list", "-q", "enqueue", "true"], first: "enqueue" },
    { argv: ["--db=x", "--json", "worker", "status"], first: "worker start" },
    { argv: ["--priority", "5", "enqueue", "true"], first: undefined },
    { argv: ["job", "show", "a"], first: undefined },
    { argv: ["--", "enqueue"], first: undefined },
    { argv: ["--db"], first: undefined },
    { argv: [], first: undefined },
  ]
) {
  Deno.test(`[${argv.join(" ")}] is read by ${first === undefined ? "the whole table" : `the part of ${first}`}`, async () => {
    assertEquals((await partFor(argv))?.commands[0]?.name, first);
  });
}

Deno.test("every command about jobs is also there as `job NAME`", () => {
  const jobs = commands.filter((command) => command.group === "Jobs" && !command.hidden);

  assertEquals(jobs.filter(({ name, aliases }) => !aliases?.includes(`job ${name}`)).map(({ name }) => name), []);
});

Deno.test("global flags have a sentence each", () => globalFlags.forEach(checkFlag));

Deno.test("no command's name or alias is another's", () => {
  const names = commands.flatMap((command: CommandSpec) => [command.name, ...command.aliases ?? []]);

  assertEquals(duplicates(names), []);
});

Deno.test("a flag takes a value in all commands that have it, or in none", () => {
  // Flags may stand before the command, when it is not yet known whose they are.
  const takesValue = new Map<string, { owner: string; takes: boolean }>();
  for (const { owner, flag } of allFlags) {
    const takes = flag.type !== "boolean";
    for (const name of [flag.name, ...flag.aliases ?? []]) {
      const earlier = takesValue.get(name);
      assert(earlier === undefined || earlier.takes === takes, `--${name} of ${earlier?.owner} and of ${owner} differ`);
      takesValue.set(name, { owner, takes });
    }
  }
});

function checkFlag(flag: FlagSpec): void {
  assertMatch(flag.name, /^[a-z][a-z0-9-]*$/);
  assertMatch(flag.summary, /^[A-Z].*[^.]$/, flag.name);
  assertEquals(flag.type === "choice", flag.choices !== undefined, flag.name);
  assertEquals(flag.value === undefined, flag.type === "boolean", `--${flag.name}: a placeholder for its value`);
}

/** The words of an example, when it is one plain command line of queuectl. */
function shellWords(line: string): string[] | undefined {
  if (!line.startsWith("queuectl ") || line.includes(" | ") || line.includes("$")) return undefined;
  const withoutRedirect = line.split(" > ")[0] ?? "";
  const words = withoutRedirect.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replace(/^(['"])(.*)\1$/s, "$2"));
}
