/**
 * Programs of other versions than dist/queuectl, for tests of upgrades: the one
 * before, and one of the future whose schema is newer. Each is compiled from
 * sources in a folder of the test, which takes some five seconds.
 * @module
 */
import { SCHEMA_VERSION } from "../../lib/store/sqlite/migrate.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** State of the project before its first release; its database has schema 1. */
const EARLIER_COMMIT = "a41ab355e330e002f105b6296a26e8df44003756";

export const EARLIER_VERSION = "0.0.9";
export const FUTURE_VERSION = "99.0.0";

/** All that a program is made of. */
const SOURCES = ["deno.json", "deno.lock", "main.ts", "lib", "tools"];
/** Needed for a build of today's sources; the earlier commit has them not, and its build does not ask. */
const NOTICES = ["LICENSE", "THIRD_PARTY_NOTICES"];

/**
 * The newest earlier program that has the schema of this one. Its version number is another, so that it can be told
 * apart. Where the history of the project is not at hand, or the schema has changed since, it is made of today's sources.
 */
export async function earlierProgram(folder: string): Promise<string> {
  const sources = `${folder}/earlier`;
  await Deno.mkdir(sources);
  const isFit = await extractCommit(EARLIER_COMMIT, sources) && await schemaOf(sources) === SCHEMA_VERSION;
  if (!isFit) {
    await Deno.remove(sources, { recursive: true });
    await Deno.mkdir(sources);
    await copySources(sources);
  }
  console.log(`The earlier program is made of ${isFit ? `commit ${EARLIER_COMMIT}` : "today's sources"}`);
  await setVersion(sources, EARLIER_VERSION);
  return await compile(sources, `${folder}/queuectl-old`);
}

/** Today's program with one more migration. */
export async function futureProgram(folder: string): Promise<string> {
  const sources = `${folder}/future`;
  await Deno.mkdir(sources);
  await copySources(sources);
  await setVersion(sources, FUTURE_VERSION);
  await edit(`${sources}/lib/store/sqlite/migrate.ts`, (text) =>
    text.replace(
      /^\];\n\nexport const SCHEMA_VERSION/m,
      '  () => import("./migrations/future.sql", { with: { type: "text" } }),\n$&',
    ));
  await Deno.writeTextFile(
    `${sources}/lib/store/sqlite/migrations/future.sql`,
    "alter table jobs add column future text;\n",
  );
  return await compile(sources, `${folder}/queuectl-new`);
}

/** False where the history is not at hand, as in a shallow clone or without git. */
async function extractCommit(commit: string, folder: string): Promise<boolean> {
  // The clone may belong to another user than the one who runs the tests.
  const git = `git -c safe.directory='*' -C "$1" archive --format=tar "$2" -- $3 >"$4" && tar -xf "$4" -C "$5"`;
  const { success } = await new Deno.Command("sh", {
    args: ["-c", git, "sh", ROOT, commit, SOURCES.join(" "), `${folder}.tar`, folder],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

async function schemaOf(sources: string): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`${sources}/lib/store/sqlite/migrations`))).length;
}

async function copySources(folder: string): Promise<void> {
  const paths = [...SOURCES, ...NOTICES].map((name) => `${ROOT}${name}`);
  const { success } = await new Deno.Command("cp", { args: ["-R", ...paths, folder] }).output();
  if (!success) throw new Error(`Cannot copy the sources to ${folder}`);
}

async function setVersion(sources: string, version: string): Promise<void> {
  await edit(`${sources}/deno.json`, (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await Deno.readTextFile(path);
  const changed = change(text);
  if (changed === text) throw new Error(`${path} is not as it was: nothing to change in it`);
  await Deno.writeTextFile(path, changed);
}

async function compile(sources: string, output: string): Promise<string> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "tools/compile.ts", "--output", output],
    cwd: sources,
    // Read as the directory of whoever called the task.
    env: { INIT_CWD: sources },
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(`Cannot compile ${sources}: ${new TextDecoder().decode(stderr)}`);
  await Deno.remove(sources, { recursive: true });
  return output;
}
