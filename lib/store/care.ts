/**
 * Taking care of a store as a whole, also of one that cannot be opened any
 * more: copies, checks, and getting back what can be read.
 *
 * Apart from `Store`, because it works on what is damaged, newer or missing.
 * @module
 */
import type { Actor } from "./store.ts";

export interface StoreCare {
  readonly location: string;
  /** Where everything that belongs to the store lives, beside it. */
  readonly folder: string;
  /** Whether there is anything to care for. */
  exists(): boolean;
  /**
   * Makes a consistent, checked and synced copy while others go on writing.
   * @throws {NotFoundError} when there is no store. {@throws ConflictError} when the file exists, unless `replace`.
   */
  backup(file: string, options: { readonly replace: boolean }): Promise<BackupCopy>;
  /**
   * Looks whether a file can take the place of the store; changes nothing.
   * @throws {NotFoundError} when there is no such file. {@throws StoreUnavailableError} when it is damaged, newer, or not ours.
   */
  inspect(file: string): Promise<BackupCopy>;
  /**
   * Puts a copy of the file in the place of the store, and what was there aside. Jobs that were running when the
   * copy was made are pending again. Nobody may use the store meanwhile: the caller has made sure.
   */
  restore(file: string, options: RestoreOptions): Promise<Restored>;
  /**
   * Reads whatever can still be read, also around damage, into a new store at `file`, and what cannot from a backup,
   * if there is one. Changes nothing else.
   */
  salvage(file: string, options: { readonly now: number; readonly backup?: string | undefined }): Promise<Salvaged>;
  /** Looks at everything that can go wrong with the store itself. With `fix`, mends what is safe. */
  examine(options: { readonly fix: boolean; readonly now: number }): Promise<readonly Check[]>;
  /** What is wrong with the structure of the store, looked at quickly; undefined when nothing is. */
  quickCheck(): Promise<string | undefined>;
}

export interface BackupCopy {
  readonly bytes: number;
  readonly jobs: number;
}

export interface RestoreOptions {
  readonly now: number;
  readonly actor: Actor;
}

export interface Restored extends BackupCopy {
  /** Where the former store is now; undefined when there was none. */
  readonly setAside: string | undefined;
  /** Jobs that were running in the copy and are pending again. */
  readonly released: number;
}

export interface Salvaged {
  readonly jobs: number;
  readonly runs: number;
  /** Of the jobs: those that no index leads to any more, found page by page. */
  readonly foundByPage: number;
  /** Jobs on damaged pages that the backup had, as they were when it was made. */
  readonly fromBackup: number;
  /** Rows that could be read but make no sense. */
  readonly refused: number;
  /** Tables of which not everything could be read. */
  readonly incomplete: readonly string[];
}

/** One thing that was looked at. */
export interface Check {
  /** Short and fixed, for scripts: `integrity`, `permissions`. */
  readonly name: string;
  readonly status: "ok" | "warning" | "error";
  /** One sentence without a period. */
  readonly message: string;
  /** What to do about it: a command, or words. */
  readonly fix?: string;
  /** It was found and mended just now. */
  readonly isFixed?: boolean;
  /** The store cannot be trusted or used as it is. */
  readonly isFatal?: boolean;
}
