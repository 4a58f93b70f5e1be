/**
 * `tools/deno task compare`: queuectl and other tools side by side, in one run
 * on this machine; writes `docs/comparison.md`.
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { BINARY, ROOT } from "../bench.ts";
import { alignedLines } from "../table.ts";
import { type CompareOptions, readCompareArguments } from "./arguments.ts";
import { Box } from "./box.ts";
import { COMMAND_PEERS } from "./commands.ts";
import { documentOf, type Run, textOf } from "./document.ts";
import { install } from "./install.ts";
import { LIBRARY_PEERS } from "./libraries.ts";
import { machine } from "./machine.ts";
import { measure } from "./measure.ts";

const PEERS = [...COMMAND_PEERS, ...LIBRARY_PEERS];
const NAMES = PEERS.map(({ name }) => name);
const DOCUMENT = "docs/comparison.md";
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const USAGE = `Usage: tools/deno task compare [OPTIONS]

  --only TOOL,..    only these (repeatable): ${NAMES.join(", ")}
  --install         get the Debian packages and the npm packages first
  --packages DIR    folder of the npm packages, outside the project
                    (default: a temporary one, removed at the end)
  --rounds N        how often each figure is measured (default: 3)
  --jobs N          jobs of a throughput figure (default: 900)
  --quick           small sizes: shows that it works
  --output FILE     write the document there (default: ${DOCUMENT}, but
                    nowhere with --only or --quick)
  --json            print JSON instead of tables
  --help            this text

A tool that is not installed is named as not measured. Exit code 1: a measurement
failed. 2: bad usage.`;

async function main(args: string[]): Promise<number> {
  const request = readCompareArguments(args, { names: NAMES, document: DOCUMENT });
  if (request.kind === "help") {
    console.log(USAGE);
    return 0;
  }
  if (request.kind === "refused") {
    console.error(`compare: ${request.message}\n\n${USAGE}`);
    return 2;
  }
  const { output } = request.options;
  // Found out now, and not after eight minutes.
  if (output !== null && !await isFolder(dirname(fromCaller(output)))) {
    console.error(`compare: cannot write "${output}": its folder does not exist`);
    return 2;
  }
  const box = await Box.open();
  const interrupted = interruptions(box);
  try {
    return await compare(box, request.options);
  } catch (error) {
    // What failed because the box was closed under it is no news.
    if (interrupted.signal !== null) return 128 + SIGNALS[interrupted.signal];
    throw error;
  } finally {
    await box.close();
  }
}

async function compare(box: Box, options: CompareOptions): Promise<number> {
  const say = (text: string) => console.error(`compare: ${text}`);
  const peers = PEERS.filter(({ name }) => options.peers.includes(name));
  const packages = options.packages === null ? await box.newFolder("npm") : fromCaller(options.packages);
  if (`${packages}/`.startsWith(`${ROOT}/`)) {
    console.error(`compare: the npm packages must be outside the project, not in ${packages}`);
    return 2;
  }
  if (options.install) await install(peers, { packages, say });
  const before = machine(box.folder);
  const date = new Date();
  const surroundings = { queuectl: BINARY, packages };
  const measured = await measure(box, peers, { options, surroundings, say });

  const run: Run = { date, machine: before, sizes: options.sizes, isQuick: options.isQuick, measured };
  if (options.output !== null) await write(fromCaller(options.output), documentOf(run));
  console.log(
    options.json ? JSON.stringify(run, null, 2) : textOf(run, ({ headings, rows }) => alignedLines(headings, rows)),
  );
  for (const error of measured.errors) say(error);
  return measured.errors.length > 0 ? 1 : 0;
}

/** A task runs in the folder of the project; paths are meant from where the person is, the default is not. */
function fromCaller(path: string): string {
  return path === DOCUMENT ? resolve(ROOT, path) : resolve(Deno.env.get("INIT_CWD") ?? ".", path);
}

async function isFolder(path: string): Promise<boolean> {
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

/** Writes the document as the formatter wants it. */
async function write(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--config", join(ROOT, "deno.json"), path],
  }).output();
  if (!success) throw new Error(`Cannot format ${path}: ${new TextDecoder().decode(stderr)}`);
}

/** Ends everything that the box has started when somebody interrupts the run. */
function interruptions(box: Box): { readonly signal: keyof typeof SIGNALS | null } {
  const state: { signal: keyof typeof SIGNALS | null } = { signal: null };
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
    Deno.addSignalListener(signal, () => {
      if (state.signal !== null) return;
      state.signal = signal;
      console.error("compare: ending what was started");
      void box.close().finally(() => Deno.exit(128 + SIGNALS[signal]));
    });
  }
  return state;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
