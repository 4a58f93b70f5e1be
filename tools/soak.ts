/**
 * The storms of tests/faults for longer: `tools/deno task soak [--jobs N]
 * [--workers N] [--kills N] [--seed N]`, or `--mixed [--for D] [--seed N]`. Runs
 * dist/queuectl.
 * @module
 */
import { parseDuration } from "../lib/core/duration.ts";
import { storm } from "../tests/support/storm.ts";
import { readArguments } from "./arguments.ts";
import { soakMixed } from "./soak/mixed.ts";

const HOUR_MS = 60 * 60 * 1_000;

const USAGE = `Usage: tools/deno task soak [OPTIONS]

Kills workers while jobs run:
  --jobs N      how many jobs (default: 20000)
  --workers N   how many workers at a time (default: 4)
  --kills N     how many of them are killed (default: 1000)
  --seed N      to repeat a run that failed (default: another one each time)

Hits everything at once; children of another user need root:
  --mixed       jobs of all kinds, several pools, KILL, STOP and TERM
  --for D       how long (default: 10m)
  --seed N      as above; what happens when still depends on the machine`;

const NUMBERS = { jobs: 20_000, workers: 4, kills: 1_000, seed: Date.now() % 1_000_000 };

type Soak = { readonly isMixed: boolean; readonly forMs: number; readonly numbers: typeof NUMBERS };

/** @throws {Error} for a mistake in the arguments. */
function readSoak(args: string[]): Soak {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const { switches, values } = readArguments(args, { switches: ["mixed"], values: [...names, "for"] });
  const numbers = { ...NUMBERS };
  for (const name of names) {
    const text = values[name];
    if (text === undefined) continue;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} takes a whole number from 1`);
    if (switches.mixed && name !== "seed") throw new Error(`--mixed takes no --${name}`);
    numbers[name] = Number(text);
  }
  if (!switches.mixed && values.for !== undefined) throw new Error("--for needs --mixed");
  return { isMixed: switches.mixed, forMs: parseDuration(values.for ?? "10m", "for"), numbers };
}

async function soakWorkers({ jobs, workers, kills, seed }: typeof NUMBERS): Promise<void> {
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
}

if (Deno.args.includes("--help")) {
  console.log(USAGE);
  Deno.exit(0);
}
let soak: Soak;
try {
  soak = readSoak(Deno.args);
} catch (error) {
  console.error(`soak: ${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  Deno.exit(2);
}
Deno.env.set("QUEUECTL_BIN", new URL("../dist/queuectl", import.meta.url).pathname);
if (!soak.isMixed) await soakWorkers(soak.numbers);
else Deno.exit(await soakMixed({ forMs: soak.forMs, seed: soak.numbers.seed }));
