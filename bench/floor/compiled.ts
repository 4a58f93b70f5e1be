/**
 * Floors that are programs, compiled as ours is and kept beside it.
 * @module
 */
import { basename, join } from "node:path";
import { findRuntime } from "../../tools/compile/runtime.ts";
import { isFresh, writeStamp } from "../../tools/compile/stamp.ts";
import { HOST_TARGET, isTarget } from "../../tools/compile/target.ts";
import { COMPILE_FLAGS, compileBundled } from "../../tools/compile/compiler.ts";
import { ROOT } from "../bench.ts";

/** The path of the compiled `entry`, which must import nothing but what the runtime has. */
export async function compiled(entry: string): Promise<string> {
  if (!isTarget(HOST_TARGET)) throw new Error(`Cannot compile for "${HOST_TARGET}"`);
  const folder = join(ROOT, "dist", "floor");
  await Deno.mkdir(folder, { recursive: true });
  const output = join(folder, basename(entry, ".ts"));
  const source = await Deno.readTextFile(join(ROOT, entry));
  const digest = await sha256([Deno.version.deno, HOST_TARGET, "bundled", ...COMPILE_FLAGS, source].join("\n"));
  if (await isFresh(output, digest)) return output;
  const runtime = await findRuntime(HOST_TARGET);
  await compileBundled(entry, { output, target: HOST_TARGET, runtime: runtime.path });
  await writeStamp(output, digest);
  return output;
}

async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}
