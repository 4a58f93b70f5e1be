/**
 * What a run printed, wherever it lives: in its files while it runs or when it
 * was much, else in the store.
 * @module
 */
import type { Store } from "../store/mod.ts";

export interface Output {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

const NOTHING = new Uint8Array();

export async function readOutput(store: Store, seq: number, run: number): Promise<Output> {
  const base = `${store.folder}/logs/${seq}-${run}`;
  const [out, err] = [readFile(`${base}.out`), readFile(`${base}.err`)];
  // Looked at after the files: small output moves from its file into the store, never back.
  const stored = await store.jobs.output(seq, run);
  return {
    stdout: out ?? stored?.stdout ?? NOTHING,
    stderr: err ?? stored?.stderr ?? NOTHING,
  };
}

function readFile(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
