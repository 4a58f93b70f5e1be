/**
 * From a location to a store. Alone in knowing the implementations.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import { UsageError } from "../core/errors.ts";
import type { StoreCare } from "./care.ts";
import type { Actor, Store } from "./store.ts";

export interface OpenStoreOptions {
  /**
   * `read` makes nothing and migrates nothing; `write` is for commands of
   * people: durable when it returns; `work` is for workers: what a power cut
   * takes from them is at most a repeat.
   */
  readonly mode: "read" | "write" | "work";
  readonly clock: Clock;
  /** In whose name changes are recorded; undefined for workers, whose deeds are in the runs. */
  readonly actor?: Actor | undefined;
  /** The name by which the user means the store, where that is a link to its location. */
  readonly alias?: string | undefined;
  /** Told why a store that is read should not be written. Default: nobody is told. */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /** How long to wait for another writer. Default: 30 s. */
  readonly busyTimeoutMs?: number;
}

/** @throws {StoreUnavailableError} when it cannot be used; a file that is not ours is left untouched. */
export async function openStore(location: string, options: OpenStoreOptions): Promise<Store> {
  expectPath(location);
  const { openSqliteStore } = await import("./sqlite/sqlite_store.ts");
  return await openSqliteStore(location, options);
}

/** What takes care of the store as a whole. Opens nothing by itself: there may be nothing that can be opened. */
export async function careOf(location: string): Promise<StoreCare> {
  expectPath(location);
  const { sqliteCare } = await import("./sqlite/care/mod.ts");
  return sqliteCare(location);
}

function expectPath(location: string): void {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) {
    throw new UsageError(`Cannot open store "${withoutPassword(location)}": expected the path of a SQLite file`);
  }
}

function withoutPassword(url: string): string {
  return url.replace(/:\/\/[^@/]*@/, "://***@");
}
