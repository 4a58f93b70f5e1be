/**
 * What is inside the program: read from the runtime, the program and the npm
 * packages themselves, so that nothing has to be kept up by hand.
 * @module
 */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "./compiler.ts";
import { denoDirectory } from "../deno_directory.ts";

export interface Component {
  readonly name: string;
  /** Undefined where the runtime does not tell. */
  readonly version: string | undefined;
  readonly purl: string;
  /** SPDX identifier or expression; undefined for what does not say. */
  readonly license: string | undefined;
  /** The text of the licence; undefined when it came without one. */
  readonly licenseText: string | undefined;
  readonly description: string;
}

export interface Inventory {
  /** Bundled with the sources of queuectl. */
  readonly packages: readonly Component[];
  readonly runtime: Component;
  /** Libraries of the runtime whose licences are known here. */
  readonly libraries: readonly Component[];
  /** Rust crates of the runtime, as far as their names stand in it. */
  readonly crates: readonly Component[];
}

/** Deno's standard library, without its licence; each of its files names the same authors and terms as Deno's. */
const STD_CARRIER = "deno-std";

const LICENSES = join(import.meta.dirname!, "licenses");

/** Looks into the runtimes at `runtimes`, and at the program that starts with the module `entry`. */
export async function takeInventory(runtimes: readonly string[], entry = "lib/cli/run.ts"): Promise<Inventory> {
  const { deno, v8 } = Deno.version;
  // Deno adds a word to V8's version where it has changed V8.
  const v8Version = v8.replace(/-.*$/, "");
  return {
    packages: await npmPackages(entry),
    runtime: {
      name: "deno",
      version: deno,
      purl: `pkg:github/denoland/deno@v${deno}`,
      license: "MIT",
      licenseText: await text("deno.txt"),
      description: "The runtime, denort",
    },
    libraries: [
      {
        name: "v8",
        version: v8Version,
        purl: `pkg:github/v8/v8@${v8Version}`,
        license: "BSD-3-Clause",
        licenseText: await text("v8.txt"),
        description: "The JavaScript engine of the runtime",
      },
      {
        name: "icu",
        version: undefined,
        purl: "pkg:github/unicode-org/icu",
        license: "Unicode-3.0",
        licenseText: await text("icu.txt"),
        description: "Unicode data of the JavaScript engine",
      },
      {
        name: "sqlite",
        version: sqliteVersion(),
        purl: `pkg:generic/sqlite@${sqliteVersion()}`,
        license: "blessing",
        licenseText: await text("sqlite.txt"),
        description: "The database library of the runtime",
      },
    ],
    crates: await cratesIn(runtimes),
  };
}

async function text(name: string): Promise<string> {
  return await Deno.readTextFile(join(LICENSES, name));
}

function sqliteVersion(): string {
  const database = new DatabaseSync(":memory:");
  try {
    return String(database.prepare("select sqlite_version() as version").get()!.version);
  } finally {
    database.close();
  }
}

/** The parts of `deno info --json` that are read here. */
interface ModuleInfo {
  npmPackages?: Record<string, { name: string; version: string }>;
}

/** The npm packages that `entry` and its modules import, with what they import. */
async function npmPackages(entry: string): Promise<Component[]> {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: ROOT,
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot tell what ${entry} imports`);
  const info: ModuleInfo = JSON.parse(new TextDecoder().decode(stdout));
  const registry = join(await denoDirectory(), "npm", "registry.npmjs.org");
  const packages = Object.values(info.npmPackages ?? {});
  return await Promise.all(
    packages.sort((a, b) => a.name < b.name ? -1 : 1).map(({ name, version }) =>
      npmPackage(join(registry, name, version), name, version)
    ),
  );
}

async function npmPackage(folder: string, name: string, version: string): Promise<Component> {
  const { license, description } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  return {
    name,
    version,
    // The @ of a scope is written so in a package URL.
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    license: typeof license === "string" ? license : undefined,
    licenseText: await licenseIn(folder) ?? (name === STD_CARRIER ? await text("deno.txt") : undefined),
    description: typeof description === "string" ? description : "",
  };
}

async function licenseIn(folder: string): Promise<string | undefined> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^(?:licen[cs]e|copying)(?:\.|$)/i.test(name)) return await Deno.readTextFile(join(folder, name));
  }
  return undefined;
}

/** The names of source files, which Rust keeps for its error messages. */
const CRATE_PATH = /^index\.crates\.io-[0-9a-f]+\/([A-Za-z0-9_-]+?)-(\d+\.\d+\.\d+[A-Za-z0-9.+-]*)[/\\]/;
/** Searched for by bytes: the pattern alone takes a second for 100 MB. */
const CRATE_PATH_START = "index.crates.io-";
/** The longest in the runtime have some 60. */
const CRATE_PATH_BYTES = 200;

async function cratesIn(runtimes: readonly string[]): Promise<Component[]> {
  const found = new Map<string, Component>();
  for (const runtime of runtimes) {
    const content = Buffer.from((await Deno.readFile(runtime)).buffer);
    let at = -1;
    while ((at = content.indexOf(CRATE_PATH_START, at + 1, "latin1")) !== -1) {
      const match = CRATE_PATH.exec(content.toString("latin1", at, at + CRATE_PATH_BYTES));
      if (match === null) continue;
      const [, name = "", version = ""] = match;
      const purl = `pkg:cargo/${name}@${version.replaceAll("+", "%2B")}`;
      const description = "Named in the runtime";
      found.set(purl, { name, version, purl, license: undefined, licenseText: undefined, description });
    }
  }
  return [...found.values()].sort((a, b) => a.purl < b.purl ? -1 : 1);
}
