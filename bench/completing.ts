/**
 * Tab in a shell: what `__complete` takes beyond a start of the program, with
 * a million jobs in every state and queue. A person waits for it at a prompt.
 * @module
 */
import { openStore } from "../lib/store/mod.ts";
import { type Bench, CLOCK, compare, queuectl } from "./bench.ts";
import { fill, newPath, openRaw } from "./database.ts";
import type { Finding } from "./finding.ts";

const QUESTIONS: readonly (readonly [kind: string, prefix: string])[] = [
  ["job", ""],
  ["job:retry", ""],
  ["job:retry", "a"],
  ["job:cancel", ""],
  ["job:dead", "ab"],
  ["queue:pause", ""],
  ["batch:open", ""],
  ["tag", ""],
  ["setting", ""],
];

/** Beyond a start. Longer, and a person takes the shell for stuck. */
const MOST_MS = 100;

const QUEUES = 1_000;

export async function completingRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(1_000_000, 50_000);
  const runs = bench.size(10, 5);
  const db = newPath(bench, "completing");
  await prepare(db, count);
  const findings: Finding[] = [];
  for (const [kind, prefix] of QUESTIONS) {
    const ours = () => queuectl(bench, db, ["__complete", "--describe", kind, "--", prefix]);
    const floor = () => queuectl(bench, db, ["version"]);
    await ours();
    const cost = await compare(runs, { ours, floor });
    findings.push({
      what: `Tab for ${kind}${prefix === "" ? "" : ` ${prefix}`} with ${
        count.toLocaleString("en")
      } jobs, beyond a start`,
      unit: "ms",
      measured: (cost.ours - cost.floor) / runs,
      floor: null,
      limit: { of: "measured", better: "lower", pass: MOST_MS, goal: MOST_MS / 2 },
    });
  }
  return findings;
}

async function prepare(path: string, count: number): Promise<void> {
  await (await openStore(path, { mode: "write", clock: CLOCK })).close();
  const raw = openRaw(path, "normal");
  const waits = "i % 100 in (2, 3)";
  fill(raw, {
    count,
    columns: {
      // Most jobs of a long-lived database are completed, and what a person looks for is among them.
      state: `case when i % 1000 = 0 then 'dead' when i % 1000 = 1 then 'failed' when i % 100 = 2 then 'pending'
        when i % 100 = 3 then 'scheduled' else 'completed' end`,
      finished_at: `case when i % 1000 = 1 or ${waits} then null else i end`,
      run_at: "4102444800000",
      queue: `'queue-' || (i * 7919 % ${QUEUES})`,
      batch: "'batch-' || (i % 100000)",
    },
  });
  raw.exec(`
    insert into queues (name, created_at) select distinct queue, 0 from jobs where seq <= 10000;
    insert into job_tags (tag, job_seq) select 'tag-' || (seq % 100000), seq from jobs;
    insert into batches (name, total, created_at) select batch, 10, seq from jobs where seq <= 100000 group by batch;
    pragma wal_checkpoint(truncate);
  `);
  raw.close();
}
