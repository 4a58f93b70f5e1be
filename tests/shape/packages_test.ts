/**
 * The packages that this project is built on: those of the list, each for what it is good at, and no others.
 * @module
 */
import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Each is mapped in deno.json, whole or by its parts (`@std/cli/parse-args`). */
const PACKAGES = ["@std/assert", "@std/cli", "@std/fmt", "@std/path"];

/** Carries the packages above, because npm is reachable where JSR is not. Only the maps refer to it. */
const CARRIER = "deno-std/";
const MAPS = "tools/std";

const SOURCES = ["main.ts", "lib", "tools", "bench", "tests"];

async function maps(): Promise<Record<string, string>> {
  return JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).imports;
}

function sourceFiles(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return [...Deno.readDirSync(ROOT + path)].flatMap((entry) => {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory) return below === MAPS ? [] : sourceFiles(below);
    return below.endsWith(".ts") ? [below] : [];
  });
}

/** Every bare name in an import, static or lazy -> the files that have it. */
async function imports(): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const path of SOURCES.flatMap(sourceFiles)) {
    const text = await Deno.readTextFile(ROOT + path);
    for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"((?:@|[a-z])[\w@./:-]*)"/gm)) {
      found.set(name, [...found.get(name) ?? [], path]);
    }
  }
  return found;
}

function packageOf(name: string): string | undefined {
  return PACKAGES.find((each) => name === each || name.startsWith(`${each}/`));
}

Deno.test("deno.json maps every package of the list, and nothing else", async () => {
  const names = Object.keys(await maps()).filter((name) => name !== CARRIER);

  assertEquals(PACKAGES.filter((each) => !names.some((name) => packageOf(name) === each)), []);
  assertEquals(names.filter((name) => packageOf(name) === undefined), []);
});

Deno.test("every map of deno.json has a user", async () => {
  const used = await imports();

  const unused = Object.keys(await maps()).filter((name) => name !== CARRIER && !used.has(name));

  assertEquals(unused, []);
});

Deno.test("the program itself uses @std/cli, @std/fmt and @std/path, and tests use @std/assert", async () => {
  const used = [...await imports()];
  const isUsedIn = (folder: string, name: string) =>
    used.some(([imported, files]) => packageOf(imported) === name && files.some((file) => file.startsWith(folder)));

  assertEquals(["@std/cli", "@std/fmt", "@std/path"].filter((name) => !isUsedIn("lib/", name)), []);
  assertEquals(isUsedIn("tests/", "@std/assert"), true);
});

Deno.test("whatever is imported comes from the list, the runtime or this project", async () => {
  const mapped = await maps();

  const foreign = [...(await imports()).keys()].filter((name) => !(name in mapped) && !name.startsWith("node:"));

  assertEquals(foreign, []);
});

Deno.test("the lock knows only packages that are mapped, each with its hash", async () => {
  const lock = JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`));
  const locked = Object.entries<{ integrity?: string }>(lock.npm ?? {});

  assertEquals(locked.filter(([name]) => !name.startsWith("deno-std@")), []);
  assertEquals(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? "")), []);
});
