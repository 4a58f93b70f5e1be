/**
 * Looking at a large queue: what `status`, `list`, `show`, `stats` and the like
 * take beyond the start of the program, which `version` stands for.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { countRun, emptyTally, nextMinute } from "../lib/core/tally.ts";
import { type Bench, compare, queuectl } from "./bench.ts";
import { fill, newDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";

const MINUTES_OF_A_WEEK = 7 * 24 * 60;

export async function lookingRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(1_000_000, 50_000);
  const runs = bench.size(10, 5);
  const database = await newDatabase(bench, "looking", "normal");
  const db = database.location()!;
  // Four in ten done, as many waiting, a tenth each dead and to be retried.
  const ended = { finished_at: `${Date.now()} - i`, started_at: `${Date.now()} - i - 100`, duration_ms: "i % 5000" };
  fill(database, { count: count * 0.4, columns: { state: "'completed'", attempts: "1", ...ended } });
  fill(database, { count: count * 0.1, columns: { state: "'dead'", attempts: "4", ...ended } });
  fill(database, { count: count * 0.1, columns: { state: "'failed'", run_at: "4102444800000 + i", attempts: "1" } });
  fill(database, { count: count * 0.4, columns: { priority: "i % 10" } });
  fill(database, { count: 100, queue: "small" });
  database.exec(`insert into job_tags (tag, job_seq) select 'rare', seq from jobs where seq % ${count / 100} = 0`);
  fillHistory(database, ["default", "mail", "small", "video"]);
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
    await beyond(["list", "--queue", "small"], 100),
    await beyond(["list", "--tag", "rare"], 100),
    await beyond(["list", "--since", "1h"], 100),
    await beyond(["show", id], 100),
    await beyond(["show", id.slice(0, 10)], 100),
    await beyond(["stats"], 150),
    await beyond(["stats", "--since", "1h"], 150),
    await beyond(["metrics", "--prometheus"], 150),
  ];
  await Deno.remove(db);
  return findings;
}

/** What a week of work leaves: a tally for each minute of each queue. */
function fillHistory(database: DatabaseSync, queues: readonly string[]): void {
  let tally = emptyTally(0);
  for (let i = 0; i < 2_000; i++) {
    const run = { seq: i, outcome: "succeeded", isDead: false, isRetry: false } as const;
    tally = countRun(tally, { ...run, durationMs: i * 7 % 60_000, waitMs: i });
  }
  const now = Math.floor(Date.now() / 60_000);
  const counts = database.prepare("insert into job_counts (queue, state, n, tally) values (?, 'tally:0', 0, ?)");
  const minutes = database.prepare(
    "insert into minutes (queue, priority, minute, tally, shortest_ms, longest_ms, longest_seq) values (?, 0, ?, ?, 1, 9, 1)",
  );
  database.exec("begin");
  for (const queue of queues) {
    for (let ago = MINUTES_OF_A_WEEK; ago > 0; ago--) minutes.run(queue, now - ago, tally);
    counts.run(queue, nextMinute(tally.slice(), now));
  }
  database.exec("commit");
}
