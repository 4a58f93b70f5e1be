/**
 * Takes what a process prints through a pipe, and writes it to its file without
 * what is not to be kept. Nothing of that ever reaches a disk.
 *
 * The end of the pipe is no end of the output: a process that the job left
 * behind may hold it open for ever. So we hold it open ourselves, and when the
 * job has ended write a mark into it: what comes before the mark was printed
 * before the job ended, all of it; what comes after it is not ours to wait for.
 * The mark is random, so that no job can write it. One can read it, though, as it
 * can read what it printed: a pipe that is empty without our having seen the mark,
 * or that has given more than it holds, is over, too. A leftover that prints later
 * finds the pipe closed.
 *
 * The pipe is looked at again and again, at once while something comes, after
 * growing pauses when nothing does. While another process searches for patterns
 * nothing is read: a job that prints faster waits, as at any full pipe.
 * @module
 */
import type { Redaction } from "../core/redaction.ts";
import { openOwnFile } from "../host/own_file.ts";
import type { Steps } from "../core/pattern_stage.ts";
import { Redactor } from "../core/redactor.ts";
import { REDACTED } from "../core/spans.ts";
import { fifoPath } from "../operations/output_files.ts";
import { Fifo, PIPE_BYTES } from "./fifo.ts";
import { type LimitedStream, removeQuietly } from "./limited_stream.ts";
import { PatternSearch, type Search } from "./pattern_search.ts";

const READ_BYTES = 64 * 1024;
/** Of one pipe before others have their turn. */
const READS_IN_A_ROW = 16;
const MARK_BYTES = 32;
/** Between two looks at the limit. */
const LOOK_BYTES = 1024 * 1024;
const MIN_PAUSE_MS = 2;
const PAUSE_GROWTH = 1.5;
/** The longest that a job waits whose pipe is full, and whoever watches it. */
const MAX_PAUSE_MS = 50;

/** Both ends of a pipe. */
export type OpenPipe = Pick<Fifo, "read" | "write" | "close">;

export class RedactedPipe {
  /** What the process is to open for writing. */
  readonly path: string;
  readonly #stream: LimitedStream;
  readonly #redactor: Redactor;
  readonly #search: Search;
  readonly #mark = crypto.getRandomValues(new Uint8Array(MARK_BYTES));
  readonly #fifo: OpenPipe;
  readonly #file: Deno.FsFile;
  readonly #buffer = new Uint8Array(READ_BYTES);
  /** So much at the beginning of the buffer was read but not looked at: it may be the beginning of the mark. */
  #held = 0;
  #isEnding = false;
  #isOver = false;
  /** Until patterns have been searched for, and what is left is written. */
  #busy: Promise<void> | undefined;
  #sinceLook = 0;
  #timer: number | undefined;

  /**
   * `open`: default: a named pipe of the system. `search`: default: another process does it.
   * @throws when there can be no pipe, or no file.
   */
  constructor(
    stream: LimitedStream,
    redaction: Redaction,
    { open = (path) => new Fifo(path), search = new PatternSearch(redaction.patterns) }: {
      open?: (path: string) => OpenPipe;
      search?: Search;
    } = {},
  ) {
    this.path = fifoPath(stream.path);
    this.#stream = stream;
    this.#redactor = new Redactor(redaction);
    this.#search = search;
    let fifo: OpenPipe | undefined;
    try {
      fifo = this.#fifo = open(this.path);
      this.#file = openOwnFile(stream.path, { append: true });
    } catch (error) {
      fifo?.close();
      this.hide();
      throw error;
    }
    this.#readAfter(MIN_PAUSE_MS);
  }

  /** To be called when the process has opened it: no other one can, then. */
  hide(): void {
    removeQuietly(this.path);
  }

  /** To be called when the process has ended. Returns when all that it printed is in the file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isEnding = true;
    this.#search.hurry();
    let isMarked = false;
    for (let sinceMark = 0; !this.#isOver;) {
      await this.#busy;
      // Room for it comes by reading, when the pipe is full.
      isMarked ||= this.#fifo.write(this.#mark);
      const bytes = this.#read();
      if (isMarked) sinceMark += bytes;
      if (!this.#isOver && this.#busy === undefined && isMarked && (bytes === 0 || sinceMark > 2 * PIPE_BYTES)) {
        this.#finish(this.#held);
      }
      if (!this.#isOver) await new Promise((next) => setTimeout(next, 0));
    }
    await this.#busy;
    this.abandon();
  }

  /** Ends it at once, whatever is still in it. To be called when no process was started. */
  abandon(): void {
    clearTimeout(this.#timer);
    this.#fifo.close();
    this.#file.close();
    this.hide();
  }

  #readAfter(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      const hasRead = this.#read() > 0;
      this.#readAfter(hasRead ? 0 : Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, pauseMs * PAUSE_GROWTH)));
    }, pauseMs);
  }

  /** Reads what is there. Returns how many bytes that were. */
  #read(): number {
    let bytes = 0;
    for (let count = 0; count < READS_IN_A_ROW && !this.#isOver && this.#busy === undefined; count++) {
      const length = this.#fifo.read(this.#buffer.subarray(this.#held));
      if (length === 0) break;
      bytes += length;
      this.#take(this.#buffer.subarray(0, this.#held + length));
    }
    return bytes;
  }

  #take(seen: Uint8Array<ArrayBuffer>): void {
    const end = this.#isEnding ? indexOf(seen, this.#mark) : -1;
    if (end !== -1) return this.#finish(end);
    this.#held = this.#isEnding ? Math.min(seen.length, MARK_BYTES - 1) : 0;
    const rest = seen.length - this.#held;
    // A copy: the buffer is used again while patterns are searched for.
    this.#show(this.#redactor.push(seen.slice(0, rest)));
    this.#buffer.copyWithin(0, rest, seen.length);
  }

  /** The first so many bytes of the buffer are the last that were printed. */
  #finish(length: number): void {
    this.#isOver = true;
    this.#show(this.#redactor.last(this.#buffer.slice(0, length)));
  }

  /** Writes what is left of some bytes: at once, or when patterns have been searched for. */
  #show(steps: Steps<Uint8Array>): void {
    const step = steps.next();
    if (step.done) return this.#write(step.value);
    this.#busy = this.#searchAndShow(steps, step.value).finally(() => {
      this.#busy = undefined;
    });
  }

  async #searchAndShow(steps: Steps<Uint8Array>, lines: string): Promise<void> {
    try {
      let step: IteratorResult<string, Uint8Array> = { done: false, value: lines };
      while (!step.done) step = steps.next(await this.#search.find(step.value));
      this.#write(step.value);
    } catch {
      // Better to show nothing, and to go on reading.
      this.#write(new TextEncoder().encode(`${REDACTED}\n`));
    }
  }

  #write(bytes: Uint8Array): void {
    let written = 0;
    try {
      while (written < bytes.length) written += this.#file.writeSync(bytes.subarray(written));
    } catch {
      // A full disk: the job goes on, what it prints now is lost.
      this.#stream.lose(bytes.length - written);
    }
    this.#sinceLook += bytes.length;
    if (this.#sinceLook < LOOK_BYTES) return;
    this.#sinceLook = 0;
    this.#stream.look();
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(wanted[0] ?? 0); at !== -1; at = bytes.indexOf(wanted[0] ?? 0, at + 1)) {
    if (at + wanted.length > bytes.length) return -1;
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
