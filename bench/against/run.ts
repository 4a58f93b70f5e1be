/**
 * Measures this build and another binary in turns, so that both see the same
 * machine: this, other, other, this makes one round of a trial.
 * @module
 */
import type { Bench } from "../bench.ts";
import { type Judged, judged, type Round } from "./judged.ts";
import { Subject } from "./subject.ts";
import { type Prepared, type Trial, TRIALS } from "./trials.ts";

export interface Comparison {
  readonly rows: readonly (Judged & { readonly family: string })[];
  /** A family that could not be measured, and why. */
  readonly errors: readonly string[];
}

export interface CompareOptions {
  readonly ours: string;
  readonly theirs: string;
  readonly families: readonly string[];
  readonly rounds: number;
  /** Told before each family. */
  readonly say: (text: string) => void;
}

export async function compareBinaries(bench: Bench, options: CompareOptions): Promise<Comparison> {
  const { families, rounds, say } = options;
  const ours = new Subject(bench, options.ours);
  const theirs = new Subject(bench, options.theirs);
  const rows: (Judged & { family: string })[] = [];
  const errors: string[] = [];
  for (const family of families) {
    say(`comparing ${family}`);
    for (const trial of TRIALS[family]!(bench)) {
      try {
        const measured = trial.isSimultaneous
          ? await together(trial, { ours, theirs, rounds })
          : await inTurns(trial, { ours, theirs, rounds });
        rows.push(...trial.measures.map((measure, i) => ({ family, ...judged(measure, roundsOf(measured, i)) })));
      } catch (error) {
        // The other rows are worth having all the same.
        errors.push(`cannot compare ${trial.measures[0]!.what}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return { rows, errors };
}

/** The figures of one round: this, other, other, this; each with a value for each measure. */
type Figures = readonly [number[], number[], number[], number[]];

interface Sides {
  readonly ours: Subject;
  readonly theirs: Subject;
  readonly rounds: number;
}

async function inTurns(trial: Trial, { ours, theirs, rounds }: Sides): Promise<Figures[]> {
  return await withPrepared(trial, [ours, theirs], async ([a, b]) => {
    // The first run of a program reads it from the disk.
    await a!.sample();
    await b!.sample();
    const measured: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      measured.push([await a!.sample(), await b!.sample(), await b!.sample(), await a!.sample()]);
    }
    return measured;
  });
}

async function together(trial: Trial, { ours, theirs, rounds }: Sides): Promise<Figures[]> {
  const sides = Array.from({ length: rounds }, () => [ours, theirs, theirs, ours]).flat();
  return await withPrepared(trial, sides, async (all) => {
    const figures = await Promise.all(all.map((each) => each.sample()));
    return Array.from({ length: rounds }, (_, i) => figures.slice(4 * i, 4 * i + 4) as unknown as Figures);
  });
}

async function withPrepared<T>(
  trial: Trial,
  subjects: readonly Subject[],
  measure: (prepared: readonly Prepared[]) => Promise<T>,
): Promise<T> {
  const prepared: Prepared[] = [];
  try {
    for (const subject of subjects) prepared.push(await trial.prepare(subject));
    return await measure(prepared);
  } finally {
    for (const each of prepared) await each.close?.();
  }
}

function roundsOf(measured: readonly Figures[], measure: number): Round[] {
  return measured.map((figures) => {
    const [a1, b1, b2, a2] = figures.map((values) => values[measure]!) as [number, number, number, number];
    return { this: [a1, a2], against: [b1, b2] };
  });
}
