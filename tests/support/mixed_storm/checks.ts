/**
 * What must be true after a mixed storm: the ledger of the jobs and the rows of
 * the database tell the same story, and it keeps every promise.
 * @module
 */
import { isFinal, type JobState } from "../../../lib/core/job_state.ts";
import { integrity, query } from "../sqlite_database.ts";
import type { StormRecord } from "./producer.ts";
import type { LedgerLine } from "./script.ts";

interface JobRow {
  readonly seq: number;
  readonly id: string;
  readonly state: JobState;
  readonly command: string;
  readonly run_count: number;
  readonly batch: string | null;
}

interface RunRow {
  readonly job_seq: number;
  readonly run: number;
  readonly claim: number;
  readonly outcome: string | null;
}

export interface Found {
  readonly jobs: number;
  /** How runs ended, and how often. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly callbacks: number;
  readonly violations: readonly string[];
}

/** Exit codes that only the script itself ends with, after its last line. */
const ENDED_BY_ITSELF = ["succeeded", "snoozed"];

/** After these the run is made again, by the same claim of the job to be run once. */
const NOT_COUNTED = ["lost", "interrupted", "late"];

export function checkStorm(db: string, ledger: readonly LedgerLine[], record: StormRecord): Found {
  const jobs = query(db, "select * from jobs order by seq") as unknown as JobRow[];
  const runs = query(db, "select * from runs order by job_seq, run") as unknown as RunRow[];
  const runsOf = Map.groupBy(runs, ({ job_seq }) => job_seq);
  const linesOf = Map.groupBy(ledger, ({ job }) => job);
  const known = new Set(jobs.map(({ id }) => id));
  return {
    jobs: jobs.length,
    outcomes: tallied(runs.map(({ outcome }) => outcome ?? "running")),
    callbacks: record.batches.size,
    violations: [
      ...ledger.filter(({ what }) => what === "overlap").map((line) => `overlap: ${JSON.stringify(line)}`),
      ...[...record.acknowledged].filter((id) => !known.has(id)).map((id) => `acknowledged job ${id} is missing`),
      ...[...linesOf.keys()].filter((id) => !known.has(id)).map((id) => `the ledger names ${id}, which is no job`),
      ...jobs.flatMap((job) => checkJob(job, runsOf.get(job.seq) ?? [], linesOf.get(job.id) ?? [])),
      ...checkParents(ledger, record),
      ...checkBatches(db, jobs, record).concat(checkCallbacks(jobs, runsOf, record)),
      ...checkCounters(db),
    ],
  };
}

function checkJob(job: JobRow, runs: readonly RunRow[], lines: readonly LedgerLine[]): string[] {
  const found: string[] = [];
  const expect = (isTrue: boolean, what: string) => {
    if (!isTrue) found.push(`${job.id} (${job.state}): ${what}: ${JSON.stringify({ runs, lines })}`);
  };
  expect(isFinal(job.state), "it has not ended");
  expect(runs.length === job.run_count, `it has ${job.run_count} runs`);
  let newest: Pick<RunRow, "run" | "claim"> = { run: 0, claim: 0 };
  for (const run of runs) {
    expect(run.run === newest.run + 1 && run.claim > newest.claim, `run ${run.run} is out of order`);
    expect(run.outcome !== null, `run ${run.run} has no outcome`);
    newest = run;
    const hasEnded = lines.some(({ what, claim }) => what === "end" && claim === run.claim);
    if (ENDED_BY_ITSELF.includes(run.outcome ?? "")) expect(hasEnded, `run ${run.run} did not come to its end`);
  }
  if (job.state === "completed") expect(runs.at(-1)?.outcome === "succeeded", "its last run did not succeed");
  let began = { run: 0, claim: 0 };
  for (const { what, run, claim } of lines) {
    expect(runs[run - 1]?.claim === claim, `nothing is recorded of run ${run} with claim ${claim}`);
    if (what === "start") {
      expect(run > began.run && claim > began.claim, `run ${run} started twice, or out of order`);
      began = { run, claim };
    } else expect(run === began.run, `run ${run} went on after run ${began.run} began`);
  }
  return found;
}

/** No child starts before its parent has ended well once. */
function checkParents(ledger: readonly LedgerLine[], { parents }: StormRecord): string[] {
  const succeeded = new Set<string>();
  const found: string[] = [];
  for (const { what, job, about } of ledger) {
    if (what === "end" && about === "0") succeeded.add(job);
    if (what !== "start") continue;
    for (const parent of parents.get(job) ?? []) {
      if (!succeeded.has(parent)) found.push(`${job} started before its parent ${parent} succeeded`);
    }
  }
  return found;
}

function checkBatches(db: string, jobs: readonly JobRow[], record: StormRecord): string[] {
  const members = Map.groupBy(jobs, ({ batch }) => batch);
  return query(db, "select * from batches").flatMap((batch) => {
    const own = members.get(String(batch.name)) ?? [];
    const found: string[] = [];
    if (batch.total !== own.length) found.push(`batch ${batch.name} counts ${batch.total} of ${own.length} jobs`);
    const ended = own.filter(({ state }) => isFinal(state)).length;
    if (batch.ended !== ended) found.push(`batch ${batch.name} counts ${batch.ended} of ${ended} ended jobs`);
    const isDue = batch.sealed === 1 && record.batches.has(String(batch.name));
    if (isDue && batch.done_job_id === null) found.push(`nothing followed batch ${batch.name}`);
    return found;
  });
}

/** One job follows a batch, and it comes to its end once. */
function checkCallbacks(
  jobs: readonly JobRow[],
  runsOf: ReadonlyMap<number, readonly RunRow[]>,
  { batches }: StormRecord,
): string[] {
  const followers = Map.groupBy(jobs, ({ command }) => /# follows (\S+)$/.exec(command ?? "")?.[1]);
  return [...followers].flatMap(([batch, made]) => {
    if (batch === undefined) return [];
    const found: string[] = batches.has(batch) ? [] : [`batch ${batch} was not known to be made`];
    if (made.length !== 1) found.push(`batch ${batch} was followed by ${made.length} jobs`);
    for (const { id, seq } of made) {
      const counted = (runsOf.get(seq) ?? []).filter(({ outcome }) => !NOT_COUNTED.includes(outcome ?? ""));
      if (counted.length !== 1) found.push(`${id}, which follows batch ${batch}, ran ${counted.length} times`);
    }
    return found;
  });
}

function checkCounters(db: string): string[] {
  const counted = query(db, "select queue, state, n from job_counts where n <> 0 order by queue, state");
  const real = query(db, "select queue, state, count(*) as n from jobs group by queue, state order by queue, state");
  const found: string[] = [];
  if (JSON.stringify(counted) !== JSON.stringify(real)) {
    found.push(`counters differ from rows: ${JSON.stringify({ counted, real })}`);
  }
  for (const table of ["unsettled", "workers", "pools"]) {
    const rows = query(db, `select * from ${table}`);
    if (rows.length > 0) found.push(`${table} still has ${JSON.stringify(rows)}`);
  }
  const broken = query(db, "pragma foreign_key_check");
  if (broken.length > 0) found.push(`foreign keys do not hold: ${JSON.stringify(broken)}`);
  const file = integrity(db);
  return file === "ok" ? found : [...found, `the file is damaged: ${file}`];
}

function tallied(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
