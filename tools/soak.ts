/**
 * The storm of tests/faults for longer: `tools/deno task soak [--jobs N]
 * [--workers N] [--kills N] [--seed N]`. Runs dist/queuectl.
 * @module
 */
import { storm } from "../tests/support/storm.ts";
import { readArguments } from "./arguments.ts";

const HOUR_MS = 60 * 60 * 1_000;

const USAGE = `Usage: tools/deno task soak [OPTIONS]

  --jobs N      how many jobs (default: 20000)
  --workers N   how many workers at a time (default: 4)
  --kills N     how many of them are killed (default: 1000)
  --seed N      to repeat a run that failed (default: another one each time)`;

const NUMBERS = { jobs: 20_000, workers: 4, kills: 1_000, seed: Date.now() % 1_000_000 };

function readNumbers(args: string[]): typeof NUMBERS | string {
  try {
    const { values } = readArguments(args, { values: Object.keys(NUMBERS) });
    const numbers = { ...NUMBERS };
    for (const [name, text] of Object.entries(values)) {
      if (!/^[1-9]\d{0,8}$/.test(String(text))) return `soak: --${name} takes a whole number from 1`;
      numbers[name as keyof typeof NUMBERS] = Number(text);
    }
    return numbers;
  } catch (error) {
    return `soak: ${error instanceof Error ? error.message : error}`;
  }
}

if (Deno.args.includes("--help")) {
  console.log(USAGE);
  Deno.exit(0);
}
const numbers = readNumbers(Deno.args);
if (typeof numbers === "string") {
  console.error(`${numbers}\n\n${USAGE}`);
  Deno.exit(2);
}
Deno.env.set("QUEUECTL_BIN", new URL("../dist/queuectl", import.meta.url).pathname);
const { jobs, workers, kills, seed } = numbers;
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
