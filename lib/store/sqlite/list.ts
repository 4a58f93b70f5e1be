/**
 * Listing jobs by filter, newest first or in another order.
 *
 * Two steps: which jobs, as numbers from an index alone; then the jobs
 * themselves, page by page. Newest first never looks at more than it shows:
 * by state and queue it walks jobs_by_state from its end, once for each pair
 * that `job_counts` says is there; by tag it walks the tags; else the table.
 *
 * Conditions are put together from fixed pieces; values are always bound.
 * @module
 */
import type { Job } from "../../core/job.ts";
import { FINAL_STATES, isFinal, type JobState } from "../../core/job_state.ts";
import type { JobSortField } from "../../core/job_sort.ts";
import type { JobFilter, JobListing } from "../store.ts";
import type { Connection } from "./connection.ts";
import type { Driver, Row, SqlValue } from "./driver.ts";
import { jobFromRow } from "./rows.ts";

/** Jobs of one page: a moment's work, and a few megabytes. */
const PAGE = 1_000;

/** With a tag and a state, so few jobs in that state are looked at one by one; of more, those with the tag. */
const FEW = 10_000;

/** Columns that sort; a map, so that no text of a user gets into a statement. */
const SORT_COLUMNS: Readonly<Record<JobSortField, string>> = {
  seq: "seq",
  priority: "priority",
  created_at: "created_at",
  updated_at: "updated_at",
  run_at: "run_at",
  duration: "duration_ms",
};

/** Runs inside a read transaction. */
export function listJobs(driver: Driver, listing: JobListing): Job[] {
  return jobsOf(driver, seqsOf(driver, listing));
}

/** As `listJobs`, in pages, each in a transaction of its own: jobs may come and go between them. */
export async function* pagesOfJobs(connection: Connection, listing: JobListing): AsyncGenerator<readonly Job[]> {
  const { driver } = connection;
  const read = <T>(work: () => T) => connection.read("list jobs", work);
  if (listing.sort !== undefined) {
    const seqs = await read(() => seqsOf(driver, listing));
    for (let at = 0; at < seqs.length; at += PAGE) {
      yield await read(() => jobsOf(driver, seqs.slice(at, at + PAGE)));
    }
    return;
  }
  let left = listing.limit ?? Infinity;
  let before: number | undefined;
  while (left > 0) {
    const limit = Math.min(PAGE, left);
    const page = await read(() => {
      const seqs = newestSeqs(driver, { ...listing, limit }, before);
      return { jobs: jobsOf(driver, seqs), last: seqs.at(-1), isWhole: seqs.length === limit };
    });
    if (page.jobs.length > 0) yield page.jobs;
    if (!page.isWhole) return;
    before = page.last;
    left -= limit;
  }
}

function jobsOf(driver: Driver, seqs: readonly number[]): Job[] {
  const statement = driver.prepare("select * from jobs where seq = ?");
  return seqs.map((seq) => statement.get(seq)).filter((row) => row !== undefined).map(jobFromRow);
}

function seqsOf(driver: Driver, listing: JobListing): number[] {
  const { sort } = listing;
  if (sort === undefined) return newestSeqs(driver, listing);
  const { where, values } = conditions(listing);
  const { states } = listing;
  const inStates = states === undefined ? [] : [`state in (${states.map(() => "?").join(", ")})`];
  const direction = sort.isDescending ? "desc" : "asc";
  return select(driver, {
    where: [...inStates, where],
    values: [...states ?? [], ...values],
    // What has no value comes last in both directions; equals are the newest first.
    ending: `order by ${SORT_COLUMNS[sort.field]} ${direction} nulls last, seq desc`,
    limit: listing.limit,
  });
}

/** Numbers of jobs, newest first, below `before`. */
function newestSeqs(driver: Driver, filter: JobFilter, before?: number): number[] {
  return walked(driver, filter, { bounds: { "<": before }, isDescending: true });
}

/** Numbers of jobs, oldest first, above `after` and up to `through`. Runs inside a transaction. */
export function oldestSeqs(
  driver: Driver,
  filter: JobFilter,
  { after, through }: { readonly after?: number; readonly through?: number } = {},
): number[] {
  return walked(driver, filter, { bounds: { ">": after, "<=": through }, isDescending: false });
}

/** How many jobs there are. Queues and states alone are known without looking at a job. */
export function countJobs(driver: Driver, filter: JobFilter): number {
  const { states: _states, queues: _queues, limit: _limit, ...others } = filter;
  const isCounted = Object.values(others).every((value) => value === undefined);
  if (isCounted) return pairsOf(driver, filter).reduce((sum, { n }) => sum + n, 0);
  if (filter.finishedBefore !== undefined) return countFinished(driver, filter, filter.finishedBefore);
  return walksOf(driver, filter).reduce((sum, { from, where, values }) => {
    const row = driver.prepare(`select count(*) as n from ${from} ${conditionOf(where)}`).get(...values);
    return sum + Number(row?.n ?? 0);
  }, 0);
}

/** Along jobs_finished, which is enough to answer when only age is asked for. */
function countFinished(driver: Driver, filter: JobFilter, finishedBefore: number): number {
  const { finishedBefore: _, states = FINAL_STATES, ...others } = filter;
  const { where, values } = conditions(others, { tags: "one by one" });
  const statement = driver.prepare(
    `select count(*) as n from jobs indexed by jobs_finished
    ${conditionOf(["state = ?", "finished_at is not null", "finished_at < ?", where])}`,
  );
  return [...new Set(states.filter(isFinal))].reduce(
    (sum, state) => sum + Number(statement.get(state, finishedBefore, ...values)?.n ?? 0),
    0,
  );
}

function walked(
  driver: Driver,
  filter: JobFilter,
  { bounds, isDescending }: { bounds: Readonly<Record<string, number | undefined>>; isDescending: boolean },
): number[] {
  const { limit } = filter;
  const given = Object.entries(bounds).filter((entry): entry is [string, number] => entry[1] !== undefined);
  const walks = walksOf(driver, filter);
  const found = walks.flatMap(({ from, seq, where, values }) =>
    select(driver, {
      from,
      where: [...where, ...given.map(([comparison]) => `${seq} ${comparison} ?`)],
      values: [...values, ...given.map(([, bound]) => bound)],
      ending: `order by ${seq} ${isDescending ? "desc" : "asc"}`,
      limit,
    })
  );
  if (walks.length > 1) found.sort((a, b) => isDescending ? b - a : a - b);
  return limit === undefined ? found : found.slice(0, limit);
}

/** A way along an index that meets jobs in order of age; several together meet all that the filter takes, each once. */
interface Walk {
  readonly from: string;
  /** The column that is in order. */
  readonly seq: string;
  readonly where: readonly string[];
  readonly values: readonly SqlValue[];
}

function walksOf(driver: Driver, filter: JobFilter): Walk[] {
  const { states, queues, tags = [] } = filter;
  const pairs = states === undefined && queues === undefined ? undefined : pairsOf(driver, filter);
  const [tag, ...otherTags] = tags;
  if (tag !== undefined && (pairs === undefined || pairs.reduce((sum, { n }) => sum + n, 0) > FEW)) {
    const rest = conditions({ ...filter, tags: otherTags }, { tags: "one by one" });
    const inStates = states === undefined ? [] : [`state in (${states.map(() => "?").join(", ")})`];
    return [{
      // The order of the join is fixed, or the planner might look at every job for its tag.
      from: "job_tags cross join jobs on jobs.seq = job_tags.job_seq",
      seq: "job_tags.job_seq",
      where: ["job_tags.tag = ?", ...inStates, rest.where],
      values: [tag, ...states ?? [], ...rest.values],
    }];
  }
  const { queues: _, ...others } = filter;
  const rest = conditions(others, { tags: "one by one" });
  if (pairs === undefined) return [{ from: "jobs", seq: "seq", where: [rest.where], values: rest.values }];
  return pairs.map(({ state, queue }) => ({
    from: `jobs indexed by ${state === "processing" ? "jobs_processing" : "jobs_by_state"}`,
    seq: "seq",
    where: [IN_STATE[state === "processing" ? "processing" : "others"], "queue = ?", rest.where],
    values: [state, queue, ...rest.values],
  }));
}

/** Spelled out so that SQLite knows which index holds the state: jobs_by_state has all but one. */
const IN_STATE = {
  processing: "state = ? and state = 'processing'",
  others: "state = ? and state <> 'processing'",
} as const;

interface Pair {
  readonly queue: string;
  readonly state: JobState;
  readonly n: number;
}

/** The pairs of queue and state that the filter allows and that hold any job. */
function pairsOf(driver: Driver, { states, queues }: JobFilter): Pair[] {
  return driver.prepare("select queue, state, n from job_counts where n > 0").all()
    .map((row) => ({ queue: String(row.queue), state: String(row.state) as JobState, n: Number(row.n) }))
    .filter(({ queue, state }) => (states?.includes(state) ?? true) && (queues?.includes(queue) ?? true));
}

interface Selection {
  /** Default: `jobs`. */
  readonly from?: string;
  readonly where: readonly string[];
  readonly values: readonly SqlValue[];
  readonly ending: string;
  readonly limit: number | undefined;
}

function select(driver: Driver, { from = "jobs", where, values, ending, limit }: Selection): number[] {
  const sql = `select jobs.seq as seq from ${from} ${conditionOf(where)} ${ending}${
    limit === undefined ? "" : " limit ?"
  }`;
  const rows: Row[] = driver.prepare(sql).all(...values, ...(limit === undefined ? [] : [limit]));
  return rows.map((row) => Number(row.seq));
}

function conditionOf(where: readonly string[]): string {
  const parts = where.filter((part) => part !== "");
  return parts.length === 0 ? "" : `where ${parts.join(" and ")}`;
}

/** As SQL, without the states. Tags as a set are quick where few jobs have them; one by one where few are asked. */
export function conditions(
  filter: JobFilter,
  options: { tags?: "as a set" | "one by one" } = {},
): { where: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...bound: SqlValue[]) => {
    parts.push(condition);
    values.push(...bound);
  };
  const hasTag = options.tags === "one by one"
    ? "exists (select 1 from job_tags t where t.tag = ? and t.job_seq = jobs.seq)"
    : "seq in (select job_seq from job_tags where tag = ?)";
  if (filter.queues !== undefined) add(`queue in (${filter.queues.map(() => "?").join(", ")})`, ...filter.queues);
  for (const tag of filter.tags ?? []) add(hasTag, tag);
  if (filter.batch !== undefined) add("batch = ?", filter.batch);
  if (filter.finishedBefore !== undefined) add("finished_at < ?", filter.finishedBefore);
  if (filter.since !== undefined) add("created_at >= ?", filter.since);
  if (filter.search !== undefined) {
    // Arguments are searched as they would be typed, not as the JSON in which they are stored.
    const typed = "coalesce(command, (select group_concat(value, ' ') from json_each(argv)))";
    add(`(instr(lower(id), lower(?)) or instr(lower(${typed}), lower(?)))`, filter.search, filter.search);
  }
  return { where: parts.join(" and "), values };
}
