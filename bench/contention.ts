/**
 * Many worker processes on one SQLite file, against few, and against one with
 * as many slots: the rate of no-op jobs, while a person goes on enqueueing. An error in a log, or a command that
 * fails, fails the row.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../lib/store/mod.ts";
import { lastEntries } from "../lib/log/read_log.ts";
import { type Bench, compare, noOpJob, queuectl } from "./bench.ts";
import { newStore } from "./database.ts";
import type { Finding } from "./finding.ts";

const MANY = 32;
const FEW = 4;

/** Commands of the person, one after the other, while the jobs run. */
const ENQUEUES = 5;
const LOOK_MS = 20;

/**
 * Jobs for each worker before it counts: what a process does for the first time it does slowly (it reads the program,
 * compiles, makes its statements), and many processes do more for the first time than few.
 */
const WARM_UP = 200;

export async function contentionRows(bench: Bench): Promise<Finding[]> {
  const count = bench.size(4_000, 300);
  const cost = await compare(bench.size(2, 1), {
    ours: () => drained(bench, count, { workers: MANY }),
    floor: () => drained(bench, count, { workers: FEW }),
  });
  const spread = await compare(bench.size(2, 1), {
    ours: () => drained(bench, count, { workers: FEW }),
    floor: () => drained(bench, count, { workers: 1, slots: FEW }),
  });
  return [{
    what: `no-op jobs by ${MANY} worker processes, against ${FEW}`,
    unit: "/s",
    measured: count * 1_000 / cost.ours,
    floor: count * 1_000 / cost.floor,
    limit: { of: "ratio", better: "higher", pass: 0.8, goal: 1 },
  }, {
    what: `no-op jobs by ${FEW} worker processes with a slot each, against one with ${FEW} slots`,
    unit: "/s",
    measured: count * 1_000 / spread.ours,
    floor: count * 1_000 / spread.floor,
    limit: { of: "ratio", better: "higher" },
  }];
}

interface Crew {
  readonly workers: number;
  /** Jobs that each runs at once. Default: 1. */
  readonly slots?: number;
}

/** Milliseconds from the first start to the last result of the jobs. */
async function drained(bench: Bench, count: number, { workers, slots = 1 }: Crew): Promise<number> {
  const store = await newStore(bench, "contention", "write");
  const db = store.location;
  try {
    await queuectl(bench, db, ["worker", "start", "--count", `${workers}`, "--concurrency", `${slots}`]);
    try {
      const warmUp = WARM_UP * workers * slots;
      await enqueue(store, warmUp, { priority: 1 });
      await untilCompleted(store, warmUp);
      await enqueue(store, count);
      for (let i = 0; i < ENQUEUES; i++) await queuectl(bench, db, ["enqueue", "--priority", "-1", "true"]);
      await untilCompleted(store, warmUp + count + ENQUEUES);
    } finally {
      await queuectl(bench, db, ["worker", "stop", "--force"]);
    }
  } finally {
    await store.close();
  }
  const [error] = lastEntries(`${db}.d/logs`, "default").filter(({ level }) => level === "error");
  if (error !== undefined) throw new Error(`With ${workers} workers: ${error.event} ${JSON.stringify(error.fields)}`);
  const took = elapsed(db);
  await Deno.remove(db);
  await Deno.remove(`${db}.d`, { recursive: true });
  return took;
}

async function enqueue(store: Store, count: number, written: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await store.jobs.enqueueMany(function* () {
    for (let i = 0; i < count; i++) yield noOpJob(written);
  });
}

async function untilCompleted(store: Store, count: number): Promise<void> {
  while (true) {
    const done = (await store.jobs.counts()).find(({ state }) => state === "completed")?.n ?? 0;
    if (done === count) return;
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
}

function elapsed(db: string): number {
  const database = new DatabaseSync(db, { readOnly: true });
  // Neither the first ones nor the person's own: each of those may begin when all else is done.
  const { first, last } = database.prepare(
    `select min(runs.started_at) as first, max(runs.finished_at) as last
     from runs join jobs on jobs.seq = runs.job_seq where jobs.priority = 0`,
  ).get()!;
  database.close();
  return Number(last) - Number(first);
}
