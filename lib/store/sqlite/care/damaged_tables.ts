/**
 * Reads the tables of a damaged database around the damage: rows with numbers
 * range by range, rows without from both ends.
 *
 * Not by iterating: in this runtime an iteration that meets damage ends as if
 * there were no more rows.
 * @module
 */
import type { Driver, Row, SqlValue } from "../driver.ts";

/** Rows read in one statement. */
const RANGE = 1_024;

/** More than hang below one damaged page that is next to the leaves. */
const HOPELESS = 5_000;

export interface Column {
  readonly name: string;
  /** Place within the primary key, from 1; 0 when it is not part of it. */
  readonly pk: number;
}

export interface Table {
  readonly columns: readonly Column[];
  /** Its rows have numbers, by which they lie in the file. */
  readonly hasRowid: boolean;
}

export type Tables = ReadonlyMap<string, Table>;

export function tablesOf(target: Driver): Tables {
  const found = target.prepare("select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%'");
  return new Map(
    found.all().map(({ name, sql }) => {
      const columns = target.prepare(`pragma table_info("${String(name)}")`).all()
        .map((row) => ({ name: String(row.name), pk: Number(row.pk) }));
      return [String(name), { columns, hasRowid: !/without rowid/i.test(String(sql)) }];
    }),
  );
}

export interface Reading {
  readonly isWhole: boolean;
  /** Numbers at which there may be a row that could not be read. */
  readonly lost: readonly number[];
}

/** Hands over every row that can be read. */
export function readTable(source: Driver, name: string, table: Table, take: (row: Row) => void): Reading {
  return table.hasRowid ? readByNumber(source, name, take) : readFromBothEnds(source, name, table, take);
}

/**
 * Range by range; one with damage in it is halved until only the damage is left out. Where that is very much, below
 * a page high up in the tree, only one number of each range is tried.
 */
function readByNumber(source: Driver, name: string, take: (row: Row) => void): Reading {
  const statement = source.prepare(`select * from "${name}" where rowid >= ? and rowid < ? order by rowid`);
  const lost: number[] = [];
  /** How many could not be read, one after the other. */
  let fruitless = 0;
  const read = (from: number, to: number): boolean => {
    try {
      for (const row of statement.all(from, to)) take(row);
      fruitless = 0;
      return true;
    } catch {
      if (to - from < 2) {
        fruitless++;
        lost.push(from);
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
  return { isWhole: lost.length === 0, lost };
}

/** Along the tree by its key, from its beginning and, where that meets damage, from its end. */
function readFromBothEnds(source: Driver, name: string, { columns }: Table, take: (row: Row) => void): Reading {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk).map((column) => column.name);
  const isWhole = walk(source, { name, key, isForward: true }, take);
  if (!isWhole) walk(source, { name, key, isForward: false }, take);
  return { isWhole, lost: [] };
}

interface Walk {
  readonly name: string;
  readonly key: readonly string[];
  readonly isForward: boolean;
}

/** True when it came to the end. Fewer rows at a time as it nears the damage. */
function walk(source: Driver, { name, key, isForward }: Walk, take: (row: Row) => void): boolean {
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
      for (const row of rows) take(row);
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
