/**
 * Gives timers and signals their turn in a loop that may never wait.
 *
 * The store is synchronous: jobs that cannot start are claimed and reported
 * without one turn of the event loop, for as long as there are any. Meanwhile no
 * heartbeat is written and no TERM is seen.
 *
 * A timer that fires says that the event loop turns by itself, as it does when
 * processes start and end. Only when it does not, the loop has to pause: 1 to 2 ms.
 * `setImmediate` takes microseconds instead, but signals waited a second for it.
 * @module
 */

/** Half of what a signal may have to wait. */
const TURN_MS = 25;

export class FairTurn {
  #lastTurn = performance.now();
  #timer: number | undefined;

  /** To be asked once in each pass. What it returns, if anything, is to be awaited. */
  due(): Promise<void> | undefined {
    if (this.#timer === undefined) {
      this.#lastTurn = performance.now();
      this.#timer = setTimeout(() => this.#timer = undefined, TURN_MS);
      return undefined;
    }
    // Fires late when nothing gets its turn.
    if (performance.now() - this.#lastTurn < 2 * TURN_MS - 5) return undefined;
    return new Promise((turn) => setTimeout(turn, 0));
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
