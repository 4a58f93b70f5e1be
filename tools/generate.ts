/**
 * Writes the files that are made from the command, settings and state tables:
 * the completion scripts, docs/reference, and the sections of the README between
 * `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`. And from the
 * migrations: the schema that a database is compared with.
 *
 * With `--check` it writes nothing, and exits 1 when something would change.
 * @module
 */
import { COMMAND_TABLE } from "../lib/cli/command_table.ts";
import { bashCompletion } from "../lib/cli/completions/bash.ts";
import { fishCompletion } from "../lib/cli/completions/fish.ts";
import { zshCompletion } from "../lib/cli/completions/zsh.ts";
import { commandTables, referenceFiles, settingsReference } from "../lib/cli/reference.ts";
import { SETTINGS } from "../lib/config/settings.ts";
import { Connection } from "../lib/store/sqlite/connection.ts";
import { openDriver } from "../lib/store/sqlite/driver.ts";
import { migrate } from "../lib/store/sqlite/migrate.ts";
import { schemaText } from "../lib/store/sqlite/schema.ts";
import { renderStateDiagram } from "../lib/core/job_state_diagram.ts";

const ROOT = new URL("../", import.meta.url);

/** Everything in this folder is generated. */
const REFERENCE = "docs/reference";

export interface GeneratedFile {
  /** From the root of the project. */
  readonly path: string;
  /** What is there now; undefined when it is missing. */
  readonly current: string | undefined;
  /** Undefined: nothing makes it any more, and it goes. */
  readonly wanted: string | undefined;
}

/** Every generated file as it is and as it should be, and what is left of earlier ones. A README that does not exist is left out. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const scripts: [string, string][] = [
    ["completions/queuectl.bash", bashCompletion(COMMAND_TABLE)],
    ["completions/_queuectl", zshCompletion(COMMAND_TABLE)],
    ["completions/queuectl.fish", fishCompletion(COMMAND_TABLE)],
  ];
  const pages = [...referenceFiles(COMMAND_TABLE, SETTINGS)].map(([name, text]): [string, string] => [
    `${REFERENCE}/${name}`,
    text,
  ]);
  const made = [...scripts, ...pages, ["lib/store/sqlite/schema_now.sql", await presentSchema()] as [string, string]];
  const left = (await namesIn(REFERENCE)).map((name) => `${REFERENCE}/${name}`)
    .filter((path) => !made.some(([known]) => known === path));
  const all: [string, string | undefined][] = [...made, ...left.map((path): [string, undefined] => [path, undefined])];
  const files = await Promise.all(all.map(async ([path, wanted]) => ({ path, current: await read(path), wanted })));
  const readme = await read("README.md");
  return readme === undefined
    ? files
    : [...files, { path: "README.md", current: readme, wanted: withSections(readme, sections()) }];
}

/** The schema as all migrations make it, which a database is compared with when it is opened. */
async function presentSchema(): Promise<string> {
  const driver = openDriver(":memory:", { busyTimeoutMs: 0 });
  try {
    await migrate(new Connection(driver, { path: ":memory:", busyTimeoutMs: 0 }));
    return schemaText(driver);
  } finally {
    driver.close();
  }
}

function sections(): ReadonlyMap<string, string> {
  return new Map([
    ["commands", commandTables(COMMAND_TABLE, `${REFERENCE}/`)],
    ["settings", settingsReference(SETTINGS)],
    ["states", renderStateDiagram()],
  ]);
}

/** The text with the body of each section in its place. Sections without markers are left out. */
export function withSections(text: string, bodies: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [name, body] of bodies) {
    const start = `<!-- generated:${name} -->`;
    const end = `<!-- /generated:${name} -->`;
    const from = result.indexOf(start);
    if (from < 0) continue;
    const to = result.indexOf(end, from);
    if (to < 0) throw new Error(`README.md has ${start} but not ${end}`);
    result = `${result.slice(0, from + start.length)}\n\n${body.trim()}\n\n${result.slice(to)}`;
  }
  return result;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(new URL(folder, ROOT)))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(new URL(path, ROOT));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function main(args: readonly string[]): Promise<number> {
  const isCheck = args.includes("--check");
  const unknown = args.find((arg) => arg !== "--check");
  if (unknown !== undefined) {
    console.error(`generate: Unknown argument "${unknown}"\nUsage: tools/deno task generate [--check]`);
    return 2;
  }
  const files = await generatedFiles();
  if (!files.some((file) => file.path === "README.md")) console.error("generate: no README.md, left out");
  const stale = files.filter((file) => file.current !== file.wanted);
  for (const file of stale) {
    if (isCheck) {
      console.error(`generate: ${file.path} is out of date`);
      continue;
    }
    if (file.wanted === undefined) {
      await Deno.remove(new URL(file.path, ROOT));
      console.error(`generate: removed ${file.path}`);
      continue;
    }
    await Deno.mkdir(new URL(".", new URL(file.path, ROOT)), { recursive: true });
    await Deno.writeTextFile(new URL(file.path, ROOT), file.wanted);
    console.error(`generate: wrote ${file.path}`);
  }
  if (isCheck && stale.length > 0) console.error("Try: tools/deno task generate");
  return isCheck && stale.length > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
