/**
 * One connection to a SQLite file: `read` and `write` with what every
 * transaction here needs. `write` takes the write lock at its start (BEGIN
 * IMMEDIATE), so that a transaction that has begun cannot fail for being late.
 *
 * SQLite itself waits only a moment for a lock, because waiting in it stops
 * everything else in the process, signals included; the rest of the waiting is
 * done here, asynchronously, up to the busy timeout.
 * @module
 */
import type { Driver } from "./driver.ts";
import { asStoreError, busyError, isBusy } from "./errors.ts";

/** How long SQLite may block the process. */
export const BLOCKING_WAIT_MS = 50;
/** Between two tries, drawn anew each time so that waiters do not march in step. */
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 25;

/** Statements are fetched by their text; the driver caches them. */
export class Connection {
  readonly path: string;
  readonly driver: Driver;
  readonly #busyTimeoutMs: number;
  /** Transactions that had to wait for another process; shown by statistics. */
  busyRetries = 0;
  #isClosed = false;

  constructor(driver: Driver, options: { path: string; busyTimeoutMs: number }) {
    this.driver = driver;
    this.path = options.path;
    this.#busyTimeoutMs = options.busyTimeoutMs;
  }

  /** Runs statements that see one state of the database and change nothing. */
  read<T>(why: string, work: () => T): Promise<T> {
    return this.#patiently(why, () => this.#transaction("begin", work));
  }

  /** Runs one statement that changes nothing: by itself it sees one state, without the cost of a transaction. */
  look<T>(why: string, work: () => T): Promise<T> {
    return this.#patiently(why, work);
  }

  /** Runs statements as one change: all or nothing. `work` must not wait for anything. */
  write<T>(why: string, work: () => T): Promise<T> {
    return this.#patiently(why, () => this.#transaction("begin immediate", work));
  }

  /** Runs a statement that cannot be inside a transaction, such as a change of the journal mode. */
  exclusive<T>(why: string, work: () => T): Promise<T> {
    return this.#patiently(why, work);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.driver.close();
  }

  async #patiently<T>(why: string, attempt: () => T): Promise<T> {
    const deadline = performance.now() + this.#busyTimeoutMs;
    while (true) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw annotated(asStoreError(error, this.path), why);
        if (performance.now() >= deadline) throw busyError(this.path, error);
        this.busyRetries++;
        await new Promise((wake) => setTimeout(wake, MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)));
      }
    }
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.driver.prepare(begin).run();
    try {
      const result = work();
      this.driver.prepare("commit").run();
      return result;
    } catch (error) {
      // SQLite may have rolled back by itself, for instance when the disk is full.
      if (this.driver.isTransaction) this.driver.prepare("rollback").run();
      throw error;
    }
  }
}

/** Errors that are mistakes in the program say in which transaction they happened. */
function annotated(error: unknown, why: string): unknown {
  if (error instanceof Error && (error as { errcode?: number }).errcode !== undefined) {
    error.message = `${error.message} (while trying to ${why})`;
  }
  return error;
}
