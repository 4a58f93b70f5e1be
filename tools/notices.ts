/**
 * Writes THIRD_PARTY_NOTICES at the top of the project: `tools/deno task notices`.
 * Needed after a change of Deno's version or of a package; a test says so.
 * @module
 */
import { join } from "node:path";
import { ROOT } from "./compile/compiler.ts";
import { NOTICES, noticesFor } from "./compile/notices.ts";
import { findRuntime } from "./compile/runtime.ts";
import { TARGETS } from "./compile/target.ts";

/** For the programs of all machines together. */
export async function presentNotices(): Promise<string> {
  const runtimes: string[] = [];
  for (const target of TARGETS) runtimes.push((await findRuntime(target)).path);
  return await noticesFor(runtimes);
}

if (import.meta.main) await Deno.writeTextFile(join(ROOT, NOTICES), await presentNotices());
