/**
 * A process of its own that uses a store, for tests of contention:
 * `store_client.ts LOCATION DUTY ARGUMENT...`. It says `ready`, waits for a line
 * on stdin so that all clients begin together, does its duty and prints what
 * became of it as one line of JSON. Started by `store_clients.ts`.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { QueuectlError } from "../../lib/core/errors.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../lib/store/mod.ts";
import { aNewJob, aReport } from "./factories.ts";

const SYSTEM_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

type Duty = (location: string, ...args: string[]) => unknown;

const DUTIES: Readonly<Record<string, Duty>> = { open, claim, enqueue, lock };

/** Opens the store and says whether that went well. */
async function open(location: string, mode: string): Promise<{ error: string | null }> {
  await go();
  try {
    const store = await openStore(location, { mode: mode as OpenStoreOptions["mode"], clock: SYSTEM_CLOCK });
    await store.jobs.counts();
    await store.close();
    return { error: null };
  } catch (error) {
    if (!(error instanceof QueuectlError)) throw error;
    return { error: `${error.name}: ${error.message}` };
  }
}

/** Claims and completes until nothing is left; gives the runs it had, as `seq/run`. */
async function claim(location: string, workerId: string, slots: string): Promise<string[]> {
  return await withStore(location, "work", async ({ jobs }) => {
    const runs: string[] = [];
    while (true) {
      const claimed = await jobs.claim({ workerId, slots: Number(slots), isIdle: true });
      if (claimed.length === 0) return runs;
      runs.push(...claimed.map((job) => `${job.seq}/${job.run_count}`));
      await jobs.finish(claimed.map((job) => aReport(job)));
    }
  });
}

/** Enqueues `times` batches of `size` jobs each; gives the ids, batch by batch. */
async function enqueue(location: string, queue: string, times: string, size: string): Promise<string[][]> {
  return await withStore(location, "write", async ({ jobs }) => {
    const batches: string[][] = [];
    for (let i = 0; i < Number(times); i++) {
      const enqueued = await jobs.enqueue(Array.from({ length: Number(size) }, () => aNewJob({ queue })));
      batches.push(enqueued.map((job) => job.id));
    }
    return batches;
  });
}

/** Holds the write lock of a SQLite file until it is told to go on. */
async function lock(path: string): Promise<null> {
  const database = new DatabaseSync(path);
  database.exec("begin immediate");
  await go();
  database.exec("rollback");
  database.close();
  return null;
}

async function withStore<T>(
  location: string,
  mode: OpenStoreOptions["mode"],
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(location, { mode, clock: SYSTEM_CLOCK });
  await go();
  const result = await work(store);
  await store.close();
  return result;
}

/** Says that everything is prepared, and waits for the word to begin. */
async function go(): Promise<void> {
  console.log("ready");
  await Deno.stdin.read(new Uint8Array(16));
}

if (import.meta.main) {
  const [location = "", duty = "", ...args] = Deno.args;
  console.log(JSON.stringify(await DUTIES[duty]!(location, ...args)));
}
