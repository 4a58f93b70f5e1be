/**
 * What the drivers of the Node libraries share. Each runs as a program of its
 * own, beside the packages, and prints its result as one line of JSON:
 *
 *     DRIVER setup | add1 | add COUNT | bulk COUNT | drain JOBS SLOTS | work SLOTS | pickups COUNT FIFO
 * @module
 */
import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** Jobs are added in groups of this size, as the manuals do. */
const GROUP = 1_000;
/** Long enough for a worker to be idle again. */
const PAUSE_MS = 60;

/** Resolves when the command has ended, as a queue of shell jobs would run it. */
export function shell(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: "ignore" });
    child.on("error", reject);
    child.on("exit", (code) => code === 0 ? resolve() : reject(new Error(`The job ended with ${code}`)));
  });
}

/**
 * @typedef {object} Library
 * @property {() => Promise<void>} setup makes an empty queue
 * @property {(command: string) => Promise<unknown>} add
 * @property {(jobs: { command: string }[]) => Promise<unknown>} addMany
 * @property {(slots: number, run: (command: string) => Promise<void>, ended: () => void) => Promise<unknown>} drain
 * @property {(slots: number, run: (command: string) => Promise<void>) => Promise<unknown>} work
 */

/** @param {Library} library */
export async function drive(library) {
  const [mode, first, second] = process.argv.slice(2);
  const result = await MODES[mode](library, first, second);
  await new Promise((written) => process.stdout.write(`${JSON.stringify(result ?? null)}\n`, written));
  // Open connections would keep the process.
  if (mode !== "work") process.exit(0);
}

const MODES = {
  setup: (library) => library.setup(),
  add1: (library) => library.add("true"),
  async add(library, count) {
    await library.add("true");
    const start = performance.now();
    for (let i = 0; i < Number(count); i++) await library.add("true");
    return { ms: (performance.now() - start) / Number(count) };
  },
  async bulk(library, count) {
    await library.add("true");
    const start = performance.now();
    for (let left = Number(count); left > 0; left -= GROUP) {
      await library.addMany(Array.from({ length: Math.min(GROUP, left) }, () => ({ command: "true" })));
    }
    return { rate: Number(count) * 1_000 / (performance.now() - start) };
  },
  async drain(library, jobs, slots) {
    let start;
    let done = 0;
    let finish;
    const all = new Promise((resolve) => finish = resolve);
    const run = (command) => {
      start ??= performance.now();
      return shell(command);
    };
    await library.drain(Number(slots), run, () => ++done === Number(jobs) && finish());
    await all;
    return { workMs: performance.now() - start };
  },
  work: (library, slots) => library.work(Number(slots), shell),
  async pickups(library, count, path) {
    const fifo = await open(path, "r+");
    const one = async () => {
      await sleep(PAUSE_MS * (1 + Math.random()));
      const begun = fifo.read(Buffer.alloc(1), 0, 1).then(() => performance.now());
      const start = performance.now();
      await library.add(`echo >'${path}'`);
      const returned = performance.now();
      const at = await begun;
      return { fromStart: at - start, fromReturn: Math.max(0, at - returned) };
    };
    await one();
    const pickups = [];
    while (pickups.length < Number(count)) pickups.push(await one());
    return pickups;
  },
};

/** The package is beside this file only where the comparison puts it. */
export async function load(name) {
  return await import(name);
}
