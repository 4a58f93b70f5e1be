/**
 * A ledger that jobs write themselves: a line when a run starts, ticks while it
 * runs, a line when it ends, each with job, run and token, in the order in which
 * it all happened (O_APPEND). What the queue says afterwards is checked against it.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Job, NewJob, Run } from "../../lib/core/job.ts";
import { isFinal } from "../../lib/core/job_state.ts";
import { openStore, type Store } from "../../lib/store/mod.ts";
import type { Sandbox } from "./binary.ts";
import { aNewJob } from "./factories.ts";

export interface LedgerLine {
  readonly what: "start" | "tick" | "end";
  readonly job: string;
  readonly run: number;
  readonly claim: number;
}

export interface LedgerJobOptions {
  /** Between start and end, with 20 ms each. Default: 2. */
  readonly ticks?: number;
  /** A number, or what the shell makes one of. Default: 0. */
  readonly exitCode?: number | string;
}

export class Ledger {
  readonly path: string;

  constructor(box: Sandbox, name = "ledger") {
    this.path = `${box.directory}/${name}`;
  }

  /** A command that writes to this ledger. */
  command({ ticks = 2, exitCode = 0 }: LedgerJobOptions = {}): string {
    const note = `note() { echo "$1 $QUEUECTL_JOB_ID $QUEUECTL_RUN $QUEUECTL_CLAIM" >>'${this.path}'; }`;
    const middle = Array.from({ length: ticks }, () => "sleep 0.02; note tick").join("; ");
    return `${note}; note start; ${middle === "" ? ":" : middle}; note end; exit ${exitCode}`;
  }

  lines(): LedgerLine[] {
    let text: string;
    try {
      text = Deno.readTextFileSync(this.path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
    return text.split("\n").filter((line) => line !== "").map((line) => {
      const [what, job, run, claim] = line.split(" ");
      return { what: what as LedgerLine["what"], job: job!, run: Number(run), claim: Number(claim) };
    });
  }

  starts(job: string): number {
    return this.lines().filter((line) => line.job === job && line.what === "start").length;
  }
}

export interface RecordedJob extends Job {
  readonly runs: readonly Run[];
}

const SYSTEM_CLOCK = { now: () => Date.now(), monotonic: () => performance.now() };

/** Lets a test look into the database of a sandbox without starting a command for each look. */
export async function withStore<T>(db: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(db, { mode: "write", clock: SYSTEM_CLOCK });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Many jobs at once; their ids. */
export async function enqueueJobs(box: Sandbox, jobs: readonly Partial<NewJob>[]): Promise<string[]> {
  return await withStore(box.db, async (store) => {
    const enqueued = await store.jobs.enqueue(jobs.map((job) => aNewJob({ cwd: box.directory, ...job })));
    return enqueued.map(({ id }) => id);
  });
}

export async function recordedJobs(box: Sandbox): Promise<RecordedJob[]> {
  return await withStore(box.db, async (store) => {
    const jobs: RecordedJob[] = [];
    for (const job of await store.jobs.list({})) jobs.push({ ...job, runs: await store.jobs.runs(job.seq) });
    return jobs;
  });
}

/**
 * Every job is in a final state by its rules; no two runs of a job overlapped;
 * tokens only grew; what the ledger saw and what the queue recorded agree.
 * Returns the jobs in the order of `ids`.
 */
export async function checkLedger(
  box: Sandbox,
  ledger: Ledger,
  ids: readonly string[],
): Promise<readonly RecordedJob[]> {
  const lines = ledger.lines();
  const recorded = await recordedJobs(box);
  const strangers = lines.filter(({ job }) => !ids.includes(job));
  assertEquals(strangers, [], "the ledger names jobs that nobody enqueued");
  assertEquals(recorded.map(({ id }) => id).toSorted(), [...ids].toSorted(), "jobs were lost or invented");
  const linesOf = Map.groupBy(lines, ({ job }) => job);
  for (const job of recorded) checkJob(job, linesOf.get(job.id) ?? []);
  return ids.map((id) => recorded.find((job) => job.id === id)!);
}

function checkJob(job: RecordedJob, lines: readonly LedgerLine[]): void {
  const told = `${job.id}: ${JSON.stringify({ state: job.state, reason: job.reason, runs: job.runs, lines })}`;
  assert(isFinal(job.state), `not ended: ${told}`);
  assertEquals(job.runs.map(({ run }) => run), Array.from({ length: job.run_count }, (_, index) => index + 1), told);

  let newest = { run: 0, claim: 0 };
  for (const { what, run, claim } of lines) {
    if (what === "start") {
      assert(run > newest.run && claim > newest.claim, `run ${run} started twice, or out of order: ${told}`);
      newest = { run, claim };
    }
    assertEquals([run, claim], [newest.run, newest.claim], `run ${run} went on after run ${newest.run} began: ${told}`);
    assertEquals(job.runs[run - 1]?.claim, claim, `the queue knows nothing of this run: ${told}`);
  }
  for (const { run, outcome } of job.runs) {
    assert(outcome !== null, `run ${run} has no outcome: ${told}`);
    const hasEnded = lines.some((line) => line.run === run && line.what === "end");
    if (outcome === "succeeded" || outcome === "failed") assert(hasEnded, `run ${run} did not reach its end: ${told}`);
  }
  assertEquals(job.state === "completed", job.runs.at(-1)?.outcome === "succeeded", told);
  const given = job.runs.filter(({ outcome }) => outcome === "lost" || outcome === "interrupted").length;
  assertEquals(job.attempts, job.run_count - given, `attempts do not add up: ${told}`);
}
