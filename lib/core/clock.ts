/**
 * Time, as the rules see it: handed in, never read. The system clock is made
 * in `cli/`; tests hand in one that they move themselves.
 * @module
 */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that only grow; for measuring how long something lasts. */
  monotonic(): number;
}
