/**
 * Says that this worker lives, until its last result is written. When the
 * registration is gone, somebody took it for dead: the worker must stop its
 * jobs, because they may be running elsewhere already.
 * @module
 */
import type { Logger } from "../log/logger.ts";
import type { Store, WorkerBeat } from "../store/mod.ts";

export interface HeartbeatOptions {
  readonly store: Store;
  readonly workerId: string;
  readonly intervalMs: () => number;
  readonly describe: () => WorkerBeat;
  readonly onBeat: () => Promise<void>;
  readonly onLost: () => void;
  readonly log: Logger;
}

/** News of an idle worker are seen by others this soon, and several of that time at once. */
const SOON_MS = 500;

export interface Heartbeat {
  /** Does not wait for the interval: there is news. */
  beatNow(): void;
  /** Does not wait for the whole interval. */
  beatSoon(): void;
  stop(): Promise<void>;
}

export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { store, workerId, log } = options;
  let handle: number | undefined;
  let isStopped = false;
  let beating = Promise.resolve();
  let isSoon = false;
  const arm = (ms = options.intervalMs()) => {
    clearTimeout(handle);
    // Behind one that may still be waiting for the store: two at once, and `stop` would wait for the later one only.
    if (!isStopped) handle = setTimeout(() => beating = beating.then(beat), ms);
  };
  const beat = async () => {
    isSoon = false;
    try {
      if (await store.workers.beat(workerId, options.describe())) await options.onBeat();
      else options.onLost();
    } catch (error) {
      // Locked or full: the next beat may get through, and the lock file still proves that we live.
      log.warn("heartbeat failed", { error: error instanceof Error ? error.message : String(error) });
    }
    arm(isSoon ? SOON_MS : undefined);
  };
  arm();
  return {
    beatNow() {
      clearTimeout(handle);
      if (!isStopped) beating = beating.then(beat);
    },
    beatSoon() {
      if (isSoon) return;
      isSoon = true;
      arm(Math.min(SOON_MS, options.intervalMs()));
    },
    async stop() {
      isStopped = true;
      clearTimeout(handle);
      await beating;
    },
  };
}
