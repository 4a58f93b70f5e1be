/**
 * The storm of tests/faults for longer: `tools/deno task soak [--jobs N]
 * [--workers N] [--kills N] [--seed N]`. Runs dist/queuectl.
 * @module
 */
import { parseArgs } from "node:util";
import { storm } from "../tests/support/storm.ts";

const HOUR_MS = 60 * 60 * 1_000;

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "20000" },
    workers: { type: "string", default: "4" },
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

Deno.env.set("QUEUECTL_BIN", new URL("../dist/queuectl", import.meta.url).pathname);
const [jobs, workers, kills, seed] = [values.jobs, values.workers, values.kills, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
console.log(`${jobs} jobs, ${workers} workers, ${kills} kills, seed ${seed}`);
const started = performance.now();
const result = await storm({
  jobs,
  workers,
  kills,
  seed,
  timeoutMs: HOUR_MS,
  onProgress(ended, done) {
    if (done % 10 === 0) console.log(`${done} kills, ${ended} jobs ended`);
  },
});
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `${result.completed} completed, ${result.dead} dead as they should, ${result.lostRuns} runs lost and run again, ${seconds} s`,
);
