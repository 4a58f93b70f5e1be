/**
 * Pools of workers in a store: what was asked for, and which supervisor looks
 * after it. A pool belongs to a host, since a supervisor starts workers on its
 * own; on another host the same name is another pool.
 * @module
 */
import type { PoolOptions } from "../core/pool.ts";

export interface PoolStore {
  /** Of all hosts, by name, then host. */
  list(): Promise<readonly PoolRecord[]>;
  find(key: PoolKey): Promise<PoolRecord | undefined>;
  /**
   * Asks for a pool. One that is there gets these options, runs on, and forgets that it was to stop;
   * its generation stays, and so do its workers.
   */
  put(key: PoolKey, options: PoolOptions): Promise<PoolRecord>;
  /** Asks for another number of workers. @throws {NotFoundError} */
  scale(key: PoolKey, count: number): Promise<PoolRecord>;
  /** Asks for new workers in place of all that are there now. @throws {NotFoundError} */
  restart(key: PoolKey): Promise<PoolRecord>;
  /**
   * Asks for its end: workers finish what they run. Running jobs are given back at `releaseAt`;
   * null: never. A later call changes that. @throws {NotFoundError}
   */
  stop(key: PoolKey, releaseAt: number | null): Promise<PoolRecord>;
  /** Its supervisor says that it lives. False when the pool is gone. */
  beat(key: PoolKey, supervisor: PoolSupervisor): Promise<boolean>;
  /**
   * Forgets pools without a worker whose supervisor was last heard of before a time: hosts that are gone, and will not
   * say so. Returns how many.
   */
  prune(before: number): Promise<number>;
  /** Nothing of it is left. */
  remove(key: PoolKey): Promise<void>;
}

export interface PoolKey {
  readonly name: string;
  readonly host: string;
}

export interface PoolSupervisor {
  readonly pid: number;
  /** Start time of its process, as the kernel counts it. */
  readonly process_start: string;
  /** Started by a person or an init system that waits for it: it cannot be replaced by another. */
  readonly is_foreground: boolean;
  readonly version: string;
  /** What it could not do lately, such as writing its log; null: nothing. */
  readonly trouble: string | null;
}

export interface PoolRecord extends PoolKey, PoolOptions {
  readonly generation: number;
  readonly state: "running" | "stopping";
  readonly release_at: number | null;
  /** The one that was last seen. */
  readonly supervisor: PoolSupervisor & { readonly beat_at: number } | null;
  readonly created_at: number;
  readonly updated_at: number;
}
