/**
 * Ids of very many jobs, to be printed when all of them are stored: as bytes,
 * because a million short texts take five times the memory.
 * @module
 */

/** Ids that are turned into bytes together. */
const PACK = 4_096;

export class IdList {
  #packs: Uint8Array[] = [];
  #loose: string[] = [];

  /** `count` is its place, from 1; place 1 begins anew. */
  add(id: string, count: number): void {
    if (count === 1) [this.#packs, this.#loose] = [[], []];
    this.#loose.push(id);
    if (this.#loose.length === PACK) this.#pack();
  }

  /** Gives away lines with an id each. */
  write(write: (lines: Uint8Array) => void): void {
    this.#pack();
    for (const pack of this.#packs) write(pack);
  }

  all(): string[] {
    const decoder = new TextDecoder();
    const packed = this.#packs.flatMap((pack) => decoder.decode(pack).split("\n").slice(0, -1));
    return [...packed, ...this.#loose];
  }

  #pack(): void {
    if (this.#loose.length === 0) return;
    this.#packs.push(new TextEncoder().encode(this.#loose.join("\n") + "\n"));
    this.#loose = [];
  }
}
