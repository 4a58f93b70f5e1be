/**
 * Room for jobs that must run alone.
 *
 * A job that crashed its worker before is claimed only by a worker with nothing
 * else to do. One with several slots and always something in them never is: so
 * while such a job waits, it takes nothing new for a while now and then, and
 * what runs may end. Jobs that run for hours do not end for that; then it is
 * done ever less often.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { Store, WaitingGate } from "../store/mod.ts";

export interface TurnAloneOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Those that the worker serves; undefined: all. */
  readonly queues?: readonly string[] | undefined;
  /** Gates that are open on its host: such a job may wait there. Default: none. */
  readonly openGates?: (() => readonly WaitingGate[]) | undefined;
}

/** Between two looks. The first comes this long after the start. */
const LOOK_MS = 10_000;
const MAX_LOOK_MS = 10 * 60_000;
/** How long nothing is taken. */
const HOLD_BACK_MS = 3_000;

export class TurnAlone {
  readonly #options: TurnAloneOptions;
  #pauseMs = LOOK_MS;
  #nextLook: number;
  #until = -Infinity;

  constructor(options: TurnAloneOptions) {
    this.#options = options;
    this.#nextLook = options.clock.monotonic() + LOOK_MS;
  }

  /** How long a worker that runs something is to take nothing more; 0: it may. */
  async holdBackMs(): Promise<number> {
    const { store, clock, queues, openGates } = this.#options;
    const now = clock.monotonic();
    if (now >= this.#nextLook) {
      const isWaiting = await store.jobs.hasAlone({ queues, openGates: openGates?.() ?? [] });
      if (isWaiting) this.#until = now + HOLD_BACK_MS;
      this.#pauseMs = isWaiting ? Math.min(2 * this.#pauseMs, MAX_LOOK_MS) : LOOK_MS;
      this.#nextLook = now + this.#pauseMs;
    }
    return Math.max(0, this.#until - now);
  }
}
