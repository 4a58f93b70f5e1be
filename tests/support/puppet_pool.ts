/**
 * A supervisor in this process whose workers are puppets: processes that do
 * nothing, and are registered as workers would register themselves.
 * @module
 */
import { hostIdentity, processStart } from "../../lib/host/process_identity.ts";
import { loadSettings } from "../../lib/config/load_settings.ts";
import type { LogFields, Logger, LogLevel } from "../../lib/log/logger.ts";
import type { PoolKey, PoolRecord, WorkerRecord } from "../../lib/store/mod.ts";
import type { PoolControl } from "../../lib/worker/pool_control.ts";
import { takeSupervisorLock } from "../../lib/worker/pool_files.ts";
import { runSupervisor, type SupervisorEnd, type SupervisorOptions } from "../../lib/worker/supervisor.ts";
import { aWorker } from "./factories.ts";
import { type TempStore, tempStore } from "./temp_store.ts";
import { waitFor } from "./wait_for.ts";

const CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

export interface LoggedLine {
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: LogFields;
}

export interface PuppetSupervisor {
  readonly ended: Promise<SupervisorEnd>;
  /** As INT or TERM would. */
  signal(): void;
}

export interface PuppetPool extends AsyncDisposable {
  readonly temp: TempStore;
  readonly key: PoolKey;
  readonly log: readonly LoggedLine[];
  readonly control: PoolControl;
  /** What was ever started, by pid. */
  readonly started: readonly number[];
  supervise(overrides?: Partial<SupervisorOptions>): PuppetSupervisor;
  /** Registered workers of the pool whose process lives. */
  workers(): Promise<readonly WorkerRecord[]>;
  untilWorkers(count: number): Promise<readonly WorkerRecord[]>;
  /** A puppet that no supervisor started. */
  addWorker(generation?: number): Promise<WorkerRecord>;
  /** Says of a puppet that it drains, as its heartbeat would. */
  setDraining(id: string): Promise<void>;
}

/** `trap`: what the puppets do at TERM, as shell; default: they end. */
export async function puppetPool(options: { trap?: string } = {}): Promise<PuppetPool> {
  const temp = await tempStore({ clock: CLOCK });
  const { store } = temp;
  const key = { name: "puppets", host: hostIdentity().host };
  const lines: LoggedLine[] = [];
  const at = (level: LogLevel) => (event: string, fields: LogFields = {}) => void lines.push({ level, event, fields });
  const log: Logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const children = new Map<number, Deno.ChildProcess>();
  /** Every puppet until it is unregistered: only then the database may be closed. */
  const endings = new Set<Promise<unknown>>();
  const running = new Set<Promise<unknown>>();
  const stops: (() => void)[] = [];

  const spawn = (generation: number) => {
    const trap = options.trap === undefined ? "" : `trap '${options.trap}' TERM; `;
    // It has the database open, as a worker has: nobody signals a process that does not work on it.
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", `exec 9<"$0"; ${trap}echo ready; while :; do sleep 0.05 9<&-; done`, store.location],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      detached: true,
    }).spawn();
    children.set(child.pid, child);
    const worker = aWorker({
      ...hostIdentity(),
      id: `w${child.pid}`,
      pool: key.name,
      pid: child.pid,
      process_start: processStart(child.pid),
      generation,
    });
    const registered = (async () => {
      // Not before its trap is set.
      const reader = child.stdout.getReader();
      await reader.read();
      await reader.cancel();
      await store.workers.register(worker);
    })();
    const ended = (async () => {
      const status = await child.status;
      children.delete(child.pid);
      await registered;
      await store.workers.unregister(worker.id);
      return status;
    })();
    // A test may remove the database: what then fails is for those who wait for it.
    ended.catch(() => {});
    endings.add(ended);
    return { child, worker, registered, ended };
  };
  const workers = async () =>
    (await store.workers.list()).filter((worker) => worker.pool === key.name && children.has(worker.pid));
  const started: number[] = [];

  const supervise = (overrides: Partial<SupervisorOptions> = {}): PuppetSupervisor => {
    const [first, second] = [Promise.withResolvers<Deno.Signal>(), Promise.withResolvers<Deno.Signal>()];
    let signals = 0;
    const run = async () => {
      const lock = takeSupervisorLock(store.folder, key);
      if (lock === undefined) return "replaced" as const;
      try {
        return await runSupervisor({
          store,
          clock: CLOCK,
          log,
          version: "0.0.0",
          key,
          signals: { first: first.promise, second: second.promise, close() {} },
          loadSettings: async () => loadSettings({ env: () => undefined, stored: await store.settings.all() }),
          isForeground: false,
          startWorker: (pool: PoolRecord) => {
            const puppet = spawn(pool.generation);
            started.push(puppet.child.pid);
            return { pid: puppet.child.pid, ended: () => puppet.ended };
          },
          startSuccessor: () => Promise.resolve(true),
          reasonOf: () => undefined,
          trouble: () => null,
          ...overrides,
        });
      } finally {
        lock.release();
      }
    };
    const running_ = run();
    running.add(running_);
    const signal = () => (signals++ === 0 ? first : second).resolve("SIGTERM");
    stops.push(() => {
      signal();
      signal();
    });
    return { ended: running_, signal };
  };

  return {
    temp,
    key,
    log: lines,
    started,
    workers,
    supervise,
    control: { store, clock: CLOCK, key, startSupervisor: () => void supervise() },
    untilWorkers: (count) =>
      waitFor(async () => {
        const found = await workers();
        return found.length === count && found;
      }, `${count} puppets`),
    async addWorker(generation = 1) {
      const puppet = spawn(generation);
      await puppet.registered;
      return (await workers()).find(({ id }) => id === puppet.worker.id)!;
    },
    async setDraining(id) {
      await store.workers.beat(id, { state: "draining", done: 0, failed: 0, rss_bytes: null, trouble: null });
    },
    async [Symbol.asyncDispose]() {
      for (const stop of stops) stop();
      let isDone = false;
      // A supervisor may start puppets until its end.
      void Promise.allSettled(running).then(() => Promise.allSettled(endings)).then(() => isDone = true);
      await waitFor(() => {
        for (const pid of children.keys()) killGroup(pid);
        return isDone;
      }, "the end of the supervisors and of all puppets");
      await temp[Symbol.asyncDispose]();
    },
  };
}

function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
