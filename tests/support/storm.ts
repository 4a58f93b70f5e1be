/**
 * A storm: workers run jobs and are killed again and again, at moments that a
 * seed decides, and replaced. Afterwards everything is checked against the
 * ledger.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { type Sandbox, sandbox, type Started } from "./binary.ts";
import type { NewJob } from "../../lib/core/job.ts";
import { isFinal } from "../../lib/core/job_state.ts";
import { checkLedger, enqueueJobs, Ledger, withStore } from "./ledger.ts";
import { randomFrom } from "./random.ts";
import { waitFor } from "./wait_for.ts";

export interface StormOptions {
  readonly jobs: number;
  readonly workers: number;
  readonly kills: number;
  readonly seed: number;
  /** Default: two minutes. */
  readonly timeoutMs?: number;
  /** Told now and then how many jobs have ended. */
  readonly onProgress?: (ended: number, kills: number) => void;
}

export interface StormResult {
  readonly completed: number;
  readonly dead: number;
  readonly lostRuns: number;
}

/** A worker that was just started lives for less than this before it may be hit. */
const LONGEST_LIFE_MS = 400;

export async function storm(options: StormOptions): Promise<StormResult> {
  const random = randomFrom(options.seed);
  await using box = await sandbox();
  const ledger = new Ledger(box);
  // So that no job dies of the storm itself: every one has to come through.
  await box.ok(["config", "set", "max_crashes", "1000"]);
  const ids = await enqueueJobs(box, Array.from({ length: options.jobs }, () => stormJob(ledger, random)));
  const workers = await Promise.all(Array.from({ length: options.workers }, () => startWorker(box)));

  await withStore(box.db, async (store) => {
    const ended = async () =>
      (await store.jobs.counts()).reduce((sum, { state, n }) => isFinal(state) ? sum + n : sum, 0);
    for (let kill = 0; kill < options.kills; kill++) {
      const enough = Math.floor(kill * options.jobs / options.kills);
      await waitFor(async () => await ended() >= enough, `${enough} jobs to end`, { timeoutMs: 120_000 });
      await delay(random() * LONGEST_LIFE_MS);
      const victim = Math.floor(random() * workers.length);
      await workers[victim]!.kill();
      workers[victim] = await startWorker(box);
      options.onProgress?.(await ended(), kill + 1);
    }
    const { timeoutMs = 120_000 } = options;
    await waitFor(async () => await ended() === options.jobs, "all jobs to end", { timeoutMs });
  });
  for (const worker of workers) worker.signal("SIGTERM");
  // 143: it had only just been started, and did not listen yet.
  for (const worker of workers) assert([0, 143].includes((await worker.wait()).code), worker.stderr());
  // The last one that was killed may still be registered: whoever comes next clears that up.
  await box.ok(["worker", "run", "--drain"]);

  const jobs = await checkLedger(box, ledger, ids);
  for (const job of jobs) assertEquals(job.state, job.tags.includes("hopeless") ? "dead" : "completed");
  assertEquals(await withStore(box.db, (store) => store.workers.list()), []);
  return {
    completed: jobs.filter(({ state }) => state === "completed").length,
    dead: jobs.filter(({ state }) => state === "dead").length,
    lostRuns: jobs.flatMap(({ runs }) => runs).filter(({ outcome }) => outcome === "lost").length,
  };
}

/** Most succeed; some fail once and are retried; some always fail. */
function stormJob(ledger: Ledger, random: () => number): Partial<NewJob> {
  const draw = random();
  const ticks = 1 + Math.floor(random() * 5);
  const backoff = { strategy: "fixed", base: 2, delay: 0.05, max: 1, jitter: 0 } as const;
  if (draw < 0.1) {
    return { command: ledger.command({ ticks, exitCode: 1 }), max_retries: 1, backoff, tags: ["hopeless"] };
  }
  if (draw < 0.2) return { command: ledger.command({ ticks, exitCode: "$((QUEUECTL_ATTEMPT < 2))" }), backoff };
  return { command: ledger.command({ ticks }) };
}

function startWorker(box: Sandbox): Promise<Started> {
  return box.start(["worker", "run", "--concurrency", "2", "--quiet"]);
}
