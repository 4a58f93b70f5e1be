/**
 * One stream of a run in its file, kept within a limit while the process
 * appends to it, and brought to its final form at the end.
 *
 * Over the limit, half of it is the head, which stays, and half the tail, which
 * moves along. What is between them is cut out in one of two ways:
 *
 * - A hole: the file keeps its length, its middle takes no space. The writer
 *   notices nothing, nothing is lost in between, and what was printed is the
 *   length of the file: the count of dropped bytes is exact.
 * - Where a filesystem knows no holes: the file is truncated to its head, and
 *   the writer goes on behind it, because it appends. What is printed between
 *   the look at the length and the cut is lost uncounted (microseconds), and
 *   the tail of before is kept in memory, 1 MiB at most.
 *
 * At the end the file is replaced by another one: head, a line that tells what
 * is missing, tail. A process that the job left behind still has the first file
 * open and may go on writing to it; nobody sees that any more.
 * @module
 */
import { openExisting } from "../host/own_file.ts";
import { type Cut, cutPath, droppedLine, newPath, writeCut } from "../operations/output_files.ts";
import { punchHole } from "./hole.ts";

/** What the store keeps of the end of each stream. */
export const TAIL_BYTES = 64 * 1024;
/** Of the tail that is kept in memory where there are no holes. */
const MAX_SAVED_BYTES = 1024 * 1024;
const COPY_BYTES = 256 * 1024;

export interface SettledStream {
  /** For the store: the end of it, or all of it. */
  readonly tail: Uint8Array | null;
  /** All that was printed. */
  readonly bytes: number;
  readonly dropped: number;
}

const NOTHING: SettledStream = { tail: null, bytes: 0, dropped: 0 };

export interface LimitedStreamOptions {
  readonly limitBytes: () => number;
  /** Default: `punchHole`. Returns false where it cannot. */
  readonly punch?: typeof punchHole;
  /** What to do with the file when it is not needed. Default: remove it. */
  readonly discard?: (path: string) => void;
}

export class LimitedStream {
  readonly path: string;
  readonly #options: LimitedStreamOptions;
  #cut: Cut | undefined;
  /** Set once holes turned out not to work: the end of what was cut off last. */
  #saved: Uint8Array | undefined;
  #isFileNeeded = false;
  /** Printed, but never in the file. */
  #lost = 0;

  constructor(path: string, options: LimitedStreamOptions) {
    this.path = path;
    this.#options = options;
  }

  /** Cuts the file when it is over the limit. Returns how much was printed so far. Never throws. */
  look(): number {
    try {
      const size = this.#lookAtSize();
      const limit = this.#options.limitBytes();
      const printed = this.#printed(size);
      if ((this.#cut?.head ?? 0) + size - (this.#cut?.position ?? 0) > limit) this.#cutMiddle(printed, limit);
      return printed;
    } catch {
      // Not there yet, or out of reach; a job does not fail because of its output.
      return 0;
    }
  }

  /** So many bytes that were printed could not be written: a full disk. They count as dropped. */
  lose(bytes: number): void {
    this.#lost += bytes;
  }

  /** To be called once, when the process has ended. Never throws. */
  async settle(): Promise<SettledStream> {
    const { tail, bytes, dropped } = await this.#settleFile();
    return { tail, bytes: counted(bytes + this.#lost), dropped: counted(dropped + this.#lost) };
  }

  async #settleFile(): Promise<SettledStream> {
    try {
      const limit = this.#options.limitBytes();
      const size = this.#lookAtSize();
      const printed = this.#printed(size);
      if (size === 0 && this.#cut === undefined) return NOTHING;
      if (this.#cut === undefined && size <= Math.min(limit, TAIL_BYTES)) {
        // Exactly these: a process that was left behind may be writing more.
        const tail = readRange(this.path, 0, size);
        return { tail, bytes: tail.length, dropped: 0 };
      }
      this.#isFileNeeded = true;
      if (this.#cut === undefined && size <= limit) return await this.#keepWhole(size);
      try {
        return await this.#keepHeadAndTail(size, { printed, limit });
      } catch {
        // No space to write it anew: it stays as it is.
        removeQuietly(newPath(this.path));
        const tail = readRange(this.path, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
        return { tail, bytes: printed, dropped: this.#cut === undefined ? 0 : this.#cut.resume - this.#cut.head };
      }
    } catch {
      // Gone (the process never started) or out of reach: there is nothing to keep.
      return NOTHING;
    }
  }

  /** To be called when the result is stored: takes away what the store has whole. */
  letGo(): void {
    if (!this.#isFileNeeded) (this.#options.discard ?? removeQuietly)(this.path);
  }

  /** A job can empty its own output (`: > /dev/stdout`): then nothing is missing from what it prints afterwards. */
  #lookAtSize(): number {
    const size = sizeOf(this.path);
    if (this.#cut !== undefined && size < this.#cut.position) {
      this.#cut = undefined;
      this.#saved = undefined;
      removeQuietly(cutPath(this.path));
    }
    return size;
  }

  #printed(size: number): number {
    return this.#cut === undefined ? size : size - this.#cut.position + this.#cut.resume;
  }

  #cutMiddle(printed: number, limit: number): void {
    const half = Math.floor(limit / 2);
    const head = this.#cut?.head ?? half;
    if (this.#saved === undefined) {
      // Readers are told first: what they read before was still there.
      const cut = { head, resume: printed - half, position: printed - half };
      tell(this.path, cut);
      const punch = this.#options.punch ?? punchHole;
      if (punch(this.path, head, cut.resume - head)) {
        this.#cut = cut;
        return;
      }
    }
    tell(this.path, "changing");
    const size = sizeOf(this.path);
    const old = this.#cut?.position ?? head;
    const length = Math.min(half, MAX_SAVED_BYTES);
    const fresh = readRange(this.path, Math.max(old, size - length), length);
    const last = sizeOf(this.path);
    Deno.truncateSync(this.path, head);
    this.#saved = joined(this.#saved ?? new Uint8Array(), fresh, length);
    this.#cut = { head, resume: this.#printed(last), position: head };
    tell(this.path, this.#cut);
  }

  /** All of it fits: a file of its own, which the processes of the job do not have open. */
  async #keepWhole(size: number): Promise<SettledStream> {
    const tail = readRange(this.path, size - Math.min(size, TAIL_BYTES), TAIL_BYTES);
    try {
      removeQuietly(newPath(this.path));
      await Deno.copyFile(this.path, newPath(this.path));
      Deno.truncateSync(newPath(this.path), size);
      Deno.renameSync(newPath(this.path), this.path);
    } catch {
      // No space for a second one: the first is as good, as long as nobody writes to it.
      removeQuietly(newPath(this.path));
    }
    return { tail, bytes: size, dropped: 0 };
  }

  /** Copied piece by piece: with a limit of gigabytes that takes a while, and other jobs are to be cared for meanwhile. */
  async #keepHeadAndTail(size: number, { printed, limit }: { printed: number; limit: number }): Promise<SettledStream> {
    const half = Math.floor(limit / 2);
    const head = Math.min(this.#cut?.head ?? half, half);
    const from = Math.max(this.#cut?.position ?? 0, size - half);
    const saved = joined(this.#saved ?? new Uint8Array(), new Uint8Array(), half - (size - from));
    const tailBytes = saved.length + size - from;
    const dropped = printed - head - tailBytes;
    const line = new TextEncoder().encode(droppedLine(dropped));
    {
      using source = openExisting(this.path, { read: true });
      removeQuietly(newPath(this.path));
      using target = Deno.openSync(newPath(this.path), { write: true, createNew: true, mode: 0o600 });
      await copyRange(source, target, 0, head);
      writeAll(target, line);
      writeAll(target, saved);
      await copyRange(source, target, from, size - from);
    }
    tell(this.path, "changing");
    Deno.renameSync(newPath(this.path), this.path);
    tell(this.path, { head, resume: printed - tailBytes, position: head + line.length });
    const length = head + line.length + tailBytes;
    return { tail: readRange(this.path, Math.max(0, length - TAIL_BYTES), TAIL_BYTES), bytes: printed, dropped };
  }
}

/** A job can make its output as long as it likes (`truncate -s 4E /dev/stdout`): longer than a number can tell. */
function counted(bytes: number): number {
  return Math.min(Math.max(0, bytes), Number.MAX_SAFE_INTEGER);
}

/** Where even this cannot be written (a full disk), readers see zeros until the run has ended. */
function tell(path: string, cut: Cut | "changing"): void {
  try {
    writeCut(path, cut);
  } catch {
    removeQuietly(newPath(cutPath(path)));
  }
}

/** The last `length` bytes of both. */
function joined(first: Uint8Array, second: Uint8Array, length: number): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all.slice(Math.max(0, all.length - Math.max(0, length)));
}

/** @throws when there is no such file, or the job put something else in its place. */
function sizeOf(path: string): number {
  const { isFile, size } = Deno.lstatSync(path);
  if (!isFile) throw new Error(`${path} is not a file`);
  return size;
}

function readRange(path: string, start: number, length: number): Uint8Array {
  using file = openExisting(path, { read: true });
  file.seekSync(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.slice(0, filled);
}

async function copyRange(source: Deno.FsFile, target: Deno.FsFile, start: number, length: number): Promise<void> {
  source.seekSync(start, Deno.SeekMode.Start);
  const buffer = new Uint8Array(Math.max(0, Math.min(length, COPY_BYTES)));
  for (let left = length; left > 0;) {
    const count = await source.read(buffer.subarray(0, Math.min(left, buffer.length)));
    if (count === null) break;
    for (let written = 0; written < count;) written += await target.write(buffer.subarray(written, count));
    left -= count;
  }
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Already gone, or pruning will get it: not worth failing a job.
  }
}
