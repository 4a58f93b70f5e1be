/**
 * What a worker does when its host has no process, file or memory left for a
 * job: it gives the job back with its attempt, claims nothing for a while, and
 * then no more at once than its host could carry.
 *
 * The pause doubles while not one start succeeds. What the host can carry is
 * tried again slowly, a job more after some starts.
 * @module
 */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Starts that have to succeed before one job more is tried at once. */
const STARTS_PER_STEP = 10;

export class Exhaustion {
  #pauseMs = FIRST_PAUSE_MS;
  #until = -Infinity;
  #most = Infinity;
  #starts = 0;
  #reason: string | undefined;

  /** A job could not be started beside so many others. Times are monotonic. */
  failed(reason: string, { now, running }: { now: number; running: number }): void {
    this.#reason = reason;
    this.#starts = 0;
    this.#most = Math.max(1, Math.min(this.#most, running));
    // Those that were claimed together fail together.
    if (now < this.#until) return;
    this.#until = now + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.#pauseMs);
  }

  started(): void {
    if (this.#reason === undefined) return;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (++this.#starts % STARTS_PER_STEP === 0) this.#most++;
  }

  /** How long nothing is to be claimed; 0: not at all. */
  holdBackMs(now: number): number {
    return Math.max(0, this.#until - now);
  }

  /** How many of the slots are used. */
  slots(wanted: number): number {
    if (this.#most >= wanted) {
      // The host carries all that is asked of it again.
      this.#most = Infinity;
      this.#reason = undefined;
    }
    return Math.min(wanted, this.#most);
  }

  /** In one line; undefined: all is well. */
  get trouble(): string | undefined {
    return this.#reason === undefined ? undefined : `the host is exhausted: ${this.#reason}`;
  }
}
