/**
 * Makes the one-file program: `tools/deno task compile`.
 *
 * Nothing is left half done where somebody may look: the binary is built in a
 * directory of its own, checked there, and then renamed into place.
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { findRuntime } from "./compile/runtime.ts";
import { elfMachine } from "./compile/elf.ts";
import { isFresh, sourceDigest, writeStamp } from "./compile/stamp.ts";
import { HOST_TARGET, isTarget, type Target, TARGETS } from "./compile/target.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const DIST = join(ROOT, "dist");

/**
 * V8's code cache would be a file of a predictable name in the shared temporary
 * directory, read back by whoever runs the program next, root included. Median
 * start of 180 runs with and without it: one module 32.2 and 31.7 ms, 40 modules
 * of 6,000 lines 35.3 and 37.0. Too little for that risk while commands are loaded
 * one at a time; a large program loaded at once would gain more. `true` turns it on.
 */
const USE_CODE_CACHE = false;

/**
 * A job queue starts any command its user names, so it needs every permission;
 * what it must never do is stop and ask for one. Types are checked by the
 * `check` task.
 */
export const COMPILE_FLAGS = [
  "--quiet",
  "--allow-all",
  "--no-prompt",
  "--no-check",
  ...(USE_CODE_CACHE ? [] : ["--no-code-cache"]),
];

/** For a program that was bundled: it needs none of this any more, and reading it costs each start. */
const WITHOUT_CONFIG = ["--no-config", "--no-lock", "--no-npm", "--no-remote"];

const USAGE = `Usage: tools/deno task compile [OPTIONS]

  --target TARGET   ${TARGETS.join(" or ")}
                    (default: this machine's)
  --output FILE     where to put it (default: dist/queuectl, with -TARGET added
                    when that is not this machine's)
  --if-stale        do nothing when FILE was made from these very sources
  --help            this text`;

interface Options {
  target: Target;
  output: string;
  ifStale: boolean;
}

function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: "string", default: HOST_TARGET },
      output: { type: "string" },
      "if-stale": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  if (!isTarget(values.target)) throw new Error(`Cannot compile for "${values.target}": not ${TARGETS.join(" or ")}`);
  const name = values.target === HOST_TARGET ? "queuectl" : `queuectl-${values.target}`;
  return {
    target: values.target,
    output: values.output === undefined ? join(DIST, name) : resolve(Deno.env.get("INIT_CWD") ?? ".", values.output),
    ifStale: values["if-stale"],
  };
}

async function compile({ target, output, ifStale }: Options): Promise<void> {
  await Deno.mkdir(DIST, { recursive: true });
  await Deno.mkdir(dirname(output), { recursive: true });

  // The second of two compiles at once waits here, and with --if-stale then
  // finds its work done. The lock goes with the process, however it ends.
  using lock = await Deno.open(join(DIST, ".compile.lock"), { create: true, write: true });
  await lock.lock(true);

  const digest = await sourceDigest(ROOT, [Deno.version.deno, target, ...COMPILE_FLAGS, ...WITHOUT_CONFIG]);
  if (ifStale && await isFresh(output, digest)) return;

  const runtime = await findRuntime(target);
  // Beside the result, because a rename is atomic only within one file system.
  const work = await Deno.makeTempDir({ dir: dirname(output), prefix: ".compile-" });
  try {
    const built = join(work, basename(output));
    await runCompiler("main.ts", { output: built, target, runtime: runtime.path });
    await checkBinary(built, target);
    await Deno.rename(built, output);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  await writeStamp(output, digest);

  const megabytes = (await Deno.stat(output)).size / 1e6;
  console.log(`${output}  ${megabytes.toFixed(1)} MB, ${target}, runtime from ${runtime.origin}`);
}

interface CompilerOptions {
  output: string;
  target: Target;
  /** Without it Deno gets its own. */
  runtime: string | undefined;
}

/**
 * Compiles one program with the flags of ours; `entry` is relative to the project.
 *
 * Each module that is loaded costs a start about 0.1 ms, and `enqueue` needs a
 * hundred; the project's configuration inside the binary costs 5 ms more. So the
 * modules are bundled first, keeping apart what is loaded lazily: 20 % of the
 * processor time of a start. Without Deno's bundler, which is fetched from npm,
 * the program is the same but slower to start.
 */
export async function runCompiler(entry: string, options: CompilerOptions): Promise<void> {
  const work = await Deno.makeTempDir({ dir: dirname(options.output), prefix: ".bundle-" });
  try {
    const bundle = join(work, "bundle");
    const bundled = await deno(["bundle", "--quiet", "--frozen", "--code-splitting", "--outdir", bundle, entry]);
    const main = join(bundle, `${basename(entry, ".ts")}.js`);
    if (bundled) {
      // The times of files are kept in the binary: equal ones make equal sources give equal bytes.
      for await (const { name } of Deno.readDir(bundle)) await Deno.utime(join(bundle, name), 0, 0);
      return await compileEntry(main, [...COMPILE_FLAGS, ...WITHOUT_CONFIG], options);
    }
    console.error("compile: cannot bundle, see above; the program will start more slowly");
    await compileEntry(entry, [...COMPILE_FLAGS, "--frozen"], options);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function compileEntry(entry: string, flags: readonly string[], options: CompilerOptions): Promise<void> {
  const { output, target, runtime } = options;
  const args = ["compile", ...flags, "--target", target, "--output", output, entry];
  if (await deno(args, runtime === undefined ? {} : { DENORT_BIN: runtime })) return;
  throw new Error(`Cannot compile ${entry}: see the message above`);
}

async function deno(args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  return success;
}

/**
 * Deno takes any file as its runtime without a look: one for another machine, or
 * no runtime at all, gives a dud and exit code 0. So the result has to prove itself.
 */
async function checkBinary(path: string, target: Target): Promise<void> {
  const machine = await elfMachine(path);
  if (machine !== target.split("-", 1)[0]) {
    throw new Error(`Cannot use the compiled program: it is for ${machine}, not for ${target}`);
  }
  if (target !== HOST_TARGET) return;

  // Started with a home of its own: a check must not touch anybody's queue.
  const home = await Deno.makeTempDir({ prefix: "queuectl-compile-" });
  try {
    const { code, stdout, stderr } = await new Deno.Command(path, {
      args: ["version"],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, TMPDIR: home },
      cwd: home,
      stdin: "null",
      signal: AbortSignal.timeout(30_000),
    }).output();
    const printed = new TextDecoder().decode(stdout);
    if (code !== 0 || !printed.split(/\s+/).includes(config.version)) {
      throw new Error(
        `Cannot use the compiled program: \`version\` should print ${config.version}, but exit code ${code} with\n` +
          printed + new TextDecoder().decode(stderr),
      );
    }
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    const options = readOptions(Deno.args);
    if (options === null) console.log(USAGE);
    else await compile(options);
  } catch (error) {
    console.error(`compile: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}
