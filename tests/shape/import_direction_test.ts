/**
 * Imports point one way. The rules are data; a new folder under lib/ needs a
 * line here before anything may import it.
 * @module
 */
import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url).href;

/** Folder -> what it may import, besides itself. `store` is its face, store/mod.ts, and its interface. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "main": ["cli"],
  "version": [],
  "core": [],
  "config": ["core", "host"],
  "log": ["core", "host"],
  "host": ["core"],
  "store": ["core", "store/sqlite", "store/postgres"],
  "store/sqlite": ["core", "host", "log", "store"],
  "store/postgres": ["core", "log", "store"],
  "notify": ["core", "config", "log"],
  "operations": ["core", "config", "log", "host", "store"],
  "worker": ["core", "config", "log", "host", "store", "operations", "version"],
  "maintenance": ["core", "config", "log", "host", "store", "operations", "notify"],
  "dashboard": ["core", "config", "log", "store", "operations", "version"],
  "cli": [
    "core",
    "config",
    "log",
    "host",
    "store",
    "operations",
    "worker",
    "maintenance",
    "notify",
    "dashboard",
    "version",
  ],
};

/** Only this file knows the implementations of the store. */
const KNOWS_STORES = "lib/store/open_store.ts";

interface ModuleGraph {
  readonly modules: readonly { specifier: string; dependencies?: readonly Dependency[] }[];
}

interface Dependency {
  readonly specifier: string;
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Every import between files of this project, type-only and lazy ones included. */
async function edges(): Promise<Edge[]> {
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", new URL("main.ts", ROOT).pathname],
    cwd: new URL(".", ROOT),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const graph = JSON.parse(new TextDecoder().decode(stdout)) as ModuleGraph;
  return graph.modules.filter((module) => module.specifier.startsWith(ROOT)).flatMap((module) => {
    const targets = (module.dependencies ?? []).flatMap((dependency) =>
      [dependency.code?.specifier, dependency.type?.specifier].filter((target) => target !== undefined)
    );
    return [...new Set(targets)].filter((target) => target.startsWith(ROOT)).map((target) => ({
      from: module.specifier.slice(ROOT.length),
      to: target.slice(ROOT.length),
    }));
  });
}

/** `lib/store/sqlite/jobs.ts` -> `store/sqlite`; undefined outside lib/ (deno.json, tools/std). */
function folderOf(path: string): string | undefined {
  if (path === "main.ts") return "main";
  if (path === "lib/version.ts") return "version";
  const parts = path.split("/");
  if (parts[0] !== "lib") return undefined;
  const hasRoom = parts[1] === "store" && (parts[2] === "sqlite" || parts[2] === "postgres");
  return hasRoom ? `store/${parts[2]}` : parts[1];
}

/** Why an import may not be, or undefined when it may. */
function objection({ from, to }: Edge): string | undefined {
  const folder = folderOf(from);
  const target = folderOf(to);
  if (folder === undefined || target === undefined || folder === target) return undefined;
  const allowed = MAY_IMPORT[folder];
  if (allowed === undefined) return `${from}: the folder "${folder}" has no line in MAY_IMPORT`;
  if (!allowed.includes(target)) return `${from} imports ${to}: ${folder} may not import ${target}`;
  if (folder === "store" && target !== "core" && from !== KNOWS_STORES) {
    return `${from} imports ${to}: only ${KNOWS_STORES} may know an implementation`;
  }
  const isOutside = target === "store" && !folder.startsWith("store/");
  if (isOutside && to !== "lib/store/mod.ts" && to !== "lib/store/store.ts") {
    return `${from} imports ${to}: the store is entered through lib/store/mod.ts`;
  }
  return undefined;
}

Deno.test("imports point from main down to core, and never back", async () => {
  const found = (await edges()).map(objection).filter((text) => text !== undefined);

  assertEquals(found, []);
});

Deno.test("an import against the direction is seen", () => {
  const path = (from: string, to: string) => objection({ from, to });

  assertEquals(
    path("lib/core/job.ts", "lib/cli/run.ts"),
    "lib/core/job.ts imports lib/cli/run.ts: core may not import cli",
  );
  assertEquals(
    path("lib/cli/run.ts", "lib/store/sqlite/jobs.ts"),
    "lib/cli/run.ts imports lib/store/sqlite/jobs.ts: cli may not import store/sqlite",
  );
  assertEquals(
    path("lib/operations/enqueue.ts", "lib/store/migrate.ts"),
    "lib/operations/enqueue.ts imports lib/store/migrate.ts: the store is entered through lib/store/mod.ts",
  );
  assertEquals(path("lib/cli/run.ts", "lib/store/mod.ts"), undefined);
  assertEquals(path("lib/store/sqlite/jobs.ts", "lib/store/store.ts"), undefined);
});

Deno.test("core neither reads nor changes the world", async () => {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL("lib/core", ROOT))) {
    const text = await Deno.readTextFile(new URL(`lib/core/${entry.name}`, ROOT));
    text.split("\n").forEach((line, i) => {
      const isComment = /^\s*(\*|\/\/|\/\*)/.test(line);
      const impure = /\bDeno\.|\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|from "node:(?!util)/.test(line);
      if (impure && !isComment) found.push(`lib/core/${entry.name}:${i + 1}: ${line.trim()}`);
    });
  }

  assertEquals(found, []);
});
