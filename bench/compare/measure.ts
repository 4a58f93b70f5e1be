/**
 * The run itself: rounds over all tools, so that all of them see the same
 * machine; then all of them idle at the same time.
 * @module
 */
import type { CompareOptions, Sizes } from "./arguments.ts";
import { type Box, sleep } from "./box.ts";
import { type Idle, NotMeasured, type Peer, type Pickup, type ReadyPeer, type Surroundings } from "./peer.ts";
import { cpuBetween, cpuSeconds, memoryOf } from "./processes.ts";

export const SLOTS = [1, 4, 8] as const;

export interface IdleCost {
  /** CPU seconds in the time that was watched. */
  readonly cpu: number;
  /** MB of a million bytes. */
  readonly rss: number;
  readonly pss: number;
  readonly processes: number;
}

/** A figure for each round; what a tool cannot do stays empty. */
export interface Figures {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Jobs per second by slots: from the start of the program, and from the first start of a job. */
  readonly whole: Record<number, number[]>;
  readonly work: Record<number, number[]>;
  /** Milliseconds. */
  readonly enqueue: number[];
  readonly add: number[];
  readonly pickups: Pickup[];
  /** Jobs per second. */
  readonly bulk: number[];
  idle: { readonly worker: IdleCost; readonly server: IdleCost } | null;
}

export interface Measured {
  readonly figures: readonly Figures[];
  /** Tools that are not there, and what is missing. */
  readonly notMeasured: readonly { readonly name: string; readonly title: string; readonly reason: string }[];
  /** Measurements that failed. */
  readonly errors: readonly string[];
}

/** No Debian 12 package and no npm package has it, so that nothing here could drive it with a known version. */
const NEVER_MEASURED = {
  name: "pueue",
  title: "pueue",
  reason: "it is neither in Debian 12 nor on npm",
};

interface Subject {
  readonly figures: Figures;
  readonly peer: ReadyPeer;
}

export async function measure(
  box: Box,
  peers: readonly Peer[],
  { options, surroundings, say }: {
    options: CompareOptions;
    surroundings: Surroundings;
    say: (text: string) => void;
  },
): Promise<Measured> {
  const { sizes } = options;
  const subjects: Subject[] = [];
  const notMeasured: { name: string; title: string; reason: string }[] = [];
  const errors: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (box.isClosing) throw error;
      // The other figures are worth having all the same.
      errors.push(`cannot measure ${what}: ${error instanceof Error ? error.message : error}`);
    }
  };
  for (const peer of peers) {
    try {
      say(`preparing ${peer.title}`);
      const ready = await peer.prepare(box, surroundings);
      subjects.push({ figures: newFigures(peer, ready.version), peer: ready });
    } catch (error) {
      if (box.isClosing) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      notMeasured.push({ name: peer.name, title: peer.title, reason });
      if (!(error instanceof NotMeasured)) errors.push(`cannot prepare ${peer.title}: ${reason}`);
    }
  }
  if (peers.length > 1) notMeasured.push(NEVER_MEASURED);

  for (let round = 1; round <= sizes.rounds; round++) {
    for (const [what, step] of stepsOf(sizes)) {
      say(`round ${round} of ${sizes.rounds}: ${what}`);
      // Another order in each round: nobody is always measured behind the same tool.
      for (const subject of shuffled(subjects)) {
        await attempt(`${what} of ${subject.figures.title}`, () => step(subject));
      }
    }
  }
  say(`all idle for ${sizes.settleSeconds + sizes.idleSeconds} s`);
  await measureIdle(subjects, { sizes, attempt });
  return { figures: subjects.map(({ figures }) => figures), notMeasured, errors };
}

type Step = (subject: Subject) => Promise<void>;

function stepsOf(sizes: Sizes): [string, Step][] {
  return [
    ...SLOTS.map((slots): [string, Step] => [`${slots} at once`, async ({ figures, peer }) => {
      if (peer.drain === undefined || slots > (peer.mostSlots ?? Infinity)) return;
      const { jobs, wholeMs, workMs } = await peer.drain(sizes.jobs, slots);
      (figures.whole[slots] ??= []).push(jobs * 1_000 / wholeMs);
      if (workMs !== undefined) (figures.work[slots] ??= []).push(jobs * 1_000 / workMs);
    }]),
    ["one enqueue", async ({ figures, peer }) => {
      // The first one reads the program from the disk.
      await peer.enqueue?.();
      for (let i = 0; peer.enqueue !== undefined && i < sizes.enqueues; i++) figures.enqueue.push(await peer.enqueue());
      if (peer.add !== undefined) figures.add.push(await peer.add(sizes.commands));
    }],
    ["pickup", async ({ figures, peer }) => {
      if (peer.pickups !== undefined) figures.pickups.push(...await peer.pickups(sizes));
    }],
    ["bulk enqueue", async ({ figures, peer }) => {
      if (peer.bulk !== undefined) figures.bulk.push(await peer.bulk(sizes));
    }],
  ];
}

async function measureIdle(
  subjects: readonly Subject[],
  { sizes, attempt }: { sizes: Sizes; attempt: (what: string, work: () => Promise<void>) => Promise<void> },
): Promise<void> {
  const idles: { figures: Figures; idle: Idle }[] = [];
  for (const { figures, peer } of subjects) {
    if (peer.idle === undefined) continue;
    await attempt(`idle ${figures.title}`, async () => void idles.push({ figures, idle: await peer.idle!() }));
  }
  await sleep(sizes.settleSeconds * 1_000);
  const before = idles.map(({ idle }) => ({ worker: cpuSeconds(idle.worker()), server: cpuSeconds(idle.server()) }));
  await sleep(sizes.idleSeconds * 1_000);
  for (const [i, { figures, idle }] of idles.entries()) {
    const cost = (side: "worker" | "server"): IdleCost => {
      const pids = idle[side]();
      const cpu = cpuBetween(before[i]![side], cpuSeconds(pids));
      return { cpu, ...memoryOf(pids), processes: pids.length };
    };
    figures.idle = { worker: cost("worker"), server: cost("server") };
  }
  for (const { figures, idle } of idles) await attempt(`the end of idle ${figures.title}`, () => idle.stop());
}

function newFigures({ name, title }: Peer, version: string): Figures {
  return { name, title, version, whole: {}, work: {}, enqueue: [], add: [], pickups: [], bulk: [], idle: null };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items.map((item) => ({ item, place: Math.random() })).sort((a, b) => a.place - b.place).map(({ item }) =>
    item
  );
}
