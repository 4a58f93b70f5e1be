/**
 * Looking at a large queue: what `status`, `list` and `show` take beyond the
 * start of the program, which `version` stands for.
 * @module
 */
import { type Bench, compare, queuectl } from "./bench.ts";
import { fill, newDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";

export async function lookingRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(1_000_000, 50_000);
  const runs = bench.size(10, 5);
  const database = await newDatabase(bench, "looking", "normal");
  const db = database.location()!;
  // Four in ten done, as many waiting, a tenth each dead and to be retried.
  fill(database, { count: count * 0.4, columns: { state: "'completed'", finished_at: "i", attempts: "1" } });
  fill(database, { count: count * 0.1, columns: { state: "'dead'", finished_at: "i", attempts: "4" } });
  fill(database, { count: count * 0.1, columns: { state: "'failed'", run_at: "4102444800000 + i", attempts: "1" } });
  fill(database, { count: count * 0.4 });
  const id = String(database.prepare("select id from jobs where seq = ?").get(Math.floor(count / 2))!.id);
  database.close();

  const version = () => queuectl(bench, db, ["version"]);
  const beyond = async (args: readonly string[], pass: number): Promise<Finding> => {
    await queuectl(bench, db, args);
    const cost = await compare(runs, { ours: () => queuectl(bench, db, args), floor: version });
    return {
      what: `${args.join(" ").replace(id, "ID")} beyond start-up, ${count.toLocaleString("en")} jobs`,
      unit: "ms",
      measured: (cost.ours - cost.floor) / runs,
      floor: null,
      limit: { of: "measured", better: "lower", pass, goal: 20 },
    };
  };
  const findings = [
    await beyond(["status"], 150),
    await beyond(["list"], 100),
    await beyond(["list", "--state", "dead"], 100),
    await beyond(["list", "--state", "pending,completed"], 100),
    await beyond(["show", id], 100),
    await beyond(["show", id.slice(0, 10)], 100),
  ];
  await Deno.remove(db);
  return findings;
}
