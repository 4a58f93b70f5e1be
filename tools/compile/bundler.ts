/**
 * The bundler behind `deno bundle`: esbuild, a program that Deno keeps in its own
 * folder and fetches from npm without a check of ours. So it is put there before,
 * and hashed before each use.
 * @module
 */
import { dirname, join } from "node:path";
import { denoDirectory } from "../deno_directory.ts";
import { ChecksumError, checkTool } from "./checksums.ts";
import { fetchFromNpm } from "./npm.ts";

/** The one that Deno 2.7.11 asks for; a new version of Deno asks for another. */
const VERSION = "0.25.5";

const PLATFORMS: Readonly<Record<string, string>> = { x86_64: "linux-x64", aarch64: "linux-arm64" };

/**
 * False when it cannot be had.
 * @throws {ChecksumError} when the one that is there is another
 */
export async function readyBundler(): Promise<boolean> {
  const platform = Deno.build.os === "linux" ? PLATFORMS[Deno.build.arch] : undefined;
  if (platform === undefined) return true; // Only a build that checks nothing gets here: see checkDeno.
  const path = await bundlerPath(platform);
  const name = `esbuild-${VERSION}-${Deno.build.target}`;
  if (!await isThere(path)) {
    try {
      await fetchBundler(platform, name, path);
    } catch (error) {
      if (error instanceof ChecksumError) throw error;
      console.error(`compile: cannot get the bundler: ${error instanceof Error ? error.message : error}`);
      return false;
    }
  }
  await checkTool(path, name);
  return true;
}

async function bundlerPath(platform: string): Promise<string> {
  return join(await denoDirectory(), "dl", `esbuild-${VERSION}`, `esbuild-${platform}`);
}

async function fetchBundler(platform: string, name: string, path: string): Promise<void> {
  const folder = dirname(path);
  await Deno.mkdir(folder, { recursive: true });
  const work = await Deno.makeTempDir({ dir: folder, prefix: "fetch." });
  try {
    console.error(`compile: fetching the bundler, esbuild ${VERSION}`);
    const fetched = await fetchFromNpm(`@esbuild/${platform}@${VERSION}`, "package/bin/esbuild", work);
    await checkTool(fetched, name);
    await Deno.chmod(fetched, 0o755);
    await Deno.rename(fetched, path);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
