/**
 * The most memory that a program had.
 * @module
 */
import { type Bench, cleanEnvironment } from "./bench.ts";

const LOOK_MS = 20;

/** Runs a program to its end. Returns its peak RSS in MiB, as the kernel counts it. */
export async function peakMemory(bench: Bench, program: string, args: readonly string[]): Promise<number> {
  const child = new Deno.Command(program, { ...cleanEnvironment(bench), args: [...args], stdout: "null" }).spawn();
  let peakKb = 0;
  let isOver = false;
  void child.status.then(() => isOver = true);
  while (!isOver) {
    try {
      const status = await Deno.readTextFile(`/proc/${child.pid}/status`);
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0));
    } catch {
      // The program has just ended.
    }
    await Promise.race([child.status, new Promise((wake) => setTimeout(wake, LOOK_MS))]);
  }
  if (!(await child.status).success) throw new Error(`\`${program} ${args.join(" ")}\` failed`);
  return peakKb / 1_024;
}
