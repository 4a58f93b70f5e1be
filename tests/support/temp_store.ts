/**
 * A SQLite store in a directory of its own, for one test:
 * `await using temp = await tempStore()`. Closed and removed at the end, also
 * when the test fails.
 * @module
 */
import type { Clock } from "../../lib/core/clock.ts";
import { openStore, type OpenStoreOptions, type Store } from "../../lib/store/mod.ts";
import { FakeClock } from "./fake_clock.ts";

export interface TempStore extends AsyncDisposable {
  readonly store: Store;
  readonly clock: Clock;
  readonly path: string;
  /** The directory that the test may use as it likes. */
  readonly directory: string;
  /** Another connection to the same file, closed with the first. */
  open(options?: Partial<OpenStoreOptions>): Promise<Store>;
}

export async function tempStore(options: Partial<OpenStoreOptions> = {}): Promise<TempStore> {
  const temp = await tempDirectory();
  const path = `${temp.path}/queue.db`;
  const clock = options.clock ?? new FakeClock();
  const opened: Store[] = [];
  const open = async (more: Partial<OpenStoreOptions> = {}) => {
    const store = await openStore(path, { mode: "write", ...options, clock, ...more });
    opened.push(store);
    return store;
  };
  const release = async () => {
    for (const store of opened) await store.close();
    await temp[Symbol.asyncDispose]();
  };
  try {
    return { store: await open(), clock, path, directory: temp.path, open, [Symbol.asyncDispose]: release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A directory that is removed at the end: `await using temp = await tempDirectory()`. */
export async function tempDirectory(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "store-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
