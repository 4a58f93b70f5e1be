/**
 * A file to which lines are added and which never grows beyond a size: it then
 * becomes `NAME.1`, what was that `NAME.2`, and the oldest is gone.
 *
 * Several processes may write to one file. Each line is one write at its end,
 * so lines do not mix; who rotates holds a lock on the file itself, and the
 * others notice within a moment that its name leads to another one.
 * @module
 */
import { dirname } from "@std/path/posix/dirname";
import { openOwnFile } from "../host/own_file.ts";
import { ownFolder } from "../host/own_folder.ts";

/** Size of one file, and how many there are, the one that is written included. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_FILES = 5;

/** How often it is asked whether the file is still the right one: a line more or less in the old one does no harm. */
const LOOK_EVERY_MS = 100;

export interface RotationLimits {
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** Names of the files that make up one log, the oldest first; some may not exist. */
export function rotatedPaths(path: string, maxFiles = MAX_FILES): readonly string[] {
  const older = Array.from({ length: maxFiles - 1 }, (_, i) => `${path}.${maxFiles - 1 - i}`);
  return [...older, path];
}

export class RotatingFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  readonly #encoder = new TextEncoder();
  #file: Deno.FsFile | undefined;
  #lookedAt = -Infinity;

  constructor(path: string, { maxBytes = MAX_BYTES, maxFiles = MAX_FILES }: RotationLimits = {}) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#maxFiles = maxFiles;
  }

  /** Adds text that ends with a newline. @throws when it cannot be written. */
  append(text: string): void {
    try {
      this.#lookAround();
      this.#file ??= this.#open();
      let rest = this.#encoder.encode(text);
      while (rest.length > 0) rest = rest.subarray(this.#file.writeSync(rest));
    } catch (error) {
      // Whatever it was, a new file may do better.
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  /** Leaves a file that was renamed or removed, and rotates one that is full. */
  #lookAround(): void {
    const now = performance.now();
    if (this.#file !== undefined && now - this.#lookedAt < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    if (this.#file !== undefined && !this.#isCurrent()) this.close();
    this.#file ??= this.#open();
    if (this.#file.statSync().size >= this.#maxBytes) this.#rotate();
  }

  #open(): Deno.FsFile {
    ownFolder(dirname(this.#path));
    return openOwnFile(this.#path, { append: true });
  }

  #isCurrent(): boolean {
    try {
      const [named, opened] = [Deno.lstatSync(this.#path), this.#file?.statSync()];
      return named.ino === opened?.ino && named.dev === opened.dev;
    } catch {
      return false;
    }
  }

  #rotate(): void {
    // Somebody else is at it: this line still goes to the old file.
    if (this.#file?.tryLockSync(true) !== true) return;
    if (this.#isCurrent()) {
      const paths = rotatedPaths(this.#path, this.#maxFiles);
      for (let i = 1; i < paths.length; i++) renameIfThere(paths[i]!, paths[i - 1]!);
    }
    // The lock goes with it.
    this.close();
    this.#file = this.#open();
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    Deno.renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
