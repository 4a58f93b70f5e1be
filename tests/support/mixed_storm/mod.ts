/**
 * A mixed storm: jobs of all kinds, locks, keys, gates and batches, pools that
 * are started, scaled, restarted and stopped, and signals at all of it. Then
 * everything drains, and the ledger of the jobs is compared with the database.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { query } from "../sqlite_database.ts";
import { waitFor } from "../wait_for.ts";
import { Blows } from "./blows.ts";
import { checkStorm, type Found } from "./checks.ts";
import { type StormHost, stormHost } from "./host.ts";
import { type MemorySample, WorkerMemory } from "./memory.ts";
import { disturbPool, POOL_NAMES, startPool, startSteadyPool } from "./pools.ts";
import { newRecord, openEverything, Producer, type StormRecord } from "./producer.ts";
import { readLedger, writeScript } from "./script.ts";

export interface MixedStormOptions {
  /** How long it lasts before it drains. */
  readonly forMs: number;
  readonly seed: number;
  /** Fail where there are no two users, instead of leaving that part out. */
  readonly needsTwoUsers: boolean;
  /** Told now and then how it goes. */
  readonly onProgress?: (line: string) => void;
  /** Ends it early, as a failure, and all that it started. */
  readonly signal?: AbortSignal;
}

export interface MixedStormResult extends Found {
  readonly hasTwoUsers: boolean;
  /** Signals, and how often they were sent. */
  readonly blows: ReadonlyMap<string, number>;
  readonly tally: StormHost["tally"];
  /** Of the oldest worker. */
  readonly memory: readonly MemorySample[];
}

/** Short, so that what hangs is found out during the storm. */
const SETTINGS = { lease: "3s", heartbeat_interval: "1s", kill_grace: "1s", max_crashes: "1000" };

/** Afterwards nobody hangs, and a slow machine must not be taken for one that does. */
const CALM_LEASE = "30s";

/** Nothing at all happens for so long: something hangs. */
const STUCK_MS = 90_000;
const LOOK_MS = 200;
const PROGRESS_MS = 10_000;

export async function mixedStorm(options: MixedStormOptions): Promise<MixedStormResult> {
  const { forMs, seed, onProgress = () => {} } = options;
  await using host = await stormHost(options);
  const script = await writeScript(host.box.directory, host.asRoot);
  for (const [name, value] of Object.entries(SETTINGS)) await host.run(["config", "set", name, value], [0]);
  await startSteadyPool(host);

  const record = newRecord();
  const producers = ["a", "b"].map((name, index) => new Producer({ host, record, script, name, seed: seed + index }));
  const blows = new Blows(host, seed + 10);
  const memory = new WorkerMemory(host);
  const end = performance.now() + forMs;
  let hasFailed = false;
  const isOver = () => hasFailed || options.signal?.aborted === true || performance.now() >= end;
  let nextLine = performance.now() + PROGRESS_MS;
  const report = () => {
    if (performance.now() < nextLine) return;
    nextLine += PROGRESS_MS;
    onProgress(progressOf(host, blows, memory));
  };
  const parts = [
    ...producers.map((producer) => producer.run(() => (report(), isOver()))),
    ...POOL_NAMES.map((name, index) => disturbPool(host, name, { seed: seed + 20 + index, isOver })),
    blows.run(isOver),
    memory.run(isOver),
  ];
  // One that fails ends the others, so that nothing goes on behind the test.
  const watched = parts.map((part) => part.catch((error) => (hasFailed = true, Promise.reject(error))));
  const outcomes = await Promise.allSettled(watched);
  options.signal?.throwIfAborted();
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;

  onProgress("the storm is over: draining");
  await drain({ host, record, producer: producers[0]!, signal: options.signal });
  const stopped = await stopEverything(host);
  const found = checkStorm(host.box.db, await readLedger(host.box.directory), record);
  return {
    ...found,
    violations: [...found.violations, ...host.violations, ...memory.violations(), ...stopped],
    hasTwoUsers: host.asRoot !== undefined,
    blows: blows.counts,
    tally: host.tally,
    memory: memory.longest(),
  };
}

async function drain({ host, record, producer, signal }: {
  readonly host: StormHost;
  readonly record: StormRecord;
  readonly producer: Producer;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  await host.run(["config", "set", "lease", CALM_LEASE], [0]);
  await openEverything(host, record, producer);
  for (const name of POOL_NAMES) await startPool(host, name);
  let seen = "";
  let changedAt = performance.now();
  while (true) {
    signal?.throwIfAborted();
    const { open, now } = state(host);
    if (open === 0) return;
    if (now !== seen) changedAt = performance.now();
    seen = now;
    if (performance.now() - changedAt > STUCK_MS) {
      throw new Error(`nothing happens any more: ${await portrait(host)}`);
    }
    await delay(LOOK_MS);
  }
}

function state(host: StormHost): { open: number; now: string } {
  const [row] = query(
    host.box.db,
    "select sum(finished_at is null) as open, count(*) as jobs, sum(run_count) as runs from jobs",
  );
  return { open: Number(row?.open), now: JSON.stringify(row) };
}

/** What is needed to see why jobs do not run. */
async function portrait(host: StormHost): Promise<string> {
  const jobs = query(
    host.box.db,
    "select id, state, parked, reason, worker_id, lock, queue from jobs where finished_at is null limit 20",
  );
  const { stdout } = await host.run(["worker", "status"], [0]);
  return `${JSON.stringify(jobs, null, 1)}\n${stdout}\n${JSON.stringify(host.box.processes(), null, 1)}`;
}

/** What is still there afterwards. */
async function stopEverything(host: StormHost): Promise<readonly string[]> {
  const { code, stderr } = await host.run(["worker", "stop"], [0]);
  const found = code === 0 ? [] : [`worker stop ended with ${code}: ${stderr}`];
  try {
    // Jobs may leave children behind, which end by themselves within seconds.
    await waitFor(() => host.box.processes().length === 0, "the end of all processes");
  } catch {
    found.push(`processes are left: ${JSON.stringify(host.box.processes())}`);
  }
  return found;
}

function progressOf(host: StormHost, blows: Blows, memory: WorkerMemory): string {
  const [row] = query(
    host.box.db,
    "select count(*) as jobs, sum(finished_at is null) as open, sum(run_count) as runs from jobs",
  );
  const struck = [...blows.counts.values()].reduce((sum, count) => sum + count, 0);
  const oldest = memory.longest().at(-1)?.anonymousKb ?? 0;
  return `${row?.jobs} jobs (${row?.open} open), ${row?.runs} runs, ${struck} signals, ` +
    `${Math.round(oldest / 1_024)} MB in the oldest worker, ${host.violations.length} violations`;
}
