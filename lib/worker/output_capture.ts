/**
 * What a run prints: the process writes to files by itself, no byte passes
 * through us while it runs. Afterwards the output settles: nothing printed,
 * nothing kept; a little goes into the store alone; much stays in its file,
 * with head and tail when it is over the limit.
 *
 * Files are named by numbers of ours, never by text of a user.
 * @module
 */
import type { RunReport } from "../store/mod.ts";

/** What the store keeps of the end of each stream. */
export const TAIL_BYTES = 64 * 1024;

export interface OutputFiles {
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
}

export type SettledOutput = NonNullable<RunReport["output"]>;

export interface OutputOptions {
  /** `<db>.d/logs` */
  readonly folder: string;
  readonly seq: number;
  readonly run: number;
  /** Handed to the process as its standard input. */
  readonly stdin: string | null;
  readonly isKept: boolean;
}

/** The files of one run. */
export class OutputCapture {
  readonly files: OutputFiles;
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    const base = outputBase(options.folder, options.seq, options.run);
    this.#options = options;
    this.files = {
      stdin: options.stdin === null ? "/dev/null" : `${base}.in`,
      stdout: options.isKept ? `${base}.out` : "/dev/null",
      stderr: options.isKept ? `${base}.err` : "/dev/null",
    };
    if (options.stdin !== null) Deno.writeTextFileSync(this.files.stdin, options.stdin, { mode: 0o600 });
  }

  /** Called once, when the process has ended. Never throws: a job does not fail because of its output. */
  settle(limitBytes: number): SettledOutput {
    if (this.#options.stdin !== null) removeQuietly(this.files.stdin);
    if (!this.#options.isKept) {
      return { stdout: null, stderr: null, stdoutBytes: 0, stderrBytes: 0, droppedBytes: 0 };
    }
    const stdout = settleStream(this.files.stdout, limitBytes);
    const stderr = settleStream(this.files.stderr, limitBytes);
    return {
      stdout: stdout.tail,
      stderr: stderr.tail,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      droppedBytes: stdout.dropped + stderr.dropped,
    };
  }
}

/** Where the streams of a run live while they are files: `<base>.out`, `<base>.err`. */
export function outputBase(folder: string, seq: number, run: number): string {
  return `${folder}/${seq}-${run}`;
}

interface SettledStream {
  readonly tail: Uint8Array | null;
  /** All that was printed. */
  readonly bytes: number;
  readonly dropped: number;
}

const NOTHING: SettledStream = { tail: null, bytes: 0, dropped: 0 };

function settleStream(path: string, limitBytes: number): SettledStream {
  try {
    const bytes = Deno.statSync(path).size;
    if (bytes === 0) {
      removeQuietly(path);
      return NOTHING;
    }
    if (bytes <= TAIL_BYTES && bytes <= limitBytes) {
      const tail = Deno.readFileSync(path);
      removeQuietly(path);
      return { tail, bytes: tail.length, dropped: 0 };
    }
    const dropped = bytes > limitBytes ? keepHeadAndTail(path, bytes, limitBytes) : 0;
    return { tail: readTail(path), bytes, dropped };
  } catch {
    // Gone (the process never started) or out of reach: there is nothing to keep.
    return NOTHING;
  }
}

/** Rewrites an oversized file as head, a line that says what is missing, and tail. Returns what was dropped. */
function keepHeadAndTail(path: string, bytes: number, limitBytes: number): number {
  const half = Math.floor(limitBytes / 2);
  const dropped = bytes - 2 * half;
  const tail = readRange(path, bytes - half, half);
  using file = Deno.openSync(path, { write: true });
  file.truncateSync(half);
  file.seekSync(0, Deno.SeekMode.End);
  writeAll(file, new TextEncoder().encode(`\n[queuectl: ${dropped} bytes dropped]\n`));
  writeAll(file, tail);
  return dropped;
}

function readTail(path: string): Uint8Array {
  const size = Deno.statSync(path).size;
  const length = Math.min(size, TAIL_BYTES);
  return readRange(path, size - length, length);
}

function readRange(path: string, start: number, length: number): Uint8Array {
  using file = Deno.openSync(path);
  file.seekSync(start, Deno.SeekMode.Start);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = file.readSync(bytes.subarray(filled));
    if (count === null) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += file.writeSync(bytes.subarray(written));
}

function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Already gone, or pruning will get it: not worth failing a job.
  }
}
