/**
 * Builds the program for one machine and proves that it is one.
 *
 * Nothing is left half done where somebody may look: the binary is built in a
 * directory of its own, checked there, and then renamed into place.
 * @module
 */
import { basename, dirname, join } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { checkDeno } from "./checksums.ts";
import { compilePacked, compilePlain, type CompilerOptions } from "./compiler.ts";
import { elfMachine } from "./elf.ts";
import { pack } from "./pack.ts";
import { HOST_TARGET, type Target } from "./target.ts";

export interface BuildOptions extends CompilerOptions {
  /** Only for a program that tests stop at named places; see `failpoints.ts`. */
  hasFailpoints?: boolean;
}

export async function build({ output, target, runtime, hasFailpoints = false }: BuildOptions): Promise<void> {
  await checkDeno();
  // Beside the result, because a rename is atomic only within one file system.
  const work = await Deno.makeTempDir({ dir: dirname(output), prefix: ".compile-" });
  try {
    const built = join(work, basename(output));
    await compileProgram(join(work, "packed"), { output: built, target, runtime, hasFailpoints });
    await checkBinary(built, target);
    await Deno.rename(built, output);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Without Deno's bundler, which it fetches from npm, the program is the same but slower to start. */
async function compileProgram(folder: string, options: Required<BuildOptions>): Promise<void> {
  if (await pack(folder, options)) return await compilePacked(folder, options);
  if (options.hasFailpoints) {
    throw new Error("Cannot compile a program with failpoints: it has to be packed, see above");
  }
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
