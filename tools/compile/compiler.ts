/**
 * The calls of `deno compile` and `deno bundle`.
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { readyBundler } from "./bundler.ts";
import type { Target } from "./target.ts";

export const ROOT = resolve(import.meta.dirname!, "..", "..");

/**
 * A job queue starts any command its user names, so it needs every permission;
 * what it must never do is stop and ask for one. Types are checked by the
 * `check` task.
 *
 * No code cache of Deno's: it would be a file of a predictable name in the shared
 * temporary directory, read back by whoever runs the program next, root
 * included. `pack.ts` puts one into the binary instead.
 */
export const COMPILE_FLAGS = ["--quiet", "--allow-all", "--no-prompt", "--no-check", "--no-code-cache"];

/** For a program that was bundled: it needs none of this any more, and reading it costs each start 5 ms. */
const WITHOUT_CONFIG = ["--no-config", "--no-lock", "--no-npm", "--no-remote"];

export interface CompilerOptions {
  output: string;
  target: Target;
  /** As `findRuntime` gives it, checked. */
  runtime: string;
}

/** Compiles what `pack` made. */
export async function compilePacked(folder: string, options: CompilerOptions): Promise<void> {
  const entry = join(folder, "main.js");
  const others = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => join(folder, name))
    .filter((path) => path !== entry).sort();
  const includes = others.flatMap((path) => ["--include", path]);
  await compileEntry(entry, [...COMPILE_FLAGS, ...WITHOUT_CONFIG, ...includes], options);
}

/** Compiles a program as a bundle; `entry` is relative to the project. */
export async function compileBundled(entry: string, options: CompilerOptions): Promise<void> {
  const work = await Deno.makeTempDir({ dir: dirname(options.output), prefix: ".bundle-" });
  try {
    const bundle = join(work, `${basename(entry, ".ts")}.js`);
    if (!await readyBundler()) throw failed(entry);
    if (!await deno(["bundle", "--quiet", "--frozen", "--output", bundle, entry])) throw failed(entry);
    await compileEntry(bundle, [...COMPILE_FLAGS, ...WITHOUT_CONFIG], options);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Compiles a program with its modules as they are; `entry` is relative to the project. */
export async function compilePlain(entry: string, options: CompilerOptions): Promise<void> {
  await compileEntry(entry, [...COMPILE_FLAGS, "--frozen", "--include", "THIRD_PARTY_NOTICES"], options);
}

async function compileEntry(entry: string, flags: readonly string[], options: CompilerOptions): Promise<void> {
  const { output, target, runtime } = options;
  const args = ["compile", ...flags, "--target", target, "--output", output, entry];
  if (!await deno(args, { DENORT_BIN: runtime })) throw failed(entry);
}

function failed(entry: string): Error {
  return new Error(`Cannot compile ${entry}: see the message above`);
}

/** Runs Deno in the project, showing what it complains about. False when it failed. */
export async function deno(args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn().status;
  return success;
}
