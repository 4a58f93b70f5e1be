/**
 * The few calls that the store makes on SQLite, so that another library can
 * stand behind them. This one is `node:sqlite`, built into the runtime.
 *
 * Two traps of it are kept in here: numbers bind as REAL (STRICT integer columns
 * convert them losslessly), and only errors of prepared statements carry SQLite's
 * own code, so that everything, BEGIN included, goes through `prepare`.
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";

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
        statement = database.prepare(sql) as StatementSync as unknown as Statement;
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
