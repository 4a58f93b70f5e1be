/**
 * Bytes that are read once and needed again: kept in memory while they are
 * few, else in a file that nobody else can see.
 *
 * The file is unlinked as soon as it is open, so that it is gone with its
 * process, however that ends.
 * @module
 */
import { quoted, StoreUnavailableError } from "../core/errors.ts";

/** Kept in memory up to this; most batches are smaller. */
const MEMORY_BYTES = 8 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

export interface SpoolOptions {
  /** Tried in this order; the first in which a file can be made takes it. */
  readonly folders: readonly string[];
  /** Default: 8 MiB. */
  readonly memoryBytes?: number;
}

export class Spool implements Disposable {
  readonly #options: SpoolOptions;
  readonly #pieces: Uint8Array[] = [];
  #file: Deno.FsFile | undefined;
  #length = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes must not be changed afterwards. @throws {StoreUnavailableError} when there is no room for them. */
  append(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#file === undefined) {
      this.#pieces.push(bytes);
      if (this.#length <= (this.#options.memoryBytes ?? MEMORY_BYTES)) return;
      this.#file = privateFile(this.#options.folders);
      for (const piece of this.#pieces.splice(0)) writeAll(this.#file, piece);
      return;
    }
    writeAll(this.#file, bytes);
  }

  /** Everything from the beginning, in pieces; may be asked for again. */
  *pieces(): Generator<Uint8Array> {
    if (this.#file === undefined) {
      yield* this.#pieces;
      return;
    }
    this.#file.seekSync(0, Deno.SeekMode.Start);
    while (true) {
      const piece = new Uint8Array(READ_BYTES);
      const length = this.#file.readSync(piece);
      if (length === null) return;
      yield piece.subarray(0, length);
    }
  }

  [Symbol.dispose](): void {
    this.#file?.close();
    this.#file = undefined;
    this.#pieces.length = 0;
  }
}

function privateFile(folders: readonly string[]): Deno.FsFile {
  let trouble: unknown;
  for (const dir of folders) {
    try {
      // Made with mode 0600.
      const path = Deno.makeTempFileSync({ dir, prefix: "spool-" });
      const file = Deno.openSync(path, { read: true, write: true });
      Deno.removeSync(path);
      return file;
    } catch (error) {
      trouble ??= error;
    }
  }
  throw noRoom(trouble, folders[0]);
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  try {
    for (let rest = bytes; rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
  } catch (error) {
    throw noRoom(error);
  }
}

function noRoom(cause: unknown, folder?: string): StoreUnavailableError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = /ENOSPC|No space left|quota/i.test(message) ? "the disk is full" : message;
  const where = folder === undefined ? "" : ` in ${quoted(folder)}`;
  return new StoreUnavailableError(`Cannot keep the input in a file of its own${where}: ${reason}`, {
    hint: "set TMPDIR to a folder with more room",
    cause,
  });
}
