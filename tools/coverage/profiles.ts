/**
 * What V8 wrote down about the lines that ran -> how many of lib/ did.
 *
 * A process writes one profile for each module at its end, into the folder that
 * DENO_COVERAGE_DIR names. The compiled binary writes none, so tests that run a
 * program get a script in its place that runs the sources.
 * @module
 */
import { join, relative, resolve } from "node:path";
import { fileCoverage } from "./lcov.ts";

const ROOT = resolve(import.meta.dirname!, "..", "..");

/** Flags of Deno for everything that is measured. Types have their own stage. */
export const FLAGS = ["--quiet", "--allow-all", "--no-check", "--frozen"];

/** Enough to see where work would pay, few enough for one screen. */
const SHOWN_FILES = 15;

export interface Coverage {
  /** Lines that ran, and lines that could. */
  readonly hit: number;
  readonly lines: number;
  /** The files with the smallest share first, as a table, with the sum at the end. */
  readonly report: string;
  readonly sum: string;
}

/** Writes the script that tests take for the compiled binary. It has its own variables: tests start it with few. */
export async function programFromSource(path: string, place: { profiles: string; denoDirectory: string }) {
  const script = `#!/bin/sh
DENO_DIR='${place.denoDirectory}' DENO_COVERAGE_DIR='${place.profiles}' DENO_NO_UPDATE_CHECK=1
export DENO_DIR DENO_COVERAGE_DIR DENO_NO_UPDATE_CHECK
exec '${Deno.execPath()}' run ${FLAGS.join(" ")} '${join(ROOT, "main.ts")}' "$@"
`;
  await Deno.writeTextFile(path, script, { mode: 0o755 });
  return path;
}

/** Adds a profile of every module of lib/, so that one that no test loads counts as not run. */
export async function profileAllModules(profiles: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...FLAGS, join(ROOT, "tools/coverage/import_all.ts")],
    cwd: ROOT,
    env: { DENO_COVERAGE_DIR: profiles },
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error("Cannot measure coverage: a module of lib/ cannot be imported");
}

/** @throws {Error} when the profiles cannot be read */
export async function coverageOf(profiles: string, requiredPercent: number): Promise<Coverage> {
  await removeBrokenProfiles(profiles);
  const files = fileCoverage(await lcovReport(profiles))
    .map((file) => ({ ...file, path: relative(ROOT, file.path) }))
    .filter(({ path, lines }) => path.startsWith("lib/") && lines > 0)
    .sort((a, b) => a.hit / a.lines - b.hit / b.lines || a.path.localeCompare(b.path));
  const hit = files.reduce((sum, file) => sum + file.hit, 0);
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const rows = files.slice(0, SHOWN_FILES).map((file) =>
    `${percent(file.hit, file.lines).padStart(6)}  ${`${file.hit}/${file.lines}`.padStart(10)}  ${file.path}`
  );
  const sum = `${percent(hit, lines)} % of ${lines} lines in ${files.length} files; ${requiredPercent} % are required`;
  return { hit, lines, sum, report: ["     %   lines run  file", ...rows, "", sum].join("\n") };
}

export function isEnough({ hit, lines }: Coverage, requiredPercent: number): boolean {
  return lines > 0 && (100 * hit) / lines >= requiredPercent;
}

/** A process that a test killed may have left half a profile, over which the report would stumble. */
async function removeBrokenProfiles(profiles: string): Promise<void> {
  for await (const { name } of Deno.readDir(profiles)) {
    const path = join(profiles, name);
    if (name.endsWith(".json") && !(await Deno.readTextFile(path)).trimEnd().endsWith("}")) await Deno.remove(path);
  }
}

async function lcovReport(profiles: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["coverage", "--quiet", "--lcov", profiles],
    cwd: ROOT,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the coverage profiles: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** Rounded down, so that 79.99 does not look like 80. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "0.0" : (Math.floor((1000 * part) / whole) / 10).toFixed(1);
}
