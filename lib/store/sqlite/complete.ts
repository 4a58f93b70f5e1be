/**
 * What a shell offers at Tab: jobs, tags and batches whose names begin with a
 * text. Every Tab asks anew, so each answer looks at a bounded number of rows,
 * however many there are.
 *
 * A million ids that begin with the same letter cannot all be read to find the
 * newest among them. Then the newest jobs are searched, together with the first
 * ids in order; a longer beginning finds the rest.
 * @module
 */
import type { JobState } from "../../core/job_state.ts";
import type { BatchHint, CompletionRequest, JobHint } from "../store.ts";
import type { Driver, Row, SqlValue } from "./driver.ts";
import completionSql from "./sql/completion.sql" with { type: "text" };
import { type Statements, statements } from "./statements.ts";

/** Ids in order. Their rows lie anywhere in the file, and each is a page to read. Three characters leave fewer of a million. */
const MOST_IDS = 400;

/** Newest jobs. Their rows lie apart when few jobs are in these states. */
const MOST_NEWEST = 500;

/**
 * Newest jobs of all states, looked at first: in most databases they are enough, and one statement reads them. Each
 * pair of queue and state takes a statement of its own.
 */
const MOST_RECENT = 500;

/** Pairs of queue and state that are worth it where the answer is not exact anyway: 100 take 2 ms. */
const FEW_PAIRS = 100;

/** Rows of one step along an index, doubled from 1: few queues need many steps, and many queues need few rows of each. */
const MOST_STEP = 256;

/** The newest jobs that fit, newest first. Runs inside a read transaction. */
export function completeJobs(driver: Driver, request: CompletionRequest): JobHint[] {
  const { prefix, states, limit } = request;
  const sql = statements(driver, completionSql);
  const seqs = prefix === "" ? take(newest(sql, states), limit).map(({ seq }) => seq) : newestNamed(sql, request);
  return seqs.map((seq) => sql("hint").get(seq)).filter((row) => row !== undefined).map((row) => ({
    id: String(row.id),
    state: String(row.state) as JobState,
    command: String(row.command ?? ""),
  }));
}

/** Tags in use that begin with the text, in order. One step per tag, however many jobs have it. */
export function completeTags(driver: Driver, prefix: string, limit: number): string[] {
  const sql = statements(driver, completionSql);
  const tags: string[] = [];
  let row = sql("is_tag").get(prefix) ?? sql("next_tag").get(prefix);
  while (row !== undefined && tags.length < limit && String(row.tag).startsWith(prefix)) {
    tags.push(String(row.tag));
    row = sql("next_tag").get(row.tag ?? null);
  }
  return tags;
}

/** Batches whose names begin with the text, newest first. */
export function completeBatches(driver: Driver, prefix: string, limit: number): BatchHint[] {
  return statements(driver, completionSql)("batches").all(prefix, limit).map((row) => ({
    name: String(row.name),
    sealed: row.sealed === 1,
    total: Number(row.total),
    ended: Number(row.ended),
  }));
}

function newestNamed(sql: Statements, { prefix, states, limit }: CompletionRequest): number[] {
  const rows = sql("ids_from").all(prefix, MOST_IDS + 1);
  const found = new Set(
    rows.filter(({ state }) => states?.includes(String(state) as JobState) ?? true).map(({ seq }) => Number(seq)),
  );
  if (rows.length > MOST_IDS) {
    const recent = take(newest(sql, states, { mostPairs: FEW_PAIRS }), MOST_NEWEST).filter(({ id }) =>
      id.startsWith(prefix)
    );
    for (const { seq } of recent) found.add(seq);
  }
  return [...found].sort((a, b) => b - a).slice(0, limit);
}

interface Named {
  readonly seq: number;
  readonly id: string;
}

/** Jobs in these states, newest first, read only as far as they are asked for. With too many pairs, it ends early. */
function* newest(
  sql: Statements,
  states: readonly JobState[] | undefined,
  { mostPairs = Infinity }: { mostPairs?: number } = {},
): Walk {
  let end = Number.MAX_SAFE_INTEGER;
  const walkBy = (name: string, ...values: SqlValue[]) =>
    walk(end, (below, count) => sql(name).all(...values, below, count).map(namedFromRow));
  if (states === undefined) return yield* walkBy("newest");
  const recent = sql("newest").all(end, MOST_RECENT);
  for (const row of recent) if (states.includes(String(row.state) as JobState)) yield namedFromRow(row);
  if (recent.length < MOST_RECENT) return;
  end = Number(recent.at(-1)?.seq);
  const pairs = sql("used").all().filter(({ state }) => states.includes(String(state) as JobState));
  if (pairs.length > mostPairs) return;
  yield* merged([
    ...pairs.map(({ queue, state }) => walkBy("newest_of_queue", state ?? null, queue ?? null)),
    ...states.includes("processing") ? [walkBy("newest_processing")] : [],
  ]);
}

function namedFromRow({ seq, id }: Row): Named {
  return { seq: Number(seq), id: String(id) };
}

type Walk = Generator<Named, undefined>;

/** Reads an index downwards from before a number, a step at a time. */
function* walk(end: number, stepBelow: (below: number, count: number) => readonly Named[]): Walk {
  let below = end;
  for (let count = 1;; count = Math.min(count * 2, MOST_STEP)) {
    const step = stepBelow(below, count);
    yield* step;
    if (step.length < count) return;
    below = step.at(-1)?.seq ?? 0;
  }
}

/** Several walks as one. */
function* merged(walks: readonly Walk[]): Walk {
  const heads = walks.map((walk) => ({ walk, head: walk.next().value }))
    .filter((each): each is { walk: Walk; head: Named } => each.head !== undefined)
    .sort((a, b) => a.head.seq - b.head.seq);
  while (true) {
    const highest = heads.pop();
    if (highest === undefined) return;
    yield highest.head;
    const head = highest.walk.next().value;
    if (head !== undefined) heads.splice(placeFor(head, heads), 0, { walk: highest.walk, head });
  }
}

/** Where a job belongs among those from old to new. */
function placeFor({ seq }: Named, heads: readonly { readonly head: Named }[]): number {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heads[middle]?.head.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function take<T>(values: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count <= 0) return taken;
  for (const value of values) {
    taken.push(value);
    if (taken.length >= count) break;
  }
  return taken;
}
