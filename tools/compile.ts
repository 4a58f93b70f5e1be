/**
 * Makes the one-file program: `tools/deno task compile`.
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./compile/build.ts";
import { ROOT } from "./compile/compiler.ts";
import { findRuntime } from "./compile/runtime.ts";
import { isFresh, sourceDigest, writeStamp } from "./compile/stamp.ts";
import { HOST_TARGET, isTarget, type Target, TARGETS } from "./compile/target.ts";

const DIST = join(ROOT, "dist");

const USAGE = `Usage: tools/deno task compile [OPTIONS]

  --target TARGET   ${TARGETS.join(" or ")}
                    (default: this machine's)
  --output FILE     where to put it (default: dist/queuectl, with -TARGET added
                    when that is not this machine's)
  --failpoints      a program for tests, which a variable stops at named places
                    (default output: dist/queuectl-failpoints)
  --if-stale        do nothing when FILE was made from these very sources
  --help            this text`;

interface Options {
  target: Target;
  output: string;
  hasFailpoints: boolean;
  ifStale: boolean;
}

function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: "string", default: HOST_TARGET },
      output: { type: "string" },
      failpoints: { type: "boolean", default: false },
      "if-stale": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  if (!isTarget(values.target)) throw new Error(`Cannot compile for "${values.target}": not ${TARGETS.join(" or ")}`);
  const kind = values.failpoints ? "queuectl-failpoints" : "queuectl";
  const name = values.target === HOST_TARGET ? kind : `${kind}-${values.target}`;
  return {
    target: values.target,
    output: values.output === undefined ? join(DIST, name) : resolve(Deno.env.get("INIT_CWD") ?? ".", values.output),
    hasFailpoints: values.failpoints,
    ifStale: values["if-stale"],
  };
}

async function compile({ target, output, hasFailpoints, ifStale }: Options): Promise<void> {
  await Deno.mkdir(DIST, { recursive: true });
  await Deno.mkdir(dirname(output), { recursive: true });

  // The second of two compiles at once waits here, and with --if-stale then
  // finds its work done. The lock goes with the process, however it ends.
  using lock = await Deno.open(join(DIST, ".compile.lock"), { create: true, write: true });
  await lock.lock(true);

  const digest = await sourceDigest(ROOT, [Deno.version.deno, target, ...hasFailpoints ? ["failpoints"] : []]);
  if (ifStale && await isFresh(output, digest)) return;

  const runtime = await findRuntime(target);
  await build({ output, target, runtime: runtime.path, hasFailpoints });
  await writeStamp(output, digest);

  const megabytes = (await Deno.stat(output)).size / 1e6;
  console.log(`${output}  ${megabytes.toFixed(1)} MB, ${target}, runtime from ${runtime.origin}`);
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
