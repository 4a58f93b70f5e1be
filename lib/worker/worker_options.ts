/**
 * What a worker is told, and what it tells at its end.
 * @module
 */
import type { Settings } from "../config/load_settings.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { LeaseHolder, Store } from "../store/mod.ts";
import type { OneJob } from "./one_job.ts";
import type { StopSignals } from "./signals.ts";

export interface WorkerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Read anew at every heartbeat, so that changes are followed. */
  readonly loadSettings: () => Promise<Settings>;
  /** Default: the setting. */
  readonly concurrency?: number | undefined;
  /** Strict order; default: all queues, fairly. */
  readonly queues?: readonly string[] | undefined;
  readonly pool: string;
  /** Name of the host by which its pool is known. Default: the present one. */
  readonly host?: string | undefined;
  /** Default: a new one. */
  readonly id?: string | undefined;
  /** Runs this job and no other, until it is final. */
  readonly only?: OneJob | undefined;
  /** Of its pool; absent: nobody keeps the pool at a number. */
  readonly generation?: number | undefined;
  /** What went wrong lately that no job fails for; null: nothing. */
  readonly trouble?: (() => string | null) | undefined;
  readonly signals: StopSignals;
  /** Stops when nothing is left to run. */
  readonly drain: boolean;
  /** With `drain`: also waits for the retries of failed jobs. */
  readonly waitForRetries: boolean;
  readonly maxJobs?: number | undefined;
  readonly idleExitMs?: number | undefined;
  /** What else this process does for the queue, from its registration to its end. Default: nothing. */
  readonly startUpkeep?: ((self: LeaseHolder) => Upkeep) | undefined;
}

/** Duties beside running jobs. */
export interface Upkeep {
  /** Gives back jobs of workers that are gone. Returns how many. */
  rescue(): Promise<number>;
  /** Whether this process has the duty of maintenance: then it looks for orphans anyway. */
  isMaintaining(): boolean;
  stop(): Promise<void>;
}

export interface WorkerSummary {
  readonly completed: number;
  readonly failed: number;
  readonly dead: number;
  /** Why it stopped. */
  readonly reason: string;
}
