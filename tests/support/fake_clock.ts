/**
 * A clock that stands still until a test moves it.
 * @module
 */
import type { Clock } from "../../lib/core/clock.ts";

/** A moment with nothing special about it: no midnight, no change of daylight saving. */
export const START = Date.parse("2026-11-30T11:00:00.000Z");

export class FakeClock implements Clock {
  #now: number;
  #monotonic = 0;

  constructor(now: number = START) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** Time goes by. */
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }

  /** Somebody sets the wall clock, forward or back; no time goes by. */
  set(now: number): void {
    this.#now = now;
  }
}
