/**
 * What a worker costs that has nothing to do.
 * @module
 */
import type { Bench } from "./bench.ts";
import { newStore } from "./database.ts";
import type { Finding, Unit } from "./finding.ts";
import { startWorker } from "./worker.ts";

export async function idleRows(bench: Bench): Promise<Finding[]> {
  const watchMs = bench.size(30_000, 8_000);
  const store = await newStore(bench, "idle", "write");
  const worker = await startWorker(bench, store.location, 1);
  try {
    const before = cpuNanoseconds(worker.pid);
    const start = performance.now();
    await new Promise((wake) => setTimeout(wake, watchMs));
    const percent = (cpuNanoseconds(worker.pid) - before) / 1e6 / (performance.now() - start) * 100;
    const { rss, own } = memory(worker.pid);
    return [
      line("idle worker, CPU of one core", "%", percent, 0.3, 0.1),
      line("idle worker, RSS", "MB", rss, 60, 55),
      line("idle worker, private memory", "MB", own, 25, 18),
    ];
  } finally {
    await worker.stop();
    await store.close();
  }
}

/** Of all threads. The ticks in /proc/PID/stat are 10 ms, as much as is to be measured. */
function cpuNanoseconds(pid: number): number {
  let sum = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    sum += Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0]);
  }
  return sum;
}

/** In MB of a million bytes. */
function memory(pid: number): { rss: number; own: number } {
  const text = Deno.readTextFileSync(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) * 1_024 / 1e6;
  return { rss: megabytes("Rss"), own: megabytes("Private_Dirty") + megabytes("Private_Clean") };
}

function line(what: string, unit: Unit, measured: number, pass: number, goal: number): Finding {
  return { what, unit, measured, floor: null, limit: { of: "measured", better: "lower", pass, goal } };
}
