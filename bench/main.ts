/**
 * `tools/deno task bench [--quick] [ROW...]`: the targets of the project as one
 * table, each against its floor within this run, because the machine decides
 * the absolute numbers. Exit code 1 when a line misses its pass limit.
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { batchRows } from "./batch.ts";
import { type Bench, ROOT } from "./bench.ts";
import { claimRows } from "./claim.ts";
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
};

const NAMES = Object.keys(FAMILIES);
const RESULT = join(ROOT, "dist", "bench.json");

const USAGE = `Usage: tools/deno task bench [--quick] [ROW...]

  ROW       one of ${NAMES.join(", ")} (default: all)
  --quick   smaller sizes: for a first look, not for a judgement`;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    console.error(`bench: no row is named "${unknown}"\n\n${USAGE}`);
    return 2;
  }
  const wanted = positionals.length === 0 ? NAMES : NAMES.filter((name) => positionals.includes(name));
  // Beside the binary and not in /tmp, which may be memory.
  const folder = await Deno.makeTempDir({ dir: join(ROOT, "dist"), prefix: "bench-" });
  const bench: Bench = { folder, size: (full, quick) => values.quick ? quick : full };
  try {
    const { findings, errors } = await measured(bench, wanted);
    await writeResult(findings, values.quick);
    for (const line of tableLines(findings)) console.log(line);
    for (const error of errors) console.error(`bench: ${error}`);
    return errors.length > 0 || findings.some((finding) => verdictOf(finding) === "FAIL") ? 1 : 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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

async function writeResult(findings: readonly Finding[], quick: boolean): Promise<void> {
  const rows = findings.map((finding) => ({ ...finding, ratio: ratioOf(finding), verdict: verdictOf(finding) }));
  const result = { at: new Date().toISOString(), quick, rows };
  await Deno.writeTextFile(RESULT, `${JSON.stringify(result, null, 2)}\n`);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
