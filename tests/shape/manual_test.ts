/** The manual tells of everything that the tables hold, once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CommandSpec } from "../../lib/cli/command.ts";
import { COMMAND_TABLE } from "../../lib/cli/command_table.ts";
import type { ManualPage, Term } from "../../lib/cli/manual/document.ts";
import { pageNameOf, SHARED_PAGES } from "../../lib/cli/manual/page_names.ts";
import { findPage, manualPages } from "../../lib/cli/manual/pages.ts";
import { toPlain } from "../../lib/cli/manual/plain.ts";
import { toRoff } from "../../lib/cli/manual/roff.ts";
import { JOB_FLAGS } from "../../lib/cli/table/job_options.ts";
import { JOB_VARIABLES, READ_VARIABLES } from "../../lib/cli/table/surroundings.ts";
import { SERVICE_VARIABLES } from "../../lib/core/service_variables.ts";
import { environmentName } from "../../lib/config/load_settings.ts";
import { SETTINGS } from "../../lib/config/settings.ts";

const pages = manualPages(COMMAND_TABLE);
const commands = COMMAND_TABLE.commands.filter((command) => !command.hidden);

const titlesOf = (page: ManualPage) => page.blocks.flatMap((block) => block.kind === "part" ? [block.title] : []);
const termsOf = (page: ManualPage) => page.blocks.flatMap((block) => block.kind === "terms" ? block.terms : []);

/** What stands below the heading of a command. */
function termsBelow(command: CommandSpec, page: ManualPage): readonly Term[] {
  const start = page.blocks.findIndex((block) => block.kind === "part" && block.title === `queuectl ${command.name}`);
  const rest = page.blocks.slice(start + 1);
  const end = rest.findIndex((block) => block.kind === "part" || block.kind === "section");
  return rest.slice(0, end).flatMap((block) => block.kind === "terms" ? block.terms : []);
}

for (const command of commands) {
  Deno.test(`${command.name} is told of in exactly its page, with its usage and all its options`, () => {
    const telling = pages.filter((page) => titlesOf(page).includes(`queuectl ${command.name}`));
    const page = telling[0] as ManualPage;

    assertEquals(telling.map(({ name }) => name), [pageNameOf(command)]);
    assert(page.synopsis.some((line) => line.startsWith(command.name)), "no usage in the synopsis");
    const names = [...termsBelow(command, page), ...page.name === "queuectl-enqueue" ? termsOf(page) : []]
      .flatMap((term) => term.names);
    const missing = (command.flags ?? []).filter((flag) =>
      !JOB_FLAGS.includes(flag) && !names.includes(`--${flag.name}`)
    );
    assertEquals(missing.map(({ name }) => name), []);
    assertEquals(findPage(command.name, COMMAND_TABLE)?.name, page.name);
  });
}

Deno.test("the job options are told of once, and commands that lack some say which", () => {
  const told = pages.map((page) => {
    const names = termsOf(page).flatMap((term) => term.names);
    return [
      page.name,
      JOB_FLAGS.filter(({ name, section }) => names.includes(`--${name}`) && section !== undefined),
    ] as const;
  });
  const whole = told.filter(([, flags]) => flags.length === JOB_FLAGS.length).map(([name]) => name);

  assertEquals(whole, ["queuectl-enqueue"]);
  const edit = findPage("edit", COMMAND_TABLE) as ManualPage;
  const notes = edit.blocks.flatMap((block) => block.kind === "text" ? [block.text] : []);
  assert(notes.some((text) => /except `--template`, `--id`.* and `--batch`/.test(text)), notes.join("\n"));
});

Deno.test("a page of several commands has a sentence of its own for its NAME line", () => {
  const families = Map.groupBy(commands, pageNameOf);
  const several = [...families].filter(([, family]) => family.length > 1).map(([name]) => name);

  const known = SHARED_PAGES.map(({ name }) => `queuectl-${name}`);
  assertEquals(several.filter((name) => !known.includes(name)), [], "add it to lib/cli/manual/page_names.ts");
});

Deno.test("hidden commands are in no page", () => {
  const hidden = COMMAND_TABLE.commands.filter((command) => command.hidden).map(({ name }) => name);
  const text = pages.map((page) => toRoff(page, "1.2.3")).join("");

  assertEquals(hidden.filter((name) => text.includes(name)), []);
  assert(hidden.length > 0);
});

Deno.test("every global option is in queuectl(1), every setting in queuectl-config(1)", () => {
  const names = (asked: string) => termsOf(findPage(asked, COMMAND_TABLE) as ManualPage).flatMap((term) => term.names);

  assertEquals(COMMAND_TABLE.globalFlags.filter(({ name }) => !names("").includes(`--${name}`)), []);
  assertEquals(SETTINGS.filter(({ key }) => !names("config").includes(key)), []);
});

Deno.test("pages are found by their name, by a command and by another name of it", () => {
  const found = ["", "queuectl", "queuectl-worker", "worker", "worker start", "job show", "wait", "queuectl-logs"];

  assertEquals(found.map((asked) => findPage(asked, COMMAND_TABLE)?.name), [
    "queuectl",
    "queuectl",
    "queuectl-worker",
    "queuectl-worker",
    "queuectl-worker",
    "queuectl-list",
    "queuectl-run",
    "queuectl-list",
  ]);
  assertEquals(findPage("__worker", COMMAND_TABLE), undefined);
  assertEquals(findPage("no such page", COMMAND_TABLE), undefined);
});

Deno.test("each page refers to pages that exist", () => {
  const known = new Set(pages.flatMap((page) => [page.name, ...page.otherNames]));

  for (const page of pages) {
    const text = [
      ...page.seeAlso.map((name) => `${name}(1)`),
      ...page.blocks.flatMap((block) => block.kind === "text" ? [block.text] : []),
    ].join(" ");
    const named = [...text.matchAll(/(queuectl[a-z-]*)\(1\)/g)].map(([, name = ""]) => name);
    assertEquals(named.filter((name) => !known.has(name)), [], page.name);
  }
});

Deno.test("the same version gives the same bytes, and no page holds a date", () => {
  for (const page of pages) {
    const roff = toRoff(page, "1.2.3");
    assertEquals(roff, toRoff(page, "1.2.3"));
    assertMatch(roff, /^\.TH "[A-Z\\-]+" "1" "" "queuectl 1\.2\.3" "queuectl manual"$/m);
  }
});

Deno.test("what roff would change is written so that it is shown as typed", () => {
  const page: ManualPage = {
    name: "queuectl-odd",
    otherNames: [],
    summary: "odd",
    synopsis: [".start 'quoted' --flag"],
    blocks: [{ kind: "text", text: ".stop_workers and 'x' \\n ~/.a ^b `--flag` of queuectl-run(1) e.g. this" }],
    seeAlso: [],
  };

  const roff = toRoff(page, "1");

  assertMatch(roff, /^queuectl \.start \\\(aqquoted\\\(aq \\-\\-flag$/m);
  assertMatch(
    roff,
    /^\\&\.stop_workers and \\\(aqx\\\(aq \\en \\\(ti\/\.a \\\(hab \\fB\\-\\-flag\\fR of \\fBqueuectl\\-run\\fR\(1\)/m,
  );
});

Deno.test("as plain text no line is wider than 80 columns, and nothing of roff or Markdown is left", () => {
  for (const page of pages) {
    const text = toPlain(page, { columns: 80, color: false });
    assertEquals(text.split("\n").filter((line) => line.length > 80), [], page.name);
    assertEquals(/\\f[BIR]|`/.test(text), false, page.name);
  }
});

Deno.test("every variable that the sources read or give to jobs is in the manual", async () => {
  const sources = await sourcesOf(new URL("../../lib/", import.meta.url));
  const read = [...sources.matchAll(/\benv(?:\.(?:get|has)\(|\(|,)\s*"([A-Z_]+)"/g)].map(([, name = ""]) => name);
  const given = [...sources.matchAll(/\benv\.set\("(QUEUECTL_[A-Z_]+)"/g)].map(([, name = ""]) => name);
  const known = [...READ_VARIABLES.flatMap(([names]) => names.split(", ")), ...SETTINGS.map(environmentName)];

  // PATH is looked into as every program does.
  const unknown = read.filter((name) => !known.includes(name) && name !== "PATH");
  assertEquals(SERVICE_VARIABLES.filter((name) => !known.includes(name)), []);
  assertEquals([...new Set(unknown)], [], "add it to lib/cli/table/surroundings.ts");
  assertEquals([...new Set(given)].sort(), JOB_VARIABLES.map(([name]) => name).sort());
});

async function sourcesOf(folder: URL): Promise<string> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) texts.push(await sourcesOf(new URL(`${name}/`, folder)));
    else if (name.endsWith(".ts")) texts.push(await Deno.readTextFile(new URL(name, folder)));
  }
  return texts.join("\n");
}
