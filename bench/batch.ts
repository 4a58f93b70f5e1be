/**
 * Adding many jobs at once: the store and the command against a bare loop over
 * finished rows, on the same schema with its CHECKs, indexes and counting
 * triggers; and the memory that a million of them take.
 * @module
 */
import { join } from "node:path";
import { generateJobId } from "../lib/core/job_id.ts";
import type { NewJob } from "../lib/core/job.ts";
import { type Bench, BINARY, compare, noOpJob, queuectl, timed } from "./bench.ts";
import { newDatabase, newPath, newStore } from "./database.ts";
import type { Finding } from "./finding.ts";
import { type InsertRow, insertRow, insertRows } from "./floor/insert_raw.ts";
import { peakMemory } from "./peak_memory.ts";

export async function batchRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(200_000, 20_000);
  const jobs = Array.from({ length: count }, (_, i) => noOpJob({ command: `true ${i}` }));
  const enqueue = async (some: readonly NewJob[]) => {
    const store = await newStore(bench, "batch", "write");
    const took = await timed(() => store.jobs.enqueueMany(() => some));
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
  const file = await batchFile(bench, count);
  // From the start of the program to its end: reading, checking and storing.
  const command = await compare(1, { ours: () => enqueueFile(bench, file), floor: () => insert(jobs) });
  await Deno.remove(file);
  return [{
    what: `batch of ${count.toLocaleString("en")}, against a bare loop inserting the same rows`,
    unit: "/s",
    measured: count * 1_000 / cost.ours,
    floor: count * 1_000 / cost.floor,
    limit: { of: "ratio", better: "higher", pass: 0.7, goal: 0.9 },
  }, {
    what: `enqueue-batch of ${count.toLocaleString("en")}, against the same loop`,
    unit: "/s",
    measured: count * 1_000 / command.ours,
    floor: count * 1_000 / command.floor,
    limit: { of: "ratio", better: "higher", pass: 0.7, goal: 0.9 },
  }, await memoryRow(bench)];
}

async function memoryRow(bench: Bench): Promise<Finding> {
  const count = bench.size(1_000_000, 100_000);
  const file = await batchFile(bench, count);
  const db = newPath(bench, "batch-memory");
  const peakMb = await peakMemory(bench, BINARY, ["--db", db, "enqueue-batch", "--quiet", file]);
  await Deno.remove(file);
  await Deno.remove(db);
  return {
    what: `memory of enqueue-batch of ${count.toLocaleString("en")}`,
    unit: "MB",
    measured: peakMb,
    floor: null,
    limit: { of: "measured", better: "lower", pass: 250 },
  };
}

/** The same jobs as NDJSON. */
async function batchFile(bench: Bench, count: number): Promise<string> {
  const path = join(bench.folder, "batch.ndjson");
  using file = await Deno.create(path);
  const encoder = new TextEncoder();
  for (let at = 0; at < count; at += 1_000) {
    const lines = Array.from({ length: Math.min(1_000, count - at) }, (_, i) => `{"command":"true ${at + i}"}\n`);
    await file.write(encoder.encode(lines.join("")));
  }
  return path;
}

async function enqueueFile(bench: Bench, file: string): Promise<number> {
  const db = newPath(bench, "batch-command");
  const took = await queuectl(bench, db, ["enqueue-batch", "--quiet", file]);
  await Deno.remove(db);
  return took;
}

function rowOf(job: NewJob): InsertRow {
  const now = Date.now();
  const { queue, priority, type, command, max_retries } = job;
  return insertRow({
    id: generateJobId(),
    id_generated: 1,
    state: "pending",
    parked: "",
    parents_left: 0,
    queue,
    priority,
    type,
    command,
    max_retries,
    options: JSON.stringify({ backoff: job.backoff, kill_grace_ms: job.kill_grace_ms, cwd: job.cwd }),
    created_at: now,
    updated_at: now,
  });
}
