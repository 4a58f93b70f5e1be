/**
 * What every family of rows shares: sizes, a folder, the binary, and the way to
 * compare two things on a machine that others use too.
 * @module
 */
import { join, resolve } from "node:path";
import type { Clock } from "../lib/core/clock.ts";
import { type JobDefaults, readNewJob } from "../lib/core/job_fields.ts";
import type { NewJob } from "../lib/core/job.ts";

export const ROOT = resolve(import.meta.dirname!, "..");
export const BINARY = join(ROOT, "dist", "queuectl");

/** Odd, so that there is a middle one. */
export const ROUNDS = 3;

export interface Bench {
  /** Of this run alone, on the disk of the project; removed at the end. */
  readonly folder: string;
  /** How many: the second with `--quick`. */
  size(full: number, quick: number): number;
}

export const CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

const DEFAULTS: JobDefaults = {
  now: 0,
  max_retries: 3,
  backoff: { strategy: "exponential", base: 2, delay: 60, max: 21_600, jitter: 0 },
  timeout_ms: null,
  kill_grace_ms: 10_000,
  cwd: "/tmp",
};

/** A job as `enqueue true` makes it, checked and filled in by the same code. */
export function noOpJob(written: Readonly<Record<string, unknown>> = {}): NewJob {
  return readNewJob({ command: "true", ...written }, { ...DEFAULTS, now: Date.now() });
}

export interface Compared {
  readonly ours: number;
  readonly floor: number;
}

/**
 * Runs ours, floor, ours, floor and so on: `slices` pairs make a round. Each
 * call returns its cost (time; less is better), a round sums them up, and the
 * round with the middle ratio stands for all.
 */
export async function compare(
  slices: number,
  { ours, floor }: { ours: () => number | Promise<number>; floor: () => number | Promise<number> },
): Promise<Compared> {
  const rounds: Compared[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sum = { ours: 0, floor: 0 };
    for (let slice = 0; slice < slices; slice++) {
      sum.ours += await ours();
      sum.floor += await floor();
    }
    rounds.push(sum);
  }
  rounds.sort((a, b) => a.ours / a.floor - b.ours / b.floor);
  return rounds[(ROUNDS - 1) / 2]!;
}

/** Milliseconds that something took. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The value below which the share `p` of the sorted values lies. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Nothing of the caller's settings may leak into what is measured. */
export function cleanEnvironment(bench: Bench): Deno.CommandOptions {
  return {
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", HOME: bench.folder, TMPDIR: bench.folder },
    cwd: bench.folder,
    stdin: "null",
  };
}

/** Runs a program to its end; throws with its words when it fails. Returns the milliseconds it took. */
export async function runProgram(bench: Bench, program: string, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = new Deno.Command(program, {
    ...cleanEnvironment(bench),
    args: [...args],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  // Read meanwhile: a program that has much to say must not wait for a reader.
  const said = new Response(child.stderr).text();
  const { success, code } = await child.status;
  const took = performance.now() - start;
  const stderr = await said;
  if (!success) throw new Error(`\`${program} ${args.join(" ")}\` ended with code ${code}: ${stderr.trim()}`);
  return took;
}

export function queuectl(bench: Bench, db: string, args: readonly string[]): Promise<number> {
  return runProgram(bench, BINARY, ["--db", db, ...args]);
}
