/**
 * Gives memory back to the system once a worker has nothing to do: what the C
 * library keeps for later, and the pages of the program itself, most of which
 * are read to start and then never again. Those that are needed come back from
 * the system's cache of the file, a hundred or two with the next job.
 *
 * Linux with glibc only; elsewhere nothing happens.
 * @module
 */

/** So long must a worker have had nothing to do: between two jobs the memory is needed again. */
const IDLE_MS = 1_500;

/** From `<sys/mman.h>`, the same on every Linux. */
const MADV_DONTNEED = 4;

const SYMBOLS = {
  malloc_trim: { parameters: ["usize"], result: "i32" },
  madvise: { parameters: ["pointer", "usize", "i32"], result: "i32" },
} as const;

export class SpareMemory {
  #isGivenBack = false;

  /** Called whenever the worker has nothing to do; does something once after each job, and after the start. */
  giveBack(idleMs: number): void {
    if (this.#isGivenBack || idleMs < IDLE_MS) return;
    this.#isGivenBack = true;
    giveBack();
  }

  /** There is work again. */
  isNeeded(): void {
    this.#isGivenBack = false;
  }
}

function giveBack(): void {
  if (Deno.build.os !== "linux") return;
  try {
    const library = Deno.dlopen("libc.so.6", SYMBOLS);
    try {
      library.symbols.malloc_trim(0n);
      for (const { start, bytes } of cleanMappings(Deno.readTextFileSync("/proc/self/smaps"))) {
        library.symbols.madvise(Deno.UnsafePointer.create(start), bytes, MADV_DONTNEED);
      }
    } finally {
      library.close();
    }
  } catch {
    // Another C library, or a system that does not tell: it keeps what it has.
  }
}

interface Mapping {
  readonly start: bigint;
  readonly bytes: bigint;
}

/**
 * Parts of memory that hold a file and nothing else: not writable, and no page of it was ever changed, as the dynamic
 * linker changes some before it makes them read-only. Dropped, such a page reads the same again.
 */
export function cleanMappings(smaps: string): Mapping[] {
  const mappings: Mapping[] = [];
  for (const part of smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) r-[-x]p \S+ \S+ [1-9]\d* +\//.exec(part) ?? [];
    if (start === undefined || end === undefined || !/^Anonymous: +0 kB$/m.test(part)) continue;
    mappings.push({ start: BigInt(`0x${start}`), bytes: BigInt(`0x${end}`) - BigInt(`0x${start}`) });
  }
  return mappings;
}
