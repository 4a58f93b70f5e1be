/**
 * Adding many jobs at once: the store against a bare loop over finished rows,
 * on the same schema with its CHECKs, indexes and counting triggers.
 * @module
 */
import { generateJobId } from "../lib/core/job_id.ts";
import type { NewJob } from "../lib/core/job.ts";
import { type Bench, compare, noOpJob, timed } from "./bench.ts";
import { newDatabase, newStore } from "./database.ts";
import type { Finding } from "./finding.ts";
import { type InsertRow, insertRows } from "./floor/insert_raw.ts";

export async function batchRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(200_000, 20_000);
  const jobs = Array.from({ length: count }, (_, i) => noOpJob({ command: `true ${i}` }));
  const enqueue = async (some: readonly NewJob[]) => {
    const store = await newStore(bench, "batch", "write");
    const took = await timed(() => store.jobs.enqueue(some));
    await store.close();
    await Deno.remove(store.location);
    return took;
  };
  const insert = async (some: readonly NewJob[]) => {
    const rows = some.map(rowOf);
    const database = await newDatabase(bench, "batch-raw", "full");
    const path = database.location()!;
    const took = await timed(() => insertRows(database, rows));
    database.close();
    await Deno.remove(path);
    return took;
  };
  const few = jobs.slice(0, 5_000);
  await enqueue(few);
  await insert(few);
  const cost = await compare(1, { ours: () => enqueue(jobs), floor: () => insert(jobs) });
  return [{
    what: `batch of ${count.toLocaleString("en")}, against a bare loop inserting the same rows`,
    unit: "/s",
    measured: count * 1_000 / cost.ours,
    floor: count * 1_000 / cost.floor,
    limit: { of: "ratio", better: "higher", pass: 0.7, goal: 0.9 },
  }];
}

function rowOf(job: NewJob): InsertRow {
  const now = Date.now();
  const options = JSON.stringify({ backoff: job.backoff, kill_grace_ms: job.kill_grace_ms, cwd: job.cwd });
  const { queue, priority, type, command, max_retries } = job;
  return [
    generateJobId(),
    1,
    "pending",
    queue,
    priority,
    type,
    command,
    null,
    max_retries,
    null,
    null,
    null,
    options,
    now,
    now,
  ];
}
