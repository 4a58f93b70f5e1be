/**
 * Takes what a process prints through a pipe, and writes it to its file without
 * what is not to be kept. Nothing of that ever reaches a disk.
 *
 * The end of the pipe is no end of the output: a process that the job left
 * behind may hold it open for ever. So we hold it open ourselves, and when the
 * job has ended write a mark into it: what comes before the mark was printed
 * before the job ended, all of it; what comes after it is not ours to wait for.
 * The mark is random, so that no job can write it. A leftover that prints later
 * finds the pipe closed.
 * @module
 */
import type { Redaction } from "../core/redaction.ts";
import { REDACTED, Redactor } from "../core/redactor.ts";
import { fifoPath } from "../operations/output_files.ts";
import { makeFifo } from "./fifo.ts";
import { type LimitedStream, removeQuietly } from "./limited_stream.ts";

/** As much as a pipe holds. */
const READ_BYTES = 64 * 1024;
const MARK_BYTES = 32;
/** Between two looks at the limit. */
const LOOK_BYTES = 1024 * 1024;

export class RedactedPipe {
  /** What the process is to open for writing. */
  readonly path: string;
  readonly #stream: LimitedStream;
  readonly #redactor: Redactor;
  readonly #mark = crypto.getRandomValues(new Uint8Array(MARK_BYTES));
  readonly #reader: Deno.FsFile;
  readonly #writer: Deno.FsFile;
  readonly #file: Deno.FsFile;
  readonly #pumped: Promise<void>;
  #isEnding = false;
  #sinceLook = 0;

  /** @throws when there can be no pipe, or no file. */
  constructor(stream: LimitedStream, redaction: Redaction) {
    this.path = fifoPath(stream.path);
    this.#stream = stream;
    this.#redactor = new Redactor(redaction);
    makeFifo(this.path);
    // Also for writing: opened for reading alone it would wait for a writer.
    this.#reader = Deno.openSync(this.path, { read: true, write: true });
    this.#writer = Deno.openSync(this.path, { write: true });
    this.#file = Deno.openSync(stream.path, { append: true, create: true, mode: 0o600 });
    this.#pumped = this.#pump().catch(() => {});
  }

  /** To be called when the process has opened it: no other one can, then. */
  hide(): void {
    removeQuietly(this.path);
  }

  /** To be called when the process has ended. Returns when all that it printed is in the file. */
  async close(): Promise<void> {
    this.#isEnding = true;
    // Not synchronously: the pipe may be full, and it is us who empty it.
    await this.#writer.write(this.#mark);
    await this.#pumped;
    for (const file of [this.#reader, this.#writer, this.#file]) file.close();
    this.hide();
  }

  async #pump(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    // Read, but not looked at: it may be the beginning of the mark.
    let held = 0;
    while (true) {
      const count = await this.#reader.read(buffer.subarray(held)) ?? 0;
      const seen = buffer.subarray(0, held + count);
      const end = this.#isEnding ? indexOf(seen, this.#mark) : -1;
      if (end !== -1) {
        this.#write(this.#redacted(() => this.#redactor.push(seen.subarray(0, end))));
        return this.#write(this.#redacted(() => this.#redactor.end()));
      }
      const kept = this.#isEnding ? Math.min(seen.length, MARK_BYTES - 1) : 0;
      this.#write(this.#redacted(() => this.#redactor.push(seen.subarray(0, seen.length - kept))));
      buffer.copyWithin(0, seen.length - kept, seen.length);
      held = kept;
    }
  }

  /** A pattern may be too much for the machine, which then throws: better to show nothing, and to go on reading. */
  #redacted(redact: () => Uint8Array): Uint8Array {
    try {
      return redact();
    } catch {
      return new TextEncoder().encode(REDACTED);
    }
  }

  #write(bytes: Uint8Array): void {
    try {
      for (let written = 0; written < bytes.length;) written += this.#file.writeSync(bytes.subarray(written));
    } catch {
      // A full disk: the job goes on, what it prints now is lost.
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
