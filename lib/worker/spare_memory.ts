/**
 * Gives memory that the C library keeps for later back to the system, once a
 * worker has nothing to do: what was needed to start is never needed again.
 *
 * glibc only; elsewhere nothing happens.
 * @module
 */

/** So long must a worker have had nothing to do: between two jobs the memory is needed again. */
const IDLE_MS = 1_500;

export class SpareMemory {
  #isGivenBack = false;

  /** Called whenever the worker has nothing to do; does something once after each job, and after the start. */
  giveBack(idleMs: number): void {
    if (this.#isGivenBack || idleMs < IDLE_MS) return;
    this.#isGivenBack = true;
    trim();
  }

  /** There is work again. */
  isNeeded(): void {
    this.#isGivenBack = false;
  }
}

function trim(): void {
  if (Deno.build.os !== "linux") return;
  try {
    using library = closing(Deno.dlopen("libc.so.6", { malloc_trim: { parameters: ["usize"], result: "i32" } }));
    library.value.symbols.malloc_trim(0n);
  } catch {
    // Another C library: it keeps what it has.
  }
}

function closing<T extends { close(): void }>(value: T): Disposable & { readonly value: T } {
  return { value, [Symbol.dispose]: () => value.close() };
}
