/**
 * Remembers which sources a binary was made from.
 *
 * By content, not by time: a fresh clone or a switched branch gives every file
 * the same new time, and a binary restored from a cache an old one.
 * @module
 */
import { basename, dirname, join, relative } from "node:path";

/** All that ends up in the binary or decides what does. */
const SOURCES = [
  "main.ts",
  "LICENSE",
  "THIRD_PARTY_NOTICES",
  "deno.json",
  "deno.lock",
  "lib",
  "tools/std",
  "tools/compile.ts",
  "tools/compile",
  "tools/toolchain.sha256",
];

/** A digest of every source file below `root` and of `settings`. */
export async function sourceDigest(root: string, settings: readonly string[]): Promise<string> {
  const lines = [...settings];
  for (const source of SOURCES) {
    for (const path of await filesBelow(join(root, source))) {
      lines.push(`${relative(root, path)} ${await sha256(await Deno.readFile(path))}`);
    }
  }
  return await sha256(new TextEncoder().encode(lines.join("\n")));
}

/** Whether `binary` is the very file last stamped with `digest`. */
export async function isFresh(binary: string, digest: string): Promise<boolean> {
  try {
    return await Deno.readTextFile(stampPath(binary)) === await stampText(binary, digest);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export async function writeStamp(binary: string, digest: string): Promise<void> {
  await Deno.writeTextFile(stampPath(binary), await stampText(binary, digest));
}

function stampPath(binary: string): string {
  return join(dirname(binary), `.${basename(binary)}.stamp`);
}

/** Size and time tie the stamp to this file, so that one put there by other means counts as stale. */
async function stampText(binary: string, digest: string): Promise<string> {
  const { size, mtime } = await Deno.stat(binary);
  return `${digest} ${size} ${mtime?.getTime()}\n`;
}

async function filesBelow(path: string): Promise<string[]> {
  const { isFile } = await Deno.stat(path);
  if (isFile) return [path];
  const names = await Array.fromAsync(Deno.readDir(path), (entry) => entry.name);
  const nested = await Promise.all(names.sort().map((name) => filesBelow(join(path, name))));
  return nested.flat();
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
