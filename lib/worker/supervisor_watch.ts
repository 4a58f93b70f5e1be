/**
 * What the workers of a pool do for their supervisor: when it is gone, one of
 * them starts another; when it hangs, it is ended first.
 *
 * - It is gone when its lock is free at two looks in a row. Between the two a
 *   successor that was started by a restart has taken it.
 * - It hangs when it holds its lock and has not beaten for a lease of our own
 *   monotonic time, although we could write meanwhile: a database that nobody
 *   can write makes everybody silent.
 *
 * Nothing is started when the pool was told to stop, nor for a supervisor in the
 * foreground, which belongs to an init system or a person. One that dies again
 * and again is started at growing intervals.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { RestartBackoff } from "../core/pool.ts";
import type { Logger } from "../log/logger.ts";
import type { PoolKey, PoolRecord, Store } from "../store/mod.ts";
import { endSupervisor } from "./end_supervisor.ts";
import { decidingNow, isSupervised } from "./pool_files.ts";
import { isStopFileThere } from "./stop_file.ts";

export interface SupervisorWatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly key: PoolKey;
  readonly leaseMs: () => number;
  /** Whether this worker is about to end. */
  readonly isStopping: () => boolean;
  /** In the background. */
  readonly startSupervisor: () => void;
}

export interface SupervisorWatch {
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;
/** Until the second look at a lock that was found free. */
const CONFIRM_MS = 500;
/** How long one that is silent has to write once we could. */
const PROVEN_MS = 1_000;
/** Looks further apart than this prove no silence: this process was suspended. */
const MAX_GAP_MS = 5_000;
/** A supervisor that was started holds its lock by then, or not at all. */
const START_MS = 5_000;
const START_LOOK_MS = 50;

export function watchSupervisor(options: SupervisorWatchOptions): SupervisorWatch {
  const watch = new Watch(options);
  return { stop: () => watch.stop() };
}

class Watch {
  readonly #options: SupervisorWatchOptions;
  readonly #backoff = new RestartBackoff();
  #timer: number | undefined;
  #look: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFree = false;
  /** The beat that was last seen, and since when; `isProven`: we could write at the end of that time. */
  #seen: { beat: number; since: number; isProven: boolean } | undefined;
  #lastLook = -Infinity;

  constructor(options: SupervisorWatchOptions) {
    this.#options = options;
    this.#lookAfter(LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#look;
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#look = this.#lookAround().then((nextMs) => {
        if (!this.#isStopped) this.#lookAfter(nextMs);
      });
    }, ms);
  }

  /** Returns when to look again. */
  async #lookAround(): Promise<number> {
    const { store, key, log } = this.#options;
    try {
      if (this.#isOver()) return LOOK_MS;
      if (isSupervised(store.folder, key)) {
        this.#isFree = false;
        return await this.#judge();
      }
      this.#seen = undefined;
      if (this.#isFree) await this.#replace();
      this.#isFree = !this.#isFree;
      return this.#isFree ? CONFIRM_MS : LOOK_MS;
    } catch (error) {
      // The store is locked or full, or no process is to be had: the next look may find it otherwise.
      log.warn("supervisor not looked after", { error: error instanceof Error ? error.message : String(error) });
      return LOOK_MS;
    }
  }

  #isOver(): boolean {
    const { store, isStopping } = this.#options;
    return this.#isStopped || isStopping() || isStopFileThere(store.folder) || !store.isSame();
  }

  async #wanted(): Promise<PoolRecord | undefined> {
    const pool = await this.#options.store.pools.find(this.#options.key);
    return pool?.state === "running" && pool.supervisor?.is_foreground !== true ? pool : undefined;
  }

  /** Ends it when it has been silent for too long. Returns when to look again. */
  async #judge(): Promise<number> {
    const { store, clock, key, log, leaseMs } = this.#options;
    const now = clock.monotonic();
    const isGap = now - this.#lastLook > MAX_GAP_MS;
    this.#lastLook = now;
    const supervisor = (await this.#wanted())?.supervisor;
    if (supervisor == null) return LOOK_MS;
    const beat = supervisor.beat_at;
    if (isGap || this.#seen?.beat !== beat) this.#seen = { beat, since: now, isProven: false };
    if (now - this.#seen.since < leaseMs()) return LOOK_MS;
    if (!this.#seen.isProven) {
      // Changes nothing, but needs the write lock. It has until the next look to get it, too.
      await store.leases.beat("", "");
      this.#seen = { ...this.#seen, isProven: true };
      return PROVEN_MS;
    }
    if (!endSupervisor(store.folder, key, supervisor)) return LOOK_MS;
    log.warn("supervisor hangs: killed", { pid: supervisor.pid });
    return CONFIRM_MS;
  }

  async #replace(): Promise<void> {
    const { store, clock, key, log, startSupervisor } = this.#options;
    if (this.#backoff.leftMs(clock.monotonic()) > 0) return;
    // Others of the pool find the same, and people may be deciding otherwise at this moment.
    await decidingNow(store.folder, key, async () => {
      const pool = await this.#wanted();
      if (pool === undefined || this.#isOver() || isSupervised(store.folder, key)) return;
      this.#backoff.died(clock.monotonic());
      startSupervisor();
      const deadline = clock.monotonic() + START_MS;
      while (!this.#isStopped && !isSupervised(store.folder, key) && clock.monotonic() < deadline) {
        await new Promise((wake) => setTimeout(wake, START_LOOK_MS));
      }
      const fields = { pool: key.name, was: pool.supervisor?.pid };
      if (isSupervised(store.folder, key)) log.warn("supervisor_restarted", fields);
      else log.error("supervisor does not start", fields);
    });
  }
}
