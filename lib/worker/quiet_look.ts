/**
 * Spares a worker with nothing to do most of its claims: while no job is
 * pending or due, a look tells so, at a tenth of the cost and without a lock.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/mod.ts";

/** A claim is made at least this often: with it comes the look whether the store is still the same. */
const CLAIM_MS = 5_000;

export class QuietLook {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Monotonic time of the last claim, when it found nothing. */
  #emptyAt = -Infinity;
  #nextAt: number | undefined;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** To be told of every claim. */
  claimed(count: number): void {
    this.#emptyAt = count > 0 ? -Infinity : this.#clock.monotonic();
  }

  /** Whether a claim would find nothing, as the last one did. */
  async isQuiet(): Promise<boolean> {
    if (this.#clock.monotonic() - this.#emptyAt >= CLAIM_MS) return false;
    const { isPending, nextAt } = await this.#store.jobs.waiting();
    this.#nextAt = nextAt;
    return !isPending && (nextAt === undefined || nextAt > this.#clock.now());
  }

  /** When it is quiet: the time at which it ends, if that is known. */
  get nextAt(): number | undefined {
    return this.#nextAt;
  }
}
