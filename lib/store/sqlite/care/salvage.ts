/**
 * Reads what can still be read of a damaged database into a new one.
 *
 * In three steps, on a copy with its log applied, so that the original stays
 * as it is: rows with numbers range by range, which gets around any damaged
 * page that no other hangs below; rows without from both ends, which gets
 * around one; then jobs and runs from the pages themselves, for what no page
 * leads to any more. What was on the damaged pages themselves is gone, unless a
 * backup has it. The constraints of the new schema refuse what makes no sense.
 * @module
 */
import { dirname } from "@std/path/posix/dirname";
import { NotFoundError, quotedPath, StoreUnavailableError } from "../../../core/errors.ts";
import type { Salvaged } from "../../care.ts";
import { exists, unwritable } from "../copy.ts";
import { type Driver, openDriver, type Row, type SqlValue } from "../driver.ts";
import { isDamaged, isDiskFull } from "../errors.ts";
import { TALLY_PREFIX } from "../record_run.ts";
import { type Reading, readTable, type Table, tablesOf } from "./damaged_tables.ts";
import { rowsOfPages } from "./database_pages.ts";
import { OF_A_MOMENT } from "./fresh_schema.ts";
import { publishNew, settleCopy } from "./staging.ts";

/** Before those that refer to them. */
const FIRST = ["jobs", "runs", "queues"];

export interface SalvageOptions {
  readonly now: number;
  /** A checked backup, for what cannot be read any more. */
  readonly backup?: string | undefined;
  /** Makes an empty database of the present schema. */
  readonly create: (path: string) => Promise<void>;
}

export async function salvage(path: string, file: string, options: SalvageOptions): Promise<Salvaged> {
  if (!exists(path)) throw new NotFoundError(`No database ${quotedPath(path)}`, { hint: "queuectl --db PATH doctor" });
  return await publishNew(file, async (staging) => {
    await options.create(staging);
    const folder = Deno.makeTempDirSync({ dir: dirname(file), prefix: ".salvage-" });
    try {
      const copy = `${folder}/damaged.db`;
      copyWithLog(path, copy);
      const salvaged = transfer(copy, staging, options.backup);
      if (salvaged.jobs === 0 && salvaged.runs === 0 && salvaged.incomplete.length > 0) {
        throw new StoreUnavailableError(`Cannot salvage ${quotedPath(path)}: no job in it can be read`, {
          hint: "restore a backup: queuectl restore FILE",
        });
      }
      await settleCopy(staging, { now: options.now });
      return salvaged;
    } catch (error) {
      throw isDiskFull(error) ? unwritable(file, error) : error;
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

/** `backup` has what the damaged pages held, as it was then. */
function transfer(copy: string, staging: string, backup: string | undefined): Salvaged {
  const target = openDriver(staging, { busyTimeoutMs: 0 });
  target.prepare("begin immediate").run();
  const writer = new Writer(target);
  const tables = tablesOf(target);
  const incomplete: string[] = [];
  let foundByPage = 0;
  let fromBackup = 0;
  const source = openSource(copy);
  const older = backup === undefined ? undefined : openDriver(backup, { busyTimeoutMs: 0, readOnly: true });
  // Whatever refers to jobs comes after all of them.
  for (const name of [...FIRST, ...[...tables.keys()].filter((table) => !FIRST.includes(table))]) {
    const table = tables.get(name);
    if (table === undefined || OF_A_MOMENT.has(name)) continue;
    const take = (row: Row) => writer.write(name, row);
    const reading = source === undefined ? NOTHING_READ : readTable(source, name, table, take);
    if (!reading.isWhole) {
      incomplete.push(name);
      if (name === "runs" && source !== undefined) readRunsByJob(source, target, writer);
      const before = writer.count(name);
      if (name === "jobs" || name === "runs") readPages(Deno.readFileSync(copy), name, table, writer);
      if (name === "jobs") foundByPage = writer.count(name) - before;
    }
    if (older === undefined) continue;
    if (name === "jobs") fromBackup = takeLostJobs(older, reading.lost, writer);
    // What belongs to a job that is not there is refused by its reference.
    else if (!reading.isWhole || fromBackup > 0) readTable(older, name, table, take);
  }
  source?.close();
  older?.close();
  target.exec(
    "insert into queues (name, created_at) select distinct queue, 0 from jobs where true on conflict do nothing",
  );
  target.prepare("commit").run();
  target.close();
  return {
    jobs: writer.count("jobs"),
    runs: writer.count("runs"),
    foundByPage,
    fromBackup,
    refused: writer.refused,
    incomplete,
  };
}

const NOTHING_READ: Reading = { isWhole: false, lost: [] };

/** Only those that were on damaged pages: what is missing for another reason was removed since the backup. */
function takeLostJobs(older: Driver, lost: readonly number[], writer: Writer): number {
  const before = writer.count("jobs");
  for (const seq of lost) {
    const row = older.prepare("select * from jobs where seq = ?").get(seq);
    if (row !== undefined) writer.write("jobs", row);
  }
  return writer.count("jobs") - before;
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
