/**
 * `tools/deno task soak --mixed`: the mixed storm of tests/faults for as long as
 * one likes. Prints how it goes, what it found, and the memory of the oldest
 * worker over time.
 * @module
 */
import { mixedStorm, type MixedStormResult } from "../../tests/support/mixed_storm/mod.ts";

export interface MixedSoakOptions {
  readonly forMs: number;
  readonly seed: number;
}

/** So many lines tell the memory over time. */
const MEMORY_LINES = 20;

/** As shells say it: 128 and the number of INT. */
const INTERRUPTED = 130;

/** Returns the exit code. */
export async function soakMixed({ forMs, seed }: MixedSoakOptions): Promise<number> {
  console.log(`mixed storm for ${forMs / 1_000} s, seed ${seed}`);
  if (Deno.uid() !== 0) console.log("without root: no job has children of another user");
  const stop = new AbortController();
  // The processes of a storm are detached: they would outlive this one.
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => stop.abort());
  let result: MixedStormResult;
  try {
    result = await mixedStorm({
      forMs,
      seed,
      needsTwoUsers: false,
      signal: stop.signal,
      onProgress: (line) => console.log(line),
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    console.log("ended early: nothing was checked");
    return INTERRUPTED;
  }
  print(result);
  return result.violations.length === 0 ? 0 : 1;
}

function print({ jobs, outcomes, callbacks, blows, tally, memory, violations }: MixedStormResult): void {
  console.log(`\n${jobs} jobs, ${callbacks} batches followed by a job`);
  console.log(`runs: ${counted(Object.entries(outcomes))}`);
  console.log(`signals: ${counted([...blows])}`);
  console.log(`commands and exit codes: ${counted([...tally].map(([name, { count }]) => [name, count]))}`);
  console.log("\noldest worker, seconds and MB:");
  const step = Math.max(1, Math.ceil(memory.length / MEMORY_LINES));
  for (const [index, { atMs, anonymousKb }] of memory.entries()) {
    if (index % step !== 0 && index !== memory.length - 1) continue;
    console.log(`${Math.round(atMs / 1_000)}\t${(anonymousKb / 1_024).toFixed(1)}`);
  }
  console.log(`\n${violations.length} violations`);
  for (const violation of violations) console.log(violation);
}

function counted(entries: readonly (readonly [string, number])[]): string {
  return entries.map(([name, count]) => `${name} ${count}`).join(", ");
}
