/**
 * The few calls that the store makes on SQLite, so that another library can
 * stand behind them. This one is `node:sqlite`, built into the runtime.
 *
 * Three traps of it are kept in here: numbers bind as REAL (STRICT integer columns
 * convert them losslessly), and only errors of prepared statements carry SQLite's
 * own code, so that everything, BEGIN included, goes through `prepare`. And a
 * number beyond 2^53 in a row makes reading throw, so that one damaged row would
 * make a table unreadable: such a row is read with the nearest number there is.
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isTooLarge } from "./errors.ts";

export type SqlValue = null | number | string | Uint8Array;
export type Row = Record<string, SqlValue>;

export interface Statement {
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): { changes: number; lastInsertRowid: number };
}

export interface Driver {
  /** Statements are cached by their text: preparing costs five times as much as running. */
  prepare(sql: string): Statement;
  /** Runs several statements; errors carry no code. */
  exec(sql: string): void;
  readonly isTransaction: boolean;
  close(): void;
}

export interface DriverOptions {
  readonly busyTimeoutMs: number;
  /** Then even closing as the last one changes nothing: no checkpoint. Default: false. */
  readonly readOnly?: boolean;
}

/**
 * A file may come from anywhere: its schema may call nothing that reaches outside, its pages are checked before they
 * are believed, and no statement can write to the schema tables themselves.
 */
function harden(database: DatabaseSync): void {
  database.exec("pragma trusted_schema = off; pragma cell_size_check = on");
  // The types do not know it yet; another runtime may lack it.
  (database as DatabaseSync & { enableDefensive?: (isOn: boolean) => void }).enableDefensive?.(true);
}

/** Opens the file, which must exist, or `:memory:`. */
export function openDriver(path: string, options: DriverOptions): Driver {
  const database = new DatabaseSync(path, { timeout: options.busyTimeoutMs, readOnly: options.readOnly ?? false });
  harden(database);
  const cache = new Map<string, Statement>();
  return {
    prepare(sql) {
      let statement = cache.get(sql);
      if (statement === undefined) {
        statement = tolerant(database.prepare(sql), sql);
        cache.set(sql, statement);
      }
      return statement;
    },
    exec: (sql) => database.exec(sql),
    get isTransaction() {
      return database.isTransaction;
    },
    close: () => database.close(),
  };
}

/** Statements that only read: they can simply be run again. */
const READS = /^(?:\s|--.*\n)*(?:select\b|with\b(?![^]*\b(?:insert|update|delete)\b))/i;

function tolerant(statement: StatementSync, sql: string): Statement {
  const plain = statement as unknown as Statement;
  if (!READS.test(sql)) return plain;
  const again = <T>(error: unknown, read: () => T): T => {
    if (!isTooLarge(error)) throw error;
    statement.setReadBigInts(true);
    try {
      return read();
    } finally {
      statement.setReadBigInts(false);
    }
  };
  return {
    get(...values) {
      try {
        return plain.get(...values);
      } catch (error) {
        return again(error, () => bounded(plain.get(...values)));
      }
    },
    all(...values) {
      try {
        return plain.all(...values);
      } catch (error) {
        return again(error, () => plain.all(...values).map((row) => bounded(row)!));
      }
    },
    run: (...values) => plain.run(...values),
  };
}

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** A row whose numbers were read as bigints. */
function bounded(row: Record<string, SqlValue | bigint> | undefined): Row | undefined {
  if (row === undefined) return undefined;
  const values = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" ? Number(value > MOST ? MOST : value < -MOST ? -MOST : value) : value,
  ]);
  return Object.fromEntries(values);
}
