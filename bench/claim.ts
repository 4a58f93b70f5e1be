/**
 * Claim and result of one job, one slot: the store against its own statements
 * on raw `node:sqlite`.
 * @module
 */
import type { Store } from "../lib/store/mod.ts";
import { type Bench, compare, timed } from "./bench.ts";
import { fill, newDatabase, newStore, openRaw } from "./database.ts";
import type { Finding } from "./finding.ts";
import { rawClaimer } from "./floor/claim_raw.ts";

const SLICES = 10;
const ROUNDS_AND_WARM_UP = 4;

export async function claimRows(bench: Bench): Promise<Finding[]> {
  const perSlice = bench.size(1_000, 200);
  const total = perSlice * (SLICES + 1) * ROUNDS_AND_WARM_UP;
  const store = await newStore(bench, "claim");
  const filler = openRaw(store.location, "normal");
  fill(filler, { count: total });
  filler.close();
  const raw = await newDatabase(bench, "claim-raw", "normal");
  fill(raw, { count: total });
  const claimRaw = rawClaimer(raw);

  const ours = () => timed(() => claimAndFinish(store, perSlice));
  const floor = () =>
    timed(() => {
      for (let i = 0; i < perSlice; i++) claimRaw();
    });
  // Both are compiled by V8 before it counts.
  for (let i = 0; i < SLICES; i++) await ours(), await floor();
  const cost = await compare(SLICES, { ours, floor });
  await store.close();
  raw.close();
  const each = (ms: number) => ms * 1_000 / (perSlice * SLICES);
  return [{
    what: "claim + result, against the same statements on raw node:sqlite",
    unit: "us",
    measured: each(cost.ours),
    floor: each(cost.floor),
    limit: { of: "ratio", better: "lower", pass: 1.5, goal: 1.15 },
  }];
}

/** As a worker with one slot does it. */
export async function claimAndFinish(store: Store, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const [job] = await store.jobs.claim({ workerId: "bench", slots: 1, isIdle: true });
    if (job === undefined) throw new Error("Nothing left to claim: the filling was too small");
    await store.jobs.finish([{
      seq: job.seq,
      claim: job.claim,
      result: { kind: "exited", code: 0 },
      finishedAt: Date.now(),
      durationMs: 1,
      maxCrashes: 3,
      random: 0.5,
    }]);
  }
}
