/**
 * The SHA-256 of every tool that makes the program, from tools/toolchain.sha256,
 * which `tools/deno` reads, too. A tool is hashed before each build, wherever it
 * came from: a download, a cache, or a path that somebody named.
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";

const LIST = join(import.meta.dirname!, "..", "toolchain.sha256");

/** Set to anything, it takes tools of another sum. A release refuses it. */
export const UNCHECKED = "QUEUECTL_DEV_UNCHECKED";

/** Reading whole files of 100 MB takes three times as long. */
const CHUNK_BYTES = 1 << 20;

/** A tool that is not the one of the list. */
export class ChecksumError extends Error {
  override readonly name = "ChecksumError";
}

/** The sum of `name`, such as `denort-2.7.11-x86_64-unknown-linux-gnu`; undefined when the list lacks it. */
export async function knownSum(name: string): Promise<string | undefined> {
  const lines = (await Deno.readTextFile(LIST)).split("\n").map((line) => line.split(/\s+/));
  return lines.find(([, known]) => known === name)?.[0];
}

/** @throws {ChecksumError} when the file at `path` is not the tool `name` */
export async function checkTool(path: string, name: string): Promise<void> {
  await checkSum(path, name, await knownSum(name));
}

/**
 * The Deno that builds. For aarch64 the list has the sum of the release archive;
 * `tools/deno` keeps the sum of the program that it took out of that.
 *
 * @throws {ChecksumError} when it is not the one of the list
 */
export async function checkDeno(): Promise<void> {
  const name = `deno-${Deno.version.deno}-${Deno.build.target}`;
  await checkSum(Deno.execPath(), name, await knownSum(name) ?? await keptSum());
}

/** @throws when tools were let through unchecked */
export function refuseUnchecked(): void {
  if (!isUnchecked()) return;
  throw new Error(`Cannot release while ${UNCHECKED} is set: it lets tools of an unknown origin through`);
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  using file = await Deno.open(path);
  for (let length; (length = await file.read(chunk)) !== null;) hash.update(chunk.subarray(0, length));
  return hash.digest("hex");
}

async function checkSum(path: string, name: string, expected: string | undefined): Promise<void> {
  if (isUnchecked()) return;
  const hint = `Try: unset what names it, remove it if it is in a cache, or set ${UNCHECKED}=1 for a build of your own`;
  if (expected === undefined) {
    throw new ChecksumError(`Cannot build with ${path}: no SHA-256 of ${name} is known\n${hint}`);
  }
  const sum = await sha256OfFile(path);
  if (sum === expected) return;
  throw new ChecksumError(
    `Cannot build with ${path}: its SHA-256 is ${sum}, and that of ${name} is ${expected}\n${hint}`,
  );
}

async function keptSum(): Promise<string | undefined> {
  const cache = Deno.env.get("QUEUECTL_DEV_CACHE");
  if (!cache) return undefined;
  try {
    return (await Deno.readTextFile(join(cache, `deno-${Deno.version.deno}`, "sha256"))).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function isUnchecked(): boolean {
  return Boolean(Deno.env.get(UNCHECKED));
}
