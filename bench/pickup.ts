/**
 * How soon a job begins: on an idle queue, from the return of the enqueue; for a
 * delayed job, from its time.
 *
 * The job writes a byte into a FIFO with its first instruction; when it arrives
 * here is a little later than when it was sent, never earlier.
 * @module
 */
import { join } from "node:path";
import type { Store } from "../lib/store/mod.ts";
import { type Bench, noOpJob, percentile } from "./bench.ts";
import { newStore } from "./database.ts";
import type { Finding } from "./finding.ts";
import { startWorker } from "./worker.ts";

/** Long enough for the worker to be idle again. */
const PAUSE_MS = 60;
const DELAY_MS = 250;

export async function pickupRows(bench: Bench): Promise<Finding[]> {
  const store = await newStore(bench, "pickup", "write");
  const path = join(bench.folder, "pickup.fifo");
  await new Deno.Command("mkfifo", { args: [path] }).output();
  // Read and write, so that it is never at its end between two jobs.
  using fifo = await Deno.open(path, { read: true, write: true });
  const worker = await startWorker(bench, store.location, 1);
  try {
    const soon = await samples(bench.size(300, 40), () => pickup(store, fifo, path));
    const delayed = await samples(bench.size(40, 8), () => lateness(store, fifo, path));
    return [
      inMs("pickup on an idle queue, p50", percentile(soon, 0.5), 10, 5),
      inMs("pickup on an idle queue, p99", percentile(soon, 0.99), 50, 25),
      inMs("start of a delayed job after its time, p50", percentile(delayed, 0.5), 20, 10),
    ];
  } finally {
    await worker.stop();
    await store.close();
  }
}

async function samples(count: number, sample: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  await sample();
  while (values.length < count) {
    // Not in step with any poll of the worker.
    await sleep(PAUSE_MS + Math.random() * PAUSE_MS);
    values.push(await sample());
  }
  return values;
}

async function pickup(store: Store, fifo: Deno.FsFile, path: string): Promise<number> {
  await store.jobs.enqueue([noOpJob({ command: `echo >'${path}'` })]);
  const returned = performance.now();
  await fifo.read(new Uint8Array(1));
  return performance.now() - returned;
}

async function lateness(store: Store, fifo: Deno.FsFile, path: string): Promise<number> {
  const runAt = Date.now() + DELAY_MS;
  await store.jobs.enqueue([noOpJob({ command: `echo >'${path}'`, run_at: new Date(runAt).toISOString() })]);
  await fifo.read(new Uint8Array(1));
  return Date.now() - runAt;
}

function inMs(what: string, measured: number, pass: number, goal: number): Finding {
  return { what, unit: "ms", measured, floor: null, limit: { of: "measured", better: "lower", pass, goal } };
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
