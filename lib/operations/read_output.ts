/**
 * What a run printed, wherever it lives: in its files while it runs or when it
 * was much, else in the store.
 * @module
 */
import type { Job } from "../core/job.ts";
import type { Store } from "../store/mod.ts";
import { followOutput } from "./follow_output.ts";
import { droppedLine, type StreamName } from "./output_files.ts";

export interface Output {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Where bytes are missing, a line says how many. */
export async function readOutput(store: Store, job: Pick<Job, "seq" | "id">, run: number): Promise<Output> {
  const parts: Record<StreamName, Uint8Array[]> = { stdout: [], stderr: [] };
  const { signal } = new AbortController();
  for await (const chunk of followOutput(store, { job, signal, fromRun: run, isLive: false })) {
    if (chunk.run !== run) break;
    if (chunk.dropped > 0) parts[chunk.stream].push(new TextEncoder().encode(droppedLine(chunk.dropped)));
    parts[chunk.stream].push(chunk.bytes);
  }
  return { stdout: joined(parts.stdout), stderr: joined(parts.stderr) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let filled = 0;
  for (const part of parts) {
    all.set(part, filled);
    filled += part.length;
  }
  return all;
}
