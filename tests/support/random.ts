/**
 * Random numbers that a seed decides, so that a failure can be repeated.
 * @module
 */

/** Numbers from 0 up to 1; the same ones for the same seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws, as the parts of a storm make them. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number; both ends may come. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** One of them. @throws {Error} when there is none. */
  pick<T>(things: readonly T[]): T {
    if (things.length === 0) throw new Error("nothing to pick from");
    return things[Math.floor(this.#random() * things.length)]!;
  }
}
