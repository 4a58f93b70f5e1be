/**
 * Processes of this machine, as tests look at them.
 * @module
 */
import { processes, processStatus } from "../../lib/host/process_identity.ts";

/** Processes that run with exactly these arguments; the dead do not count. */
export function runningWith(...argv: readonly string[]): number[] {
  const wanted = `${argv.join("\0")}\0`;
  return processes().filter((pid) => commandLine(pid) === wanted && !processStatus(pid).isDead);
}

/** Whether a signal has stopped it. */
export function isStopped(pid: number): boolean {
  // "State:	T (stopped)"
  return /^State:\s+T\b/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
}

function commandLine(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`);
  } catch {
    return ""; // gone meanwhile
  }
}

/** A number of seconds that no other test sleeps for, so that its `sleep` can be found. */
export function oddSeconds(): string {
  return `3${Math.floor(Math.random() * 1_000)}.${Deno.pid}`;
}
