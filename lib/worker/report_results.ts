/**
 * Writes results to the store. Results that arrive while a transaction is
 * under way share the next one.
 *
 * A result is never given up: while the store is locked or full it is tried
 * again, because the job has run and the queue must know.
 * @module
 */
import type { FinishedRun, RunReport, Store } from "../store/mod.ts";
import type { Logger } from "../log/logger.ts";
import { failpoint } from "./failpoints.ts";

/** Between two tries when the store does not take results. */
const RETRY_MS = 500;

export class ResultReporter {
  readonly #store: Store;
  readonly #log: Logger;
  #waiting: { report: RunReport; resolve: (finished: FinishedRun) => void }[] = [];
  #isWriting = false;

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Resolves when the result is stored. */
  report(report: RunReport): Promise<FinishedRun> {
    return new Promise((resolve) => {
      this.#waiting.push({ report, resolve });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Results that are ready in this turn of the event loop go together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      failpoint("before-result");
      const finished = await this.#finish(batch.map(({ report }) => report));
      failpoint("after-result");
      for (const [index, { resolve }] of batch.entries()) {
        const run = finished[index];
        if (run !== undefined) resolve(run);
      }
    }
    this.#isWriting = false;
  }

  async #finish(reports: readonly RunReport[]): Promise<readonly FinishedRun[]> {
    while (true) {
      try {
        return await this.#store.jobs.finish(reports);
      } catch (error) {
        this.#log.error("result not stored yet", { error: error instanceof Error ? error.message : String(error) });
        await new Promise((wake) => setTimeout(wake, RETRY_MS));
      }
    }
  }
}
