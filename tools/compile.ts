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
import { compilePacked, compilePlain, type CompilerOptions, ROOT } from "./compile/compiler.ts";
import { elfMachine } from "./compile/elf.ts";
import { pack } from "./compile/pack.ts";
import { isFresh, sourceDigest, writeStamp } from "./compile/stamp.ts";
import { HOST_TARGET, isTarget, type Target, TARGETS } from "./compile/target.ts";

const DIST = join(ROOT, "dist");

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

  const digest = await sourceDigest(ROOT, [Deno.version.deno, target]);
  if (ifStale && await isFresh(output, digest)) return;

  const runtime = await findRuntime(target);
  // Beside the result, because a rename is atomic only within one file system.
  const work = await Deno.makeTempDir({ dir: dirname(output), prefix: ".compile-" });
  try {
    const built = join(work, basename(output));
    await compileProgram(join(work, "packed"), { output: built, target, runtime: runtime.path });
    await checkBinary(built, target);
    await Deno.rename(built, output);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
  await writeStamp(output, digest);

  const megabytes = (await Deno.stat(output)).size / 1e6;
  console.log(`${output}  ${megabytes.toFixed(1)} MB, ${target}, runtime from ${runtime.origin}`);
}

/** Without Deno's bundler, which it fetches from npm, the program is the same but slower to start. */
async function compileProgram(folder: string, options: CompilerOptions): Promise<void> {
  if (await pack(folder, options.target)) return await compilePacked(folder, options);
  console.error("compile: cannot pack the program, see above; it will start more slowly");
  await compilePlain("main.ts", options);
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
