/**
 * A process of its own that uses a store, for tests of contention:
 * `store_client.ts LOCATION DUTY ARGUMENT...`. It says `ready`, waits for a line
 * on stdin so that all clients begin together, does its duty and prints what
 * became of it as one line of JSON. Started by `store_clients.ts`.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { NotFoundError, QueuectlError } from "../../lib/core/errors.ts";
import { careOf, openStore, type OpenStoreOptions, type Store } from "../../lib/store/mod.ts";
import { aNewJob, aReport } from "./factories.ts";

const SYSTEM_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

type Duty = (location: string, ...args: string[]) => unknown;

const DUTIES: Readonly<Record<string, Duty>> = { open, openMany, claim, work, enqueue, enqueueKey, lock };

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

/**
 * Opens `count` new databases in `folder`, one after the other, as everybody else does; gives what went wrong. `how` is
 * a mode, or `doctor` or `backup`.
 */
async function openMany(folder: string, how: string, count: string): Promise<string[]> {
  await go();
  const troubles: string[] = [];
  for (let i = 0; i < Number(count); i++) {
    const path = `${folder}/${i}/queue.db`;
    try {
      if (how === "doctor") troubles.push(...await errorsOf(path));
      else if (how === "backup") await backupIfAny(path, `${folder}/${i}.backup`);
      else {
        const store = await openStore(path, { mode: how as OpenStoreOptions["mode"], clock: SYSTEM_CLOCK });
        await store.jobs.counts();
        await store.close();
      }
    } catch (error) {
      troubles.push(`${i}, ${how}: ${error}`);
    }
  }
  return troubles;
}

async function errorsOf(path: string): Promise<string[]> {
  const checks = await (await careOf(path)).examine({ fix: false, now: Date.now() });
  return checks.filter(({ status }) => status === "error").map(({ name, message }) => `${path}, ${name}: ${message}`);
}

async function backupIfAny(path: string, file: string): Promise<void> {
  try {
    await (await careOf(path)).backup(file, { replace: true });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error; // nobody has made it yet
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

/** Claims and completes, in real time, until no job waits; gives how many runs it had. */
async function work(location: string, workerId: string, slots: string): Promise<number> {
  return await withStore(location, "work", async ({ jobs }) => {
    let runs = 0;
    while (true) {
      const claimed = await jobs.claim({ workerId, slots: Number(slots), isIdle: true });
      runs += claimed.length;
      // The others have time to do what they must not.
      await new Promise((go) => setTimeout(go, 1 + Math.random() * 3));
      for (const job of claimed) {
        const finishedAt = Date.now();
        await jobs.finish([aReport(job, { finishedAt, durationMs: finishedAt - job.started_at! })]);
      }
      const waits = (await jobs.counts()).some(({ state }) => state === "pending" || state === "blocked");
      if (claimed.length === 0 && !waits) return runs;
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

/** Enqueues `times` jobs with one key; gives the ids that it was told. */
async function enqueueKey(location: string, key: string, times: string): Promise<string[]> {
  return await withStore(location, "write", async ({ jobs }) => {
    const ids: string[] = [];
    for (let i = 0; i < Number(times); i++) ids.push(...(await jobs.enqueue([aNewJob({ key })])).map(({ id }) => id));
    return ids;
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
