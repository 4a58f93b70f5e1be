/**
 * What every command gets: the streams, the clock, the store when asked for,
 * and how the user wants to see things. `run.ts` makes it and puts it away.
 * @module
 */
import type { Clock } from "../core/clock.ts";
import type { Settings } from "../config/load_settings.ts";
import type { Store } from "../store/store.ts";

export type Format = "table" | "json" | "ndjson" | "plain";

/** How the store is opened: `read` never makes or migrates a database. */
export type StoreMode = "read" | "write" | "work";

export interface Context {
  /** Global options, already read from the command line and the environment. */
  readonly format: Format;
  /** Colour on stdout; `colorErr` on stderr. Only on terminals, and not with NO_COLOR. */
  readonly color: boolean;
  readonly colorErr: boolean;
  readonly isTerminal: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly clock: Clock;
  readonly env: (name: string) => string | undefined;
  /**
   * Writes text to stdout; what would drive a terminal is made visible. A closed pipe ends the program quietly.
   * With `isStyled` the styles of `color.ts` stay: for pages whose data was made visible before it was painted.
   */
  write(text: string, options?: { readonly isStyled?: boolean }): void;
  /** Writes to stdout byte for byte: only what was made to be exact, or is safe already. */
  writeBytes(bytes: Uint8Array): void;
  /** Writes one line without styles to stdout. It stays one line. */
  print(line: string): void;
  /** Writes one line to stderr, unless --quiet: progress, hints, what was done. It stays one line. */
  note(line: string): void;
  /** Writes one `queuectl: warning: ...` line to stderr, also with --quiet. */
  warn(line: string): void;
  /** The database the user means: --db, QUEUECTL_DB, or the usual place. */
  readonly dbPath: string;
  /** Only what --db said. */
  readonly dbFlag: string | undefined;
  /** Opens the store on first use; `run.ts` closes it. Later calls give the same store. */
  store(mode: StoreMode): Promise<Store>;
  /** Settings as they hold now: flag > environment > store > default. Opens the store for reading if need be. */
  settings(): Promise<Settings>;
}
