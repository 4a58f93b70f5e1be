/**
 * What this host says about itself, for the gates of jobs. Read at most once a
 * second for each gate, and what it says of itself as a whole once for all:
 * there may be thousands of gates that differ in a number only.
 * @module
 */
import { existsSync, statfsSync } from "node:fs";
import { InvalidValueError } from "../core/errors.ts";
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
  // 2 us for a missing file; Deno.statSync makes an error for it, which takes 30.
  exists: (path) => existsSync(path),
};

/** Judges gates on this host, each at most once a second of `monotonic`. */
export function gateJudge(monotonic: () => number, host: HostReadings = HOST): (gate: string) => GateVerdict {
  const seen = new Map<string, { readonly at: number; readonly verdict: GateVerdict }>();
  // The memory alone takes 30 us to ask for.
  const readings = {
    ...host,
    load: remembered(() => host.load(), monotonic),
    availableMemory: remembered(() => host.availableMemory(), monotonic),
  };
  return (gate) => {
    const now = monotonic();
    const last = seen.get(gate);
    if (last !== undefined && now - last.at < FRESH_MS) return last.verdict;
    const verdict = judged(gate, readings);
    if (seen.size >= MAX_KEPT) seen.clear();
    seen.set(gate, { at: now, verdict });
    return verdict;
  };
}

/** One that cannot be read, written by a later version perhaps, is closed here and must not stop the worker. */
function judged(gate: string, host: HostReadings): GateVerdict {
  try {
    return judgeGate(parseGate(gate), host);
  } catch (error) {
    if (error instanceof InvalidValueError) return { isOpen: false, seen: error.message };
    throw error;
  }
}

function remembered<T>(ask: () => T, monotonic: () => number): () => T {
  let last: { readonly at: number; readonly value: T } | undefined;
  return () => {
    const now = monotonic();
    if (last === undefined || now - last.at >= FRESH_MS) last = { at: now, value: ask() };
    return last.value;
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
