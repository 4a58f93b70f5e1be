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
import { Crowd, MOST_IN_A_ROW } from "./crowd.ts";
import type { Driver } from "./driver.ts";
import { asStoreError, busyError, isBusy } from "./errors.ts";

/** How long SQLite may block the process. */
export const BLOCKING_WAIT_MS = 50;
/** Between two tries, drawn anew each time so that waiters do not march in step. */
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 25;

/** How to wait for the lock. */
interface Patience {
  /** In SQLite, where nothing else goes on meanwhile. */
  readonly waitMs: () => number;
  /** Until the next try. */
  readonly pauseMs: () => number;
}

const USUAL: Patience = {
  waitMs: () => BLOCKING_WAIT_MS,
  pauseMs: () => MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS),
};

/** Statements are fetched by their text; the driver caches them. */
export class Connection {
  readonly crowd = new Crowd();
  readonly path: string;
  readonly driver: Driver;
  readonly #busyTimeoutMs: number;
  /** Transactions that had to wait for another process; shown by statistics. */
  busyRetries = 0;
  #blockingWaitMs = BLOCKING_WAIT_MS;
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

  /**
   * As `write`, for what others will do if we do not: where there is a crowd, they go first. Gives undefined when, after
   * having stood back for a moment, `isOver` says that it is not wanted any more.
   */
  writeInTurn<T>(why: string, work: () => T, isOver: () => boolean): Promise<T | undefined> {
    let stoodBack = 0;
    const standsBack = () => stoodBack < MOST_IN_A_ROW && this.crowd.isThere();
    return this.#patiently(
      why,
      () => stoodBack > 0 && isOver() ? undefined : this.#transaction("begin immediate", work),
      {
        waitMs: () => standsBack() ? 0 : BLOCKING_WAIT_MS,
        pauseMs: () => {
          if (!standsBack()) return USUAL.pauseMs();
          stoodBack++;
          return this.crowd.standBackMs();
        },
      },
    );
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

  async #patiently<T>(why: string, attempt: () => T, { waitMs, pauseMs }: Patience = USUAL): Promise<T> {
    const deadline = performance.now() + this.#busyTimeoutMs;
    while (true) {
      try {
        this.#waitInSqlite(waitMs());
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw annotated(asStoreError(error, this.path), why);
        if (performance.now() >= deadline) throw busyError(this.path, error);
        this.busyRetries++;
        await new Promise((wake) => setTimeout(wake, pauseMs()));
      }
    }
  }

  /** The pragma is the only way to change it once the file is open. */
  #waitInSqlite(ms: number): void {
    if (ms === this.#blockingWaitMs) return;
    this.driver.prepare(`pragma busy_timeout = ${ms}`).get();
    this.#blockingWaitMs = ms;
  }

  #transaction<T>(begin: string, work: () => T): T {
    const start = performance.now();
    try {
      this.driver.prepare(begin).run();
    } finally {
      // A non-blocking attempt has no wait time to record. Beyond the limit of SQLite this process waited for a processor.
      if (begin === "begin immediate" && this.#blockingWaitMs > 0) {
        this.crowd.waited(Math.min(performance.now() - start, this.#blockingWaitMs));
      }
    }
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
