/**
 * Imports every module of lib/ and does nothing with it.
 *
 * A module that no test imports is not in the profile, and so would raise the
 * result by being untested. Imported here, its functions count as not run.
 * @module
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

async function importAll(directory: string): Promise<void> {
  for await (const entry of Deno.readDir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory) await importAll(path);
    else if (/\.ts$/.test(path) && !path.endsWith(".d.ts")) await import(pathToFileURL(path).href);
  }
}

await importAll(resolve(import.meta.dirname!, "../../lib"));
