/**
 * Reads what can still be read of a damaged database into a new one.
 *
 * In three steps, on a copy with its log applied, so that the original stays
 * as it is: rows with numbers range by range, which gets around any damaged
 * page that no other hangs below; rows without from both ends, which gets
 * around one; then jobs and runs from the pages themselves, for what no page
 * leads to any more. The constraints of the new schema refuse what makes no sense.
 * @module
 */
import { NotFoundError, quotedPath, StoreUnavailableError } from "../../../core/errors.ts";
import type { Salvaged } from "../../care.ts";
import { exists, folderOf } from "../copy.ts";
import { type Driver, openDriver, type Row, type SqlValue } from "../driver.ts";
import { isDamaged } from "../errors.ts";
import { TALLY_PREFIX } from "../record_run.ts";
import { rowsOfPages } from "./database_pages.ts";
import { publishNew, settleCopy } from "./staging.ts";

/** What is of a moment, and must not come back: who works, and who holds a duty. */
const LEFT_OUT: ReadonlySet<string> = new Set(["workers", "leases"]);

/** Before those that refer to them. */
const FIRST = ["jobs", "runs", "queues"];

/** Rows read in one statement. */
const RANGE = 1_024;

/** More than hang below one damaged page that is next to the leaves. */
const HOPELESS = 5_000;

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
  const incomplete: string[] = [];
  let foundByPage = 0;
  const source = openSource(copy);
  // Whatever refers to jobs comes after all of them.
  for (const name of [...FIRST, ...[...tables.keys()].filter((table) => !FIRST.includes(table))]) {
    const table = tables.get(name);
    if (table === undefined || LEFT_OUT.has(name)) continue;
    if (source !== undefined && readTable(source, name, table, writer)) continue;
    incomplete.push(name);
    if (name === "runs" && source !== undefined) readRunsByJob(source, target, writer);
    const before = writer.count(name);
    if (name === "jobs" || name === "runs") readPages(Deno.readFileSync(copy), name, table, writer);
    if (name === "jobs") foundByPage = writer.count(name) - before;
  }
  source?.close();
  target.exec(
    "insert into queues (name, created_at) select distinct queue, 0 from jobs where true on conflict do nothing",
  );
  target.prepare("commit").run();
  target.close();
  return {
    jobs: writer.count("jobs"),
    runs: writer.count("runs"),
    foundByPage,
    refused: writer.refused,
    incomplete,
  };
}

/** Undefined when not even the list of its tables can be read. */
function openSource(copy: string): Driver | undefined {
  let source: Driver | undefined;
  try {
    source = openDriver(copy, { busyTimeoutMs: 0 });
    source.prepare("pragma query_only = 1").get();
    source.prepare("select 1 from jobs where seq = 0").get();
    return source;
  } catch (error) {
    if (isDamagedTable(error)) return source;
    source?.close();
    return undefined;
  }
}

/** The table is there and damaged, in contrast to the list of tables. */
function isDamagedTable(error: unknown): boolean {
  return isDamaged(error) && !(error instanceof Error && /schema|not a database/.test(error.message));
}

interface Column {
  readonly name: string;
  /** Place within the primary key, from 1; 0 when it is not part of it. */
  readonly pk: number;
}

interface Table {
  readonly columns: readonly Column[];
  /** Its rows have numbers, by which they lie in the file. */
  readonly hasRowid: boolean;
}

type Tables = ReadonlyMap<string, Table>;

function tablesOf(target: Driver): Tables {
  const found = target.prepare("select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
  return new Map(
    found.all().map(({ name, sql }) => {
      const columns = target.prepare(`pragma table_info("${String(name)}")`).all()
        .map((row) => ({ name: String(row.name), pk: Number(row.pk) }));
      return [String(name), { columns, hasRowid: !/without rowid/i.test(String(sql)) }];
    }),
  );
}

/** True when all of it was read. */
function readTable(source: Driver, name: string, table: Table, writer: Writer): boolean {
  return table.hasRowid ? readByNumber(source, name, writer) : readFromBothEnds(source, name, table, writer);
}

/**
 * Range by range; one with damage in it is halved until only the damage is left out. Where that is very much, below
 * a page high up in the tree, only one number of each range is tried.
 */
function readByNumber(source: Driver, name: string, writer: Writer): boolean {
  const statement = source.prepare(`select * from "${name}" where rowid >= ? and rowid < ? order by rowid`);
  let isWhole = true;
  /** How many could not be read, one after the other. */
  let fruitless = 0;
  const read = (from: number, to: number): boolean => {
    try {
      for (const row of statement.all(from, to)) writer.write(name, row);
      fruitless = 0;
      return true;
    } catch {
      isWhole = false;
      if (to - from < 2) {
        fruitless++;
        return false;
      }
      if (fruitless > HOPELESS && !read(from, from + 1)) return false;
      const middle = from + Math.floor((to - from) / 2);
      const isAnyRead = read(from, middle);
      return read(middle, to) || isAnyRead;
    }
  };
  const last = lastRow(source, name);
  for (let from = 1; from <= last; from += RANGE) read(from, from + RANGE);
  return isWhole;
}

/** Along the tree by its key, from its beginning and, where that meets damage, from its end. */
function readFromBothEnds(source: Driver, name: string, { columns }: Table, writer: Writer): boolean {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk).map((column) => column.name);
  return walk(source, { name, key, isForward: true }, writer) ||
    (walk(source, { name, key, isForward: false }, writer), false);
}

interface Walk {
  readonly name: string;
  readonly key: readonly string[];
  readonly isForward: boolean;
}

/** True when it came to the end. Fewer rows at a time as it nears the damage. */
function walk(source: Driver, { name, key, isForward }: Walk, writer: Writer): boolean {
  const quotedKey = key.map((column) => `"${column}"`).join(", ");
  const order = key.map((column) => `"${column}" ${isForward ? "asc" : "desc"}`).join(", ");
  const places = key.map(() => "?").join(", ");
  let limit = RANGE;
  let last: SqlValue[] | undefined;
  while (true) {
    const where = last === undefined ? "" : `where (${quotedKey}) ${isForward ? ">" : "<"} (${places})`;
    try {
      const rows = source.prepare(`select * from "${name}" ${where} order by ${order} limit ${limit}`).all(
        ...last ?? [],
      );
      for (const row of rows) writer.write(name, row);
      const end = rows.at(-1);
      if (end === undefined || rows.length < limit) return true;
      last = key.map((column) => end[column] ?? null);
    } catch {
      if (limit === 1) return false;
      limit = Math.ceil(limit / 2);
    }
  }
}

/** Of a table whose last row cannot be found, so many numbers are tried. */
const TRIED = 1_000_000;

function lastRow(source: Driver, name: string): number {
  if (name === "jobs") return lastJob(source);
  try {
    return Number(source.prepare(`select max(rowid) as n from "${name}"`).get()?.n ?? 0);
  } catch {
    return TRIED;
  }
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
function readPages(bytes: Uint8Array, name: "jobs" | "runs", { columns, hasRowid }: Table, writer: Writer): void {
  // Without row numbers, a table is stored with its primary key first.
  const stored = hasRowid ? columns : [
    ...columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk),
    ...columns.filter(({ pk }) => pk === 0),
  ];
  for (const { kind, rowid, values } of rowsOfPages(bytes, new Set([columns.length]))) {
    if (hasRowid !== (kind === "table")) continue;
    const row: Row = Object.fromEntries(stored.map((column, i) => [column.name, values[i] ?? null]));
    writer.write(name, name === "jobs" ? { ...row, seq: rowid } : row);
  }
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
