/**
 * One command from the shell: `enqueue` against a compiled program that does
 * nothing but insert a row.
 * @module
 */
import { type Bench, compare, queuectl, runProgram } from "./bench.ts";
import { newPath } from "./database.ts";
import type { Finding } from "./finding.ts";
import { compiled } from "./floor/compiled.ts";

export async function startupRows(bench: Bench): Promise<Finding[]> {
  const runs = bench.size(40, 15);
  const insertOne = await compiled("bench/floor/insert_one.ts");
  const db = newPath(bench, "startup");
  const floorDb = newPath(bench, "startup-floor");
  const ours = () => queuectl(bench, db, ["enqueue", "true"]);
  const floor = () => runProgram(bench, insertOne, [floorDb]);
  // The first run makes the schema, and reads both programs from the disk.
  for (let i = 0; i < 3; i++) await ours(), await floor();
  const cost = await compare(runs, { ours, floor });
  return [{
    what: "one enqueue command, against a compiled program that inserts one row",
    unit: "ms",
    measured: cost.ours / runs,
    floor: cost.floor / runs,
    limit: { of: "ratio", better: "lower", pass: 1.25, goal: 1.1 },
  }];
}
