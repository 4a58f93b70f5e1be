/**
 * Waiting for something that happens elsewhere: in another process, or in a
 * loop under test. For what can be awaited directly, await that instead.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

/** For a machine that is busy with other tests; who waits this long has found a bug. */
const GIVE_UP_MS = 30_000;
const INTERVAL_MS = 10;

export interface WaitForOptions {
  /** Default: 30 s. */
  readonly timeoutMs?: number;
}

/**
 * Asks until `condition` gives something other than false, null or undefined, and returns that.
 * `what` completes "Waited in vain for".
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  what: string,
  options: WaitForOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const { timeoutMs = GIVE_UP_MS } = options;
  const deadline = performance.now() + timeoutMs;
  while (true) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) {
      return value as Exclude<T, false | null | undefined>;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited in vain for ${what} (${timeoutMs / 1_000} s, last answer: ${String(value)})`);
    }
    await delay(INTERVAL_MS);
  }
}
