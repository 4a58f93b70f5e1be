/**
 * The checks that are no test files. Each counts as one test.
 * @module
 */
import { join, relative } from "node:path";

export interface Stage {
  name: string;
  command: string[];
}

/** Deno's own, and not ours to check. */
const NOT_SOURCE = new Set([".git", ".deno_dir", "coverage", "dist", "tmp"]);

/** A first line that names a shell shellcheck knows. */
const SHELL_SHEBANG = /^#! ?\/(?:usr\/)?bin\/(?:env )?(?:sh|bash|dash)\b/;
const SHEBANG_BYTES = 64;

export const COMPILE: Stage = {
  name: "compile",
  command: [Deno.execPath(), "run", "-A", "tools/compile.ts", "--if-stale"],
};

/** Takes a second: the program is packed without V8's code. */
export const COMPILE_FAILPOINTS: Stage = {
  name: "compile --failpoints",
  command: [...COMPILE.command, "--failpoints"],
};

/** Exit code 75: nobody could say. */
export const AUDIT: Stage = { name: "audit", command: [Deno.execPath(), "run", "-A", "tools/audit.ts"] };

export async function staticStages(root: string): Promise<Stage[]> {
  return [
    { name: "types", command: [Deno.execPath(), "check", "--quiet", "--frozen", "."] },
    { name: "format", command: [Deno.execPath(), "fmt", "--check"] },
    { name: "lint", command: [Deno.execPath(), "lint"] },
    { name: "shellcheck", command: ["shellcheck", ...await shellScripts(root)] },
  ];
}

async function shellScripts(root: string, directory = root): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory && !NOT_SOURCE.has(entry.name)) found.push(...await shellScripts(root, path));
    if (entry.isFile && await isShellScript(path)) found.push(relative(root, path));
  }
  return found.sort();
}

async function isShellScript(path: string): Promise<boolean> {
  if (/\.(?:sh|bash)$/.test(path)) return true;
  using file = await Deno.open(path);
  const start = new Uint8Array(SHEBANG_BYTES);
  const length = await file.read(start) ?? 0;
  return SHELL_SHEBANG.test(new TextDecoder().decode(start.subarray(0, length)));
}
