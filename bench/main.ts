/**
 * `tools/deno task bench [ROW...]`: the targets of the project as one table,
 * each against its floor within this run, because the machine decides the
 * absolute numbers. With `--against BINARY`: this build against another one.
 * @module
 */
import { join, resolve } from "node:path";
import { compareBinaries } from "./against/run.ts";
import { comparisonLines } from "./against/table.ts";
import { TRIALS } from "./against/trials.ts";
import { type BenchOptions, readBenchArguments } from "./arguments.ts";
import { batchRows } from "./batch.ts";
import { type Bench, BINARY, ROOT } from "./bench.ts";
import { claimRows } from "./claim.ts";
import { completingRows } from "./completing.ts";
import { contentionRows } from "./contention.ts";
import { type Finding, ratioOf, verdictOf } from "./finding.ts";
import { growthRows } from "./growth.ts";
import { idleRows } from "./idle.ts";
import { lookingRows } from "./looking.ts";
import { pickupRows } from "./pickup.ts";
import { spawnRows } from "./spawn.ts";
import { startupRows } from "./startup.ts";
import { tableLines } from "./table.ts";

/** Every family of lines, in the order of the table. */
const FAMILIES: Readonly<Record<string, (bench: Bench) => Promise<Finding[]>>> = {
  startup: startupRows,
  batch: batchRows,
  claim: claimRows,
  growth: growthRows,
  spawn: spawnRows,
  pickup: pickupRows,
  idle: idleRows,
  contention: contentionRows,
  looking: lookingRows,
  completing: completingRows,
};

const NAMES = Object.keys(FAMILIES);
const RESULT = join(ROOT, "dist", "bench.json");

const AGAINST_RESULT = join(ROOT, "dist", "bench-against.json");

const USAGE = `Usage: tools/deno task bench [OPTIONS] [ROW...]

  ROW               one of ${NAMES.join(", ")} (default: all)
  --only ROW,..     the same as ROW (repeatable)
  --against BINARY  compare this build with another binary, row by row and in turns; these rows:
                    ${Object.keys(TRIALS).join(", ")}
  --rounds N        rounds of a comparison, each measuring both binaries twice (default: 3)
  --quick           smaller sizes: for a first look, not for a judgement
  --json            print JSON instead of a table
  --help            this text

Exit code 1: a row misses its pass limit, is slower than the other binary by more
than the noise, or cannot be measured. 2: bad usage.`;

async function main(args: string[]): Promise<number> {
  const request = readBenchArguments(args, { names: NAMES, compared: Object.keys(TRIALS) });
  if (request.kind === "help") {
    console.log(USAGE);
    return 0;
  }
  if (request.kind === "refused") {
    console.error(`bench: ${request.message}\n\n${USAGE}`);
    return 2;
  }
  const { options } = request;
  // A task runs in the folder of the project; the path is meant from where the person is.
  const other = options.against === null ? null : resolve(Deno.env.get("INIT_CWD") ?? ".", options.against);
  const version = other === null ? null : await versionOf(other);
  if (other !== null && version === null) {
    console.error(`bench: cannot run "${other} version": --against needs a queuectl binary`);
    return 2;
  }
  // Beside the binary and not in /tmp, which may be memory.
  const folder = await Deno.makeTempDir({ dir: join(ROOT, "dist"), prefix: "bench-" });
  const bench: Bench = { folder, size: (full, quick) => options.quick ? quick : full };
  try {
    return other === null ? await measure(bench, options) : await compareWith(bench, other, version!, options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measure(bench: Bench, { rows, quick, json }: BenchOptions): Promise<number> {
  const { findings, errors } = await measured(bench, rows);
  const result = {
    at: new Date().toISOString(),
    quick,
    rows: findings.map((finding) => ({ ...finding, ratio: ratioOf(finding), verdict: verdictOf(finding) })),
    errors,
  };
  await show(result, { path: RESULT, json, lines: tableLines(findings) });
  for (const error of errors) console.error(`bench: ${error}`);
  return errors.length > 0 || findings.some((finding) => verdictOf(finding) === "FAIL") ? 1 : 0;
}

/** Compares dist/queuectl with another binary. */
async function compareWith(
  bench: Bench,
  other: string,
  version: string,
  { rows: families, quick, json, rounds }: BenchOptions,
): Promise<number> {
  const say = (text: string) => console.error(`bench: ${text}`);
  const { rows, errors } = await compareBinaries(bench, { ours: BINARY, theirs: other, families, rounds, say });
  const ours = await versionOf(BINARY);
  const notCompared = NAMES.filter((name) => !(name in TRIALS));
  const result = {
    at: new Date().toISOString(),
    quick,
    this: { binary: BINARY, version: ours },
    against: { binary: other, version },
    rows,
    not_compared: notCompared,
    errors,
  };
  await show(result, {
    path: AGAINST_RESULT,
    json,
    lines: [
      `this build: ${BINARY} (${ours})`,
      `the other:  ${other} (${version})`,
      "",
      ...comparisonLines(rows),
    ],
  });
  say(`not compared: ${notCompared.join(", ")} (these rows measure code inside this process)`);
  for (const error of errors) say(error);
  return errors.length > 0 || rows.some(({ isBetter }) => isBetter === false) ? 1 : 0;
}

/** What the binary calls itself; null when it cannot be run. */
async function versionOf(binary: string): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command(binary, { args: ["version"], stderr: "null" }).output();
    const text = new TextDecoder().decode(stdout).trim();
    return success && text.startsWith("queuectl ") ? text : null;
  } catch {
    return null;
  }
}

async function show(
  result: unknown,
  { path, json, lines }: { path: string; json: boolean; lines: readonly string[] },
): Promise<void> {
  const text = JSON.stringify(result, null, 2);
  await Deno.writeTextFile(path, `${text}\n`);
  console.log(json ? text : lines.join("\n"));
}

async function measured(bench: Bench, names: readonly string[]): Promise<{ findings: Finding[]; errors: string[] }> {
  const findings: Finding[] = [];
  const errors: string[] = [];
  for (const name of names) {
    console.error(`bench: measuring ${name}`);
    try {
      findings.push(...await FAMILIES[name]!(bench));
    } catch (error) {
      // The other rows are worth having all the same.
      errors.push(`cannot measure ${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { findings, errors };
}

if (import.meta.main) Deno.exit(await main(Deno.args));
