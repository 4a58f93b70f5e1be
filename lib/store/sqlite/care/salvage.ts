/**
 * Reads what can still be read of a damaged database into a new one.
 *
 * In three steps, on a copy with its log applied, so that the original stays
 * as it is: every table along its tree from both ends, which gets around one
 * damaged page; jobs by number, which gets around several; then jobs and runs
 * from the pages themselves, for what no page leads to any more. The
 * constraints of the new schema refuse what makes no sense.
 * @module
 */
import { NotFoundError, quotedPath, StoreUnavailableError } from "../../../core/errors.ts";
import type { Salvaged } from "../../care.ts";
import { exists, folderOf } from "../copy.ts";
import { type Driver, openDriver, type Row, type SqlValue } from "../driver.ts";
import { TALLY_PREFIX } from "../record_run.ts";
import { rowsOfPages } from "./database_pages.ts";
import { publishNew, settleCopy } from "./staging.ts";

/** What is of a moment, and must not come back: who works, and who holds a duty. */
const LEFT_OUT: ReadonlySet<string> = new Set(["workers", "leases"]);

/** Before those that refer to them. */
const FIRST = ["jobs", "runs", "queues"];

/** Jobs read by number in one statement; a range with a damaged page in it is halved until it is left alone. */
const RANGE = 1_024;

export interface SalvageOptions {
  readonly now: number;
  /** Makes an empty database of the present schema. */
  readonly create: (path: string) => Promise<void>;
}

export async function salvage(path: string, file: string, options: SalvageOptions): Promise<Salvaged> {
  if (!exists(path)) throw new NotFoundError(`No database ${quotedPath(path)}`, { hint: "queuectl --db PATH doctor" });
  return await publishNew(file, async (staging) => {
    await options.create(staging);
    const folder = Deno.makeTempDirSync({ dir: folderOf(file), prefix: ".salvage-" });
    try {
      const copy = `${folder}/damaged.db`;
      copyWithLog(path, copy);
      const salvaged = transfer(copy, staging);
      if (salvaged.jobs === 0 && salvaged.runs === 0 && salvaged.incomplete.length > 0) {
        throw new StoreUnavailableError(`Cannot salvage ${quotedPath(path)}: no job in it can be read`, {
          hint: "restore a backup: queuectl restore FILE",
        });
      }
      await settleCopy(staging, { now: options.now });
      return salvaged;
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });
}

function copyWithLog(path: string, copy: string): void {
  Deno.copyFileSync(path, copy);
  if (exists(`${path}-wal`)) Deno.copyFileSync(`${path}-wal`, `${copy}-wal`);
  Deno.chmodSync(copy, 0o600);
  try {
    const driver = openDriver(copy, { busyTimeoutMs: 0 });
    // Page by page, whatever is on them.
    driver.prepare("pragma wal_checkpoint(truncate)").get();
    driver.close();
  } catch {
    // Its first page is gone: the pages of the file alone must do.
  }
}

function transfer(copy: string, staging: string): Salvaged {
  const target = openDriver(staging, { busyTimeoutMs: 0 });
  target.prepare("begin immediate").run();
  const writer = new Writer(target);
  const tables = tablesOf(target);
  const incomplete = new Set<string>();
  let source: Driver | undefined;
  try {
    source = openDriver(copy, { busyTimeoutMs: 0 });
    source.prepare("pragma query_only = 1").get();
    const order = [...FIRST, ...tables.keys().filter((name) => !FIRST.includes(name))];
    for (const table of order) {
      const columns = tables.get(table) ?? [];
      if (LEFT_OUT.has(table) || readFromBothEnds(source, table, columns, writer)) continue;
      incomplete.add(table);
      if (table === "jobs") readJobsByNumber(source, writer);
      if (table === "runs") readRunsByJob(source, target, writer);
    }
  } catch {
    // Not even its list of tables can be read.
    for (const table of FIRST) incomplete.add(table);
  } finally {
    source?.close();
  }
  const before = writer.count("jobs");
  if (incomplete.has("jobs") || incomplete.has("runs")) readPages(Deno.readFileSync(copy), tables, writer);
  target.exec(
    "insert into queues (name, created_at) select distinct queue, 0 from jobs where true on conflict do nothing",
  );
  target.prepare("commit").run();
  target.close();
  return {
    jobs: writer.count("jobs"),
    runs: writer.count("runs"),
    foundByPage: writer.count("jobs") - before,
    refused: writer.refused,
    incomplete: [...incomplete],
  };
}

interface Column {
  readonly name: string;
  /** Place within the primary key, from 1; 0 when it is not part of it. */
  readonly pk: number;
}

type Tables = ReadonlyMap<string, readonly Column[]>;

function tablesOf(target: Driver): Tables {
  const names = target.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all();
  return new Map(names.map(({ name }) => {
    const columns = target.prepare(`pragma table_info(${String(name)})`).all();
    return [String(name), columns.map((row) => ({ name: String(row.name), pk: Number(row.pk) }))];
  }));
}

/** Along the tree, from its beginning and, where that meets damage, from its end. False when some of it was not reached. */
function readFromBothEnds(source: Driver, table: string, columns: readonly Column[], writer: Writer): boolean {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk).map(({ name }) => `"${name}"`);
  for (const direction of ["asc", "desc"]) {
    const order = key.map((name) => `${name} ${direction}`).join(", ");
    try {
      const rows = source.prepare(`select * from "${table}" ${order === "" ? "" : `order by ${order}`}`).iterate();
      for (const row of rows) writer.write(table, row);
      if (direction === "asc") return true;
    } catch {
      // Damage: what lies behind it is read from the other end.
    }
  }
  return false;
}

function readJobsByNumber(source: Driver, writer: Writer): void {
  const statement = source.prepare("select * from jobs where seq >= ? and seq < ? order by seq");
  const read = (from: number, to: number) => {
    try {
      for (const row of statement.all(from, to)) writer.write("jobs", row);
    } catch {
      if (to - from < 2) return;
      const middle = from + Math.floor((to - from) / 2);
      read(from, middle);
      read(middle, to);
    }
  };
  const last = lastJob(source);
  for (let from = 1; from <= last; from += RANGE) read(from, from + RANGE);
}

/** The highest number that was ever given, by whatever still tells. */
function lastJob(source: Driver): number {
  let last = 0;
  const asked = [
    "select seq as n from sqlite_sequence where name = 'jobs'",
    "select max(seq) as n from jobs",
    "select max(job_seq) as n from runs",
  ];
  for (const sql of asked) {
    try {
      last = Math.max(last, Number(source.prepare(sql).get()?.n ?? 0));
    } catch {
      // The next may tell.
    }
  }
  return last;
}

function readRunsByJob(source: Driver, target: Driver, writer: Writer): void {
  const runs = source.prepare("select * from runs where job_seq = ?");
  for (const { seq } of target.prepare("select seq from jobs where run_count > 0").all()) {
    try {
      for (const row of runs.all(seq ?? null)) writer.write("runs", row);
    } catch {
      // The runs of this job are on the damaged page.
    }
  }
}

/** Jobs and runs have so many columns that nothing else is taken for them. */
function readPages(bytes: Uint8Array, tables: Tables, writer: Writer): void {
  const jobs = tables.get("jobs") ?? [];
  const runs = tables.get("runs") ?? [];
  // Without a row number, a table is stored with its primary key first.
  const runsStored = [
    ...runs.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk),
    ...runs.filter(({ pk }) => pk === 0),
  ];
  const found: Row[] = [];
  for (const { kind, rowid, values } of rowsOfPages(bytes, new Set([jobs.length, runs.length]))) {
    const named = (columns: readonly Column[]): Row =>
      Object.fromEntries(columns.map(({ name }, i) => [name, values[i] ?? null]));
    if (kind === "table" && values.length === jobs.length) writer.write("jobs", { ...named(jobs), seq: rowid });
    if (kind === "index" && values.length === runs.length) found.push(named(runsStored));
  }
  for (const row of found) writer.write("runs", row);
}

/** Writes rows that make sense, each once. */
class Writer {
  readonly #target: Driver;
  readonly #counts = new Map<string, number>();
  readonly #columns = new Map<string, ReadonlySet<string>>();
  refused = 0;

  constructor(target: Driver) {
    this.#target = target;
  }

  count(table: string): number {
    return this.#counts.get(table) ?? 0;
  }

  write(table: string, row: Row): void {
    // The numbers of jobs count themselves; of these rows only the tallies say something of their own.
    if (table === "job_counts" && !String(row.state).startsWith(TALLY_PREFIX)) return;
    const known = this.#columnsOf(table);
    const names = Object.keys(row).filter((name) => known.has(name));
    const values: SqlValue[] = names.map((name) => row[name] ?? null);
    const list = names.map((name) => `"${name}"`).join(", ");
    const places = names.map(() => "?").join(", ");
    try {
      const { changes } = this.#target.prepare(`insert or ignore into "${table}" (${list}) values (${places})`)
        .run(...values);
      if (changes > 0) this.#counts.set(table, this.count(table) + Number(changes));
    } catch {
      // Of a type that its column does not take, or of a job that is lost.
      this.refused++;
    }
  }

  #columnsOf(table: string): ReadonlySet<string> {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      columns = new Set(this.#target.prepare(`pragma table_info("${table}")`).all().map((row) => String(row.name)));
      this.#columns.set(table, columns);
    }
    return columns;
  }
}
