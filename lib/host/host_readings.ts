/**
 * What this host says about itself, for the gates of jobs. Read at most once a
 * second for each gate: a claim may come across a thousand jobs with the same.
 * @module
 */
import { statfsSync } from "node:fs";
import { type GateVerdict, type HostReadings, judgeGate, parseGate } from "../core/gate.ts";

const FRESH_MS = 1_000;
/** Distinct gates that are remembered. */
const MAX_KEPT = 1_000;

export const HOST: HostReadings = {
  load: () => known(() => Deno.loadavg()[0]),
  availableMemory: () => known(() => Deno.systemMemoryInfo().available),
  freeSpace: (path) =>
    known(() => {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    }),
  exists: (path) => known(() => Deno.statSync(path)) !== undefined,
};

/** Judges gates on this host, each at most once a second of `monotonic`. */
export function gateJudge(monotonic: () => number, host: HostReadings = HOST): (gate: string) => GateVerdict {
  const seen = new Map<string, { readonly at: number; readonly verdict: GateVerdict }>();
  return (gate) => {
    const now = monotonic();
    const last = seen.get(gate);
    if (last !== undefined && now - last.at < FRESH_MS) return last.verdict;
    const verdict = judgeGate(parseGate(gate), host);
    if (seen.size >= MAX_KEPT) seen.clear();
    seen.set(gate, { at: now, verdict });
    return verdict;
  };
}

/** What the host does not tell, a missing path for instance, is not known. */
function known<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
