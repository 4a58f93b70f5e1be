/**
 * What is measured of two binaries: the rows of the table that run the compiled
 * binary, and claims, which run here as jobs of a worker.
 * @module
 */
import { type Bench, median, timed } from "../bench.ts";
import { cpuNanoseconds, memory } from "../idle.ts";
import { peakMemory } from "../peak_memory.ts";
import type { Measure } from "./judged.ts";
import type { Subject } from "./subject.ts";

/** One measurement, ready to be repeated for one binary. */
export interface Prepared {
  /** A figure for each measure, in their order. */
  sample(): Promise<number[]>;
  close?(): Promise<void>;
}

export interface Trial {
  readonly measures: readonly Measure[];
  /** Figures are taken from many processes during the same time, instead of one after the other. */
  readonly isSimultaneous?: boolean;
  prepare(subject: Subject): Promise<Prepared>;
}

type Trials = (bench: Bench) => readonly Trial[];

/** By the families of the table. A family that is not here measures code inside the measuring process. */
export const TRIALS: Readonly<Record<string, Trials>> = {
  startup: startupTrials,
  batch: batchTrials,
  growth: growthTrials,
  spawn: spawnTrials,
  pickup: pickupTrials,
  idle: idleTrials,
  contention: contentionTrials,
  looking: lookingTrials,
  completing: completingTrials,
};

/** Jobs of a day that never comes while this runs. */
const FAR_AWAY = "2099-01-01T00:00:00Z";

function startupTrials(bench: Bench): Trial[] {
  const runs = bench.size(15, 3);
  const command = (what: string, args: readonly string[]): Trial => ({
    measures: [{ what, unit: "ms", better: "lower" }],
    prepare(subject) {
      const db = subject.newDb("startup");
      return Promise.resolve({
        sample: async () => [median(await repeated(runs, () => subject.run(db, args)))],
        close: () => subject.remove(db),
      });
    },
  });
  return [command("version", ["version"]), command("one enqueue command", ["enqueue", "true"])];
}

function batchTrials(bench: Bench): Trial[] {
  const count = bench.size(100_000, 5_000);
  const shown = count.toLocaleString("en");
  return [{
    measures: [
      { what: `enqueue-batch of ${shown}`, unit: "/s", better: "higher" },
      { what: `memory of enqueue-batch of ${shown}`, unit: "MB", better: "lower" },
    ],
    async prepare(subject) {
      const file = subject.newDb("batch");
      await Deno.writeTextFile(file, Array.from({ length: count }, (_, i) => `{"command":"true ${i}"}\n`).join(""));
      return {
        async sample() {
          const db = subject.newDb("batch");
          const args = ["--db", db, "enqueue-batch", "--quiet", file];
          let megabytes = NaN;
          const took = await timed(async () => megabytes = await peakMemory(bench, subject.binary, args));
          await subject.remove(db);
          return [count * 1_000 / took, megabytes];
        },
        close: () => Deno.remove(file),
      };
    },
  }];
}

function growthTrials(bench: Bench): Trial[] {
  const scheduled = bench.size(200_000, 2_000);
  const queues = bench.size(3_000, 100);
  return [
    besideTrial(`beside ${scheduled.toLocaleString("en")} scheduled`, {
      crowd: scheduled,
      crowdJob: () => ({ command: "true", run_at: FAR_AWAY }),
      taken: bench.size(1_000, 100),
      job: () => ({ command: "true" }),
    }),
    besideTrial(`waiting in ${queues.toLocaleString("en")} queues`, {
      crowd: queues * 10,
      crowdJob: (i) => ({ command: "true", queue: `q${i % queues}` }),
      // Each claim costs more than the job itself.
      taken: bench.size(200, 40),
      job: (i) => ({ command: "true", queue: `q${i % queues}` }),
    }),
  ];
}

interface Beside {
  readonly crowd: number;
  readonly crowdJob: (i: number) => Record<string, unknown>;
  /** Jobs added and run for each figure. */
  readonly taken: number;
  readonly job: (i: number) => Record<string, unknown>;
}

/** Start-up is included: which jobs a worker takes is its own choice, so that they cannot be marked. */
function besideTrial(what: string, { crowd, crowdJob, taken, job }: Beside): Trial {
  return {
    measures: [{ what: `no-op jobs at c=4, ${what}`, unit: "/s", better: "higher" }],
    async prepare(subject) {
      const db = subject.newDb("growth");
      await subject.fill(db, Array.from({ length: crowd }, (_, i) => crowdJob(i)));
      const worker = ["worker", "run", "--quiet", "--concurrency", "4", "--max-jobs", String(taken)];
      return {
        async sample() {
          await subject.fill(db, Array.from({ length: taken }, (_, i) => job(i)));
          return [taken * 1_000 / await subject.run(db, worker)];
        },
        close: () => subject.remove(db),
      };
    },
  };
}

function spawnTrials(bench: Bench): Trial[] {
  const count = bench.size(1_500, 150);
  return [1, 4, 8].map((c) => ({
    measures: [{ what: `no-op jobs at c=${c}`, unit: "/s", better: "higher" }],
    prepare: (subject) =>
      Promise.resolve({
        async sample() {
          const db = subject.newDb("spawn");
          await subject.fill(db, noOps(count, "measured"));
          await subject.run(db, ["worker", "run", "--quiet", "--concurrency", String(c), "--drain"]);
          const rate = await subject.rate(db, "measured", count);
          await subject.remove(db);
          return [rate];
        },
      }),
  }));
}

/** Until a worker has loaded what it loads lazily, and is idle. */
const SETTLE_MS = 1_500;
/** Until it is idle again after a job, and not in step with any poll. */
const PAUSE_MS = 60;
/** Longer than the command that enqueues the job takes. */
const DELAY_MS = 400;

function pickupTrials(bench: Bench): Trial[] {
  const soon = bench.size(15, 3);
  const delayed = bench.size(5, 2);
  return [{
    measures: [
      { what: "pickup on an idle queue, from the start of the enqueue command", unit: "ms", better: "lower" },
      { what: "start of a delayed job after its time", unit: "ms", better: "lower" },
    ],
    prepare: (subject) => Promise.resolve({ sample: () => pickup(subject, { soon, delayed }) }),
  }];
}

/**
 * Medians of both latencies, of a worker that is started for them: how soon
 * workers begin differs more from process to process than from job to job.
 */
async function pickup(subject: Subject, { soon, delayed }: { soon: number; delayed: number }): Promise<number[]> {
  const db = subject.newDb("pickup");
  const path = `${db}.fifo`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  // Read and write, so that it is never at its end between two jobs.
  using fifo = await Deno.open(path, { read: true, write: true });
  const command = `echo >'${path}'`;
  const begun = () => fifo.read(new Uint8Array(1));
  // Makes the database, so that the worker finds it.
  await subject.run(db, ["status"]);
  const worker = subject.start(db, ["worker", "run"]);
  try {
    await sleep(SETTLE_MS);
    const first = await repeated(soon, async () => {
      await sleep(PAUSE_MS * (1 + Math.random()));
      return timed(() => Promise.all([subject.run(db, ["enqueue", command]), begun()]));
    });
    const second = await repeated(delayed, async () => {
      const due = Date.now() + DELAY_MS;
      await subject.run(db, ["enqueue", "--allow-past", "--run-at", new Date(due).toISOString(), command]);
      await begun();
      // Finer than Date.now(), which counts whole milliseconds.
      return performance.timeOrigin + performance.now() - due;
    });
    return [median(first), median(second)];
  } finally {
    await worker.stop();
    await subject.remove(db);
    await Deno.remove(path);
  }
}

function idleTrials(bench: Bench): Trial[] {
  return [{
    measures: [
      { what: "idle worker, CPU of one core", unit: "%", better: "lower" },
      { what: "idle worker, RSS", unit: "MB", better: "lower" },
      { what: "idle worker, private memory", unit: "MB", better: "lower" },
    ],
    isSimultaneous: true,
    async prepare(subject) {
      const db = subject.newDb("idle");
      await subject.run(db, ["status"]);
      const worker = subject.start(db, ["worker", "run"]);
      return {
        async sample() {
          // The database is checked, and V8 cleans up, half a minute after the start.
          await sleep(bench.size(35_000, 1_500));
          const watchMs = bench.size(30_000, 2_000);
          const before = cpuNanoseconds(worker.pid);
          const elapsed = await timed(() => sleep(watchMs));
          const percent = (cpuNanoseconds(worker.pid) - before) / 1e6 / elapsed * 100;
          const { rss, own } = memory(worker.pid);
          return [percent, rss, own];
        },
        async close() {
          await worker.stop();
          await subject.remove(db);
        },
      };
    },
  }];
}

/** Jobs for each worker before it counts: a process is slow at what it does for the first time. */
const WARM_UP = 50;

function contentionTrials(bench: Bench): Trial[] {
  const count = bench.size(2_000, 150);
  return [4, bench.size(32, 8)].map((workers) => ({
    measures: [{ what: `no-op jobs by ${workers} worker processes`, unit: "/s", better: "higher" }],
    prepare: (subject) =>
      Promise.resolve({
        async sample() {
          const db = subject.newDb("contention");
          await subject.fill(db, noOps(WARM_UP * workers, "warm-up"));
          const pool = subject.start(db, ["worker", "start", "--foreground", "--count", String(workers)]);
          try {
            await subject.run(db, ["wait", "--quiet", "--tag", "warm-up"]);
            await subject.fill(db, noOps(count, "measured"));
            await subject.run(db, ["wait", "--quiet", "--tag", "measured"]);
          } finally {
            await pool.stop();
          }
          const rate = await subject.rate(db, "measured", count);
          await subject.remove(db);
          return [rate];
        },
      }),
  }));
}

function lookingTrials(bench: Bench): Trial[] {
  return [
    commandsTrial(bench, [["status"], ["list"], ["list", "--state", "completed"], ["show", "middle"], ["stats"]]),
  ];
}

function completingTrials(bench: Bench): Trial[] {
  const kinds = ["job", "job:retry", "job:cancel", "queue:pause", "tag"];
  return [commandsTrial(bench, kinds.map((kind) => ["__complete", kind, "--", ""]))];
}

/** Commands that read from a large database, start-up included. */
function commandsTrial(bench: Bench, commands: readonly (readonly string[])[]): Trial {
  const count = bench.size(200_000, 2_000);
  const runs = bench.size(7, 2);
  const shown = count.toLocaleString("en");
  return {
    measures: commands.map((args) => ({
      what: `${args.join(" ").trim()}, ${shown} jobs`,
      unit: "ms",
      better: "lower",
    })),
    async prepare(subject) {
      const db = subject.newDb("looking");
      await subject.fill(db, [{ id: "middle", command: "true" }, ...noOps(200, "done")]);
      await subject.run(db, ["worker", "run", "--quiet", "--concurrency", "4", "--drain"]);
      await subject.fill(db, noOps(count, "waiting"));
      return {
        async sample() {
          const figures: number[] = [];
          for (const args of commands) figures.push(median(await repeated(runs, () => subject.run(db, args))));
          return figures;
        },
        close: () => subject.remove(db),
      };
    },
  };
}

function noOps(count: number, tag: string): Record<string, unknown>[] {
  return Array.from({ length: count }, () => ({ command: "true", tags: [tag] }));
}

async function repeated(times: number, once: () => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  while (figures.length < times) figures.push(await once());
  return figures;
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
