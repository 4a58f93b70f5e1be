/**
 * What a command is: one object of plain data. Parsing, help, completions and
 * the README reference all read it, so that they cannot disagree.
 *
 * The code of a command is loaded only when it runs (`load`): start-up pays
 * for one command, not for all.
 * @module
 */
import type { Context } from "./context.ts";

/**
 * What a completion may offer for a value. Behind a colon is what the command
 * does with it: only what it can be done to is offered.
 */
export type Completes =
  | "job"
  | "job:retry"
  | "job:cancel"
  | "job:edit"
  | "job:dead"
  | "job:wait" // unfinished ones first
  | "job:after" // those that have completed, or may
  | "queue"
  | "queue:pause"
  | "queue:resume"
  | "queue:clear"
  | "queue:remove"
  | "state"
  | "state:retry"
  | "state:cancel"
  | "state:final"
  | "backoff"
  | "key-scope"
  | "failure" // kinds of failure in exit rules
  | "setting"
  | "setting:stored"
  | "setting-value" // of the setting before it
  | "file"
  | "directory"
  | "command" // a program of the machine
  | "topic" // a command of queuectl
  | "tag"
  | "batch"
  | "batch:open"
  | "template"
  | "schedule"
  | "pool"
  | "pool:here"; // of this host

/** How the text of a flag is read. `text` is left to the command. */
export type FlagType = "boolean" | "text" | "integer" | "duration" | "choice";

export interface FlagSpec {
  /** Long name without dashes: `max-retries`. */
  readonly name: string;
  /** One letter, for `-q`. */
  readonly short?: string;
  /** Other spellings that are accepted but not shown. */
  readonly aliases?: readonly string[];
  readonly type: FlagType;
  /** Placeholder in help: `N`, `D`, `PATH`. Absent for booleans. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** May be given several times; the values are collected. */
  readonly repeatable?: boolean;
  /** A boolean flag that also has a `--no-NAME` form. */
  readonly negatable?: boolean;
  /** One sentence without a period. */
  readonly summary: string;
  /** Shown in help as `(default: ...)`. */
  readonly default?: string;
  /** Heading under which help lists it, where a command has very many; absent = `Options`. */
  readonly section?: string;
  readonly completes?: Completes;
}

export interface ArgumentSpec {
  /** Shown in usage: `ID`, `KEY`, `COMMAND`. */
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  /** Takes all remaining words. Only on the last argument. */
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export interface ExampleSpec {
  readonly line: string;
  readonly about: string;
}

export interface CommandSpec {
  /** The words typed: `enqueue`, `worker run`, `config set`. */
  readonly name: string;
  /** Other names that are accepted but not shown: `job show` for `show`. */
  readonly aliases?: readonly string[];
  /** Heading under which the overview lists it. */
  readonly group: CommandGroup;
  /** One line without a period. */
  readonly summary: string;
  /** More, below the usage line of its own help. */
  readonly description?: string;
  /** Usage lines without the program's name, where the plain one would not tell the truth. */
  readonly usage?: readonly string[];
  readonly arguments?: readonly ArgumentSpec[];
  /** What follows `--` is taken as a program and its arguments. */
  readonly takesArgv?: boolean;
  readonly flags?: readonly FlagSpec[];
  readonly examples: readonly ExampleSpec[];
  /** Works, but no help, completion or reference shows it. */
  readonly hidden?: boolean;
  /** Exit codes beyond the usual ones, or with a special meaning here. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** What it exits with when it fails itself, whatever the error; absent: what the error says. */
  readonly failureCode?: number;
  readonly load: () => Promise<CommandModule>;
}

/** All commands in help order, and the flags that every one of them takes. */
export interface CommandTable {
  readonly commands: readonly CommandSpec[];
  readonly globalFlags: readonly FlagSpec[];
}

export type CommandGroup =
  | "Jobs"
  | "Dead letters"
  | "Workers"
  | "Queues"
  | "Batches"
  | "Templates"
  | "Looking"
  | "Data"
  | "Settings"
  | "About";

export interface CommandModule {
  /** Does the work; the exit code when it is not 0. */
  run(context: Context, input: Input): Promise<number | void>;
}

/** What the user typed for one command, after parsing against its spec. */
export interface Input {
  readonly spec: CommandSpec;
  /** Positional words, in order. */
  readonly words: readonly string[];
  /** What stood after `--`, when there was a `--`. */
  readonly argv: readonly string[] | undefined;
  /** Long flag name -> parsed value, global flags among them. Only flags that were given are there. */
  readonly flags: ReadonlyMap<string, FlagValue>;
}

/** boolean, text (also choice), number (integer as is, duration in ms), or a list for repeatable flags. */
export type FlagValue = boolean | string | number | readonly string[];
