/**
 * Packs the program for a quick start: all modules as one minified script, and
 * beside it V8's code for the functions that adding a job runs, so that a start
 * neither loads modules one by one nor parses and compiles what it calls.
 *
 * Milliseconds of one `enqueue` against a program that only inserts a row, as
 * the median of 40 runs: 36 modules 1.39x, bundled into one of them 1.28x, all in one
 * script with code 1.18x, the same minified 1.13x.
 *
 * V8 takes the code only when its version and the source are the very same; else
 * it compiles as always. It says nothing about other processors, so that for
 * another machine the program is packed without.
 * @module
 */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { readyBundler } from "./bundler.ts";
import { deno, ROOT } from "./compiler.ts";
import { NOTICES, noticesFor } from "./notices.ts";
import { HOST_TARGET, type Target } from "./target.ts";

/** What workers run takes as much space again, and reading it would cost each command a millisecond. */
export const CODE_FILES = [["commands.code", "commands"], ["workers.code", "workers"]] as const;

const RUN = ["run", "--allow-all", "--no-config"];

/**
 * The code is to be the same each time. V8 marks functions which these two
 * compilers are working on at the moment, and they work at their own pace.
 */
const STILL = "--v8-flags=--no-sparkplug,--no-maglev";

/** One after the other, each with the folder, the file and the kind of code. */
const CODE_STEPS = [
  [...RUN, STILL, "tools/compile/packed/write_code.js"],
  [...RUN, STILL, "tools/compile/packed/renumber_code.js"],
  [...RUN, "tools/compile/packed/seal_code.js"],
];

export interface PackOptions {
  target: Target;
  /** Read for the notices. */
  runtime: string;
  /** For tests: with failpoints, and without the code, which is about speed alone. */
  hasFailpoints: boolean;
}

/** Fills `folder` with `main.js`, `program.txt`, the notices and the files of code. False when Deno could not bundle. */
export async function pack(folder: string, { target, runtime, hasFailpoints }: PackOptions): Promise<boolean> {
  if (!await readyBundler()) return false;
  const [script, map] = [join(folder, "program.js"), join(folder, "import_map.json")];
  const bundle = ["bundle", "--quiet", "--frozen", ...hasFailpoints ? ["--import-map", map] : []];
  if (hasFailpoints) await writeFailpointsMap(map);
  const program = [...bundle, "--format", "cjs", "--output", script, "lib/cli/run.ts"];
  if (!await deno(program)) return false;
  const written = await Deno.readTextFile(script);
  if (!await deno([...program, "--minify"])) return false;
  const source = await Deno.readTextFile(script);
  refuseLostUsing(written, source);
  const main = [...bundle, "--minify", "--output", join(folder, "main.js"), "tools/compile/packed/main.js"];
  if (!await deno(main)) return false;
  await Deno.writeTextFile(join(folder, "program.txt"), `(function (exports, require, module) {${source}\n})`);
  await Deno.writeTextFile(join(folder, NOTICES), await noticesFor([runtime]));
  await Deno.remove(script);
  if (hasFailpoints) await Deno.remove(map);
  for (const [file, kind] of CODE_FILES) {
    if (target !== HOST_TARGET || hasFailpoints) await Deno.writeFile(join(folder, file), new Uint8Array());
    else if (!await writeCode(folder, file, kind)) return false;
  }
  // The times of files are kept in the binary.
  for await (const { name } of Deno.readDir(folder)) await Deno.utime(join(folder, name), 0, 0);
  return true;
}

/** The map of deno.json, which this one replaces, and one module in the place of another. */
async function writeFailpointsMap(map: string): Promise<void> {
  const root = pathToFileURL(`${ROOT}/`);
  const imports = Object.entries(config.imports).map(([name, place]) => [name, new URL(place, root).href]);
  imports.push([
    new URL("lib/worker/failpoints.ts", root).href,
    new URL("tools/compile/failpoints.ts", root).href,
  ]);
  await Deno.mkdir(dirname(map), { recursive: true });
  await Deno.writeTextFile(map, JSON.stringify({ imports: Object.fromEntries(imports) }));
}

async function writeCode(folder: string, file: string, kind: string): Promise<boolean> {
  for (const step of CODE_STEPS) if (!await deno([...step, folder, file, kind])) return false;
  return true;
}

/**
 * The minifier puts a value in the place of a name that is used once, and when
 * the name was declared by `using`, what it held is never put away: a file
 * stays open, and its lock held, until the process ends. That once kept jobs of
 * dead workers from being rescued.
 * @throws when `minified` declares fewer of them than `written`.
 */
export function refuseLostUsing(written: string, minified: string): void {
  const count = (source: string) => source.match(/\busing [\w$]+ ?=/g)?.length ?? 0;
  const lost = count(written) - count(minified);
  if (lost <= 0) return;
  throw new Error(`The minifier loses ${lost} \`using\` whose name is used once: close what they hold by \`finally\``);
}
