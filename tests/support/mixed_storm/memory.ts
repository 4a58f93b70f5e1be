/**
 * The memory of workers over time.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { stormProcesses } from "./blows.ts";
import type { StormHost } from "./host.ts";

export interface MemorySample {
  /** Since the storm began. */
  readonly atMs: number;
  /** What is the process's own: neither the program's file nor the files that it maps. */
  readonly anonymousKb: number;
}

const EVERY_MS = 1_000;

/** A worker that is younger is still growing to its usual size. */
const LEAST_SAMPLES = 20;

/**
 * An old worker has about 60 to 90 MB, by when garbage was last collected. One that keeps something of each job grows
 * beyond this within some thousand of them.
 */
const MOST_KB = 256 * 1_024;
const MOST_GROWTH_KB = 64 * 1_024;

export class WorkerMemory {
  readonly #host: StormHost;
  readonly #samples = new Map<number, MemorySample[]>();
  readonly #began = performance.now();

  constructor(host: StormHost) {
    this.#host = host;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      for (const { pid, role } of stormProcesses(this.#host)) if (role === "worker") this.#sample(pid);
      await delay(EVERY_MS);
    }
  }

  /** Samples of the worker that was seen most often. */
  longest(): readonly MemorySample[] {
    return [...this.#samples.values()].reduce((most, one) => one.length > most.length ? one : most, []);
  }

  violations(): string[] {
    return [...this.#samples].flatMap(([pid, samples]) => violationsOf(pid, samples));
  }

  #sample(pid: number): void {
    const anonymousKb = anonymousOf(pid);
    if (anonymousKb === undefined) return;
    const samples = this.#samples.get(pid) ?? [];
    samples.push({ atMs: performance.now() - this.#began, anonymousKb });
    this.#samples.set(pid, samples);
  }
}

function violationsOf(pid: number, samples: readonly MemorySample[]): string[] {
  const sizes = samples.map(({ anonymousKb }) => anonymousKb);
  const most = Math.max(...sizes);
  if (most > MOST_KB) return [`worker ${pid} had ${most} kB of memory`];
  if (sizes.length < LEAST_SAMPLES) return [];
  const third = Math.floor(sizes.length / 3);
  const growth = median(sizes.slice(-third)) - median(sizes.slice(third, 2 * third));
  return growth > MOST_GROWTH_KB ? [`worker ${pid} grew by ${growth} kB in the last third of its life`] : [];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** undefined: it is gone, or has not become queuectl yet. */
function anonymousOf(pid: number): number | undefined {
  try {
    const found = /^RssAnon:\s+(\d+) kB/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}
