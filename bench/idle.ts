/**
 * What a worker costs that has nothing to do.
 * @module
 */
import { type Bench, queuectl } from "./bench.ts";
import { newStore } from "./database.ts";
import type { Finding, Unit } from "./finding.ts";
import { startWorker } from "./worker.ts";

/** Workers of the pool that is watched. */
const POOL = 16;

export async function idleRows(bench: Bench): Promise<Finding[]> {
  const watchMs = bench.size(30_000, 8_000);
  return [...await oneRows(bench, watchMs), ...await poolRows(bench, watchMs)];
}

async function oneRows(bench: Bench, watchMs: number): Promise<Finding[]> {
  const store = await newStore(bench, "idle", "write");
  const worker = await startWorker(bench, store.location, 1);
  // The pages of the program itself are private only as long as nobody else runs it.
  const other = await startWorker(bench, store.location, 1);
  try {
    const [first = NaN] = await percentsOf([worker.pid], startMs(bench));
    const [percent = NaN] = await percentsOf([worker.pid], watchMs);
    const { rss, own } = memory(worker.pid);
    return [
      line("idle worker, CPU of one core", "%", percent, 0.3, 0.1),
      {
        ...line("the same while it settles after its start", "%", first, 0, 0),
        limit: { of: "measured", better: "lower" },
      },
      line("idle worker, RSS", "MB", rss, 60, 55),
      line("idle worker, private memory", "MB", own, 25, 18),
    ];
  } finally {
    await worker.stop();
    await other.stop();
    await store.close();
  }
}

/** What each of many costs, and the supervisor that looks after them. */
async function poolRows(bench: Bench, watchMs: number): Promise<Finding[]> {
  const store = await newStore(bench, "idle-pool", "write");
  const db = store.location;
  await queuectl(bench, db, ["worker", "start", "--count", String(POOL)]);
  try {
    const workers = (await store.workers.list()).map(({ pid }) => pid);
    const supervisor = (await store.pools.list())[0]!.supervisor!.pid;
    await new Promise((wake) => setTimeout(wake, startMs(bench)));
    const [ofSupervisor = NaN, ...ofWorkers] = await percentsOf([supervisor, ...workers], watchMs);
    return [
      line(`each of ${POOL} idle workers, CPU of one core`, "%", mean(ofWorkers), 0.3, 0.1),
      line(`each of ${POOL} idle workers, RSS`, "MB", mean(workers.map((pid) => memory(pid).rss)), 60, 55),
      line(`each of ${POOL} idle workers, private memory`, "MB", mean(workers.map((pid) => memory(pid).own)), 25, 18),
      line("their supervisor, CPU of one core", "%", ofSupervisor, 0.3, 0.1),
    ];
  } finally {
    await queuectl(bench, db, ["worker", "stop", "--force"]);
    await store.close();
  }
}

/**
 * Until what is done once after the start is over: half a minute later the database is checked, if it was not since the
 * machine was started, and V8 cleans up, which takes some 70 ms, as long as a minute of idling.
 */
function startMs(bench: Bench): number {
  return bench.size(35_000, 3_000);
}

/** The share of a core that each process takes while nothing happens. */
async function percentsOf(pids: readonly number[], watchMs: number): Promise<number[]> {
  const before = pids.map(cpuNanoseconds);
  const start = performance.now();
  await new Promise((wake) => setTimeout(wake, watchMs));
  const elapsedMs = performance.now() - start;
  return pids.map((pid, i) => (cpuNanoseconds(pid) - before[i]!) / 1e6 / elapsedMs * 100);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of all threads. The ticks in /proc/PID/stat are 10 ms, as much as is to be measured. */
export function cpuNanoseconds(pid: number): number {
  let sum = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    sum += Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0]);
  }
  return sum;
}

/** In MB of a million bytes. */
export function memory(pid: number): { rss: number; own: number } {
  const text = Deno.readTextFileSync(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1_024 / 1e6;
  // Clean pages are the program's own file, shared by all workers; with one worker alone they count as private.
  return { rss: megabytes("Rss"), own: megabytes("Private_Dirty") };
}

function line(what: string, unit: Unit, measured: number, pass: number, goal: number): Finding {
  return { what, unit, measured, floor: null, limit: { of: "measured", better: "lower", pass, goal } };
}
