/**
 * Reads one stream of a run from its file, piece by piece and only once, while
 * a process appends to it and the worker may cut its middle out.
 *
 * Positions are counted in bytes that were printed, so that they hold whatever
 * happens to the file. What is missing is told before and looked at again
 * after each read: bytes that were read while the file changed are dropped and
 * read anew.
 * @module
 */
import { NotAFileError, openExisting } from "../host/own_file.ts";
import { type Cut, isSameCut, readCut } from "./output_files.ts";

export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many bytes that were printed before these are not kept. */
  readonly dropped: number;
}

const PIECE_BYTES = 64 * 1024;

export class StreamReader {
  readonly #path: string;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** How far it has read, dropped bytes included. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * What comes next, and not beyond `end`. `none`: nothing yet; `missing`: there is no file; `changing`: the file
   * is being rewritten at this moment.
   */
  next(end: number = Infinity): Piece | "none" | "missing" | "changing" {
    let file: Deno.FsFile;
    try {
      file = openExisting(this.#path, { read: true });
    } catch (error) {
      // A job can put a link in the place of its own output; what that leads to is no output.
      if (error instanceof Deno.errors.NotFound || error instanceof NotAFileError) return "missing";
      throw error;
    }
    using _ = file;
    const cut = readCut(this.#path);
    if (cut === "changing") return cut;
    const isInGap = cut !== undefined && this.#offset >= cut.head && this.#offset < cut.resume;
    const from = isInGap ? cut.resume : this.#offset;
    const bytes = readAt(file, positionOf(from, cut), Math.min(PIECE_BYTES, end - from, roomAt(from, cut)));
    // Between finding and opening it, it may have been replaced, or taken for another run.
    const named = inodeOf(this.#path);
    if (named !== file.statSync().ino) return named === undefined ? "missing" : "changing";
    // What was opened may be the file of before, and what was read may be part of a hole that was made meanwhile.
    if (!isSameCut(cut, readCut(this.#path))) return "changing";
    const dropped = from - this.#offset;
    if (bytes.length === 0 && dropped === 0) return "none";
    this.#offset = from + bytes.length;
    return { bytes, dropped };
  }

  /** How much was printed so far; 0 when that cannot be told at this moment. */
  printed(): number {
    try {
      const cut = readCut(this.#path);
      const { size } = Deno.lstatSync(this.#path);
      if (cut === "changing") return 0;
      return cut === undefined ? size : cut.resume + size - cut.position;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return 0;
      throw error;
    }
  }

  /** Continues at this byte; what is before it counts as read. */
  skipTo(offset: number): void {
    this.#offset = offset;
  }
}

function inodeOf(path: string): number | null | undefined {
  try {
    return Deno.lstatSync(path).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function positionOf(offset: number, cut: Cut | undefined): number {
  return cut === undefined || offset < cut.head ? offset : cut.position + offset - cut.resume;
}

/** How much can be read in one go before bytes are missing. */
function roomAt(offset: number, cut: Cut | undefined): number {
  return cut !== undefined && offset < cut.head ? cut.head - offset : Infinity;
}

function readAt(file: Deno.FsFile, position: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, length));
  if (bytes.length > 0) file.seekSync(position, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
