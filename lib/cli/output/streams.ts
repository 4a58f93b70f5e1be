/**
 * Bytes to stdout and stderr, all of them, in order, at once.
 *
 * Writing is synchronous, so nothing is lost when the program exits right
 * after. `console.log` is not used: it hides a closed pipe.
 * @module
 */
import { QueuectlError } from "../../core/errors.ts";

/** The reader of stdout is gone (`queuectl list | head -1`). Not a failure: there is no one left to tell. */
export class OutputClosedError extends Error {
  constructor() {
    super("The reader of standard output is gone");
    this.name = "OutputClosedError";
  }
}

/** How a stream is written to; `Deno.stdout` and `Deno.stderr` are two. */
export interface Sink {
  writeSync(bytes: Uint8Array): number;
}

/** Pause before trying again a pipe that is full and not blocking; a reader needs about this long to empty it. */
const FULL_PIPE_PAUSE_MS = 1;

const encoder = new TextEncoder();

/**
 * Writes to stdout.
 * @throws {OutputClosedError} when no one reads any more.
 * @throws {QueuectlError} when it cannot be written, such as on a full disk.
 */
export function writeOut(data: string | Uint8Array, sink: Sink = Deno.stdout): void {
  try {
    writeAll(sink, data);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosedError();
    const reason = error instanceof Error ? error.message : String(error);
    throw new QueuectlError("failed", `Cannot write to standard output: ${reason}`, { cause: error });
  }
}

/** Writes to stderr. A stderr that cannot be written is ignored: there is no better place to complain. */
export function writeErr(data: string | Uint8Array, sink: Sink = Deno.stderr): void {
  try {
    writeAll(sink, data);
  } catch {
    // See above.
  }
}

function writeAll(sink: Sink, data: string | Uint8Array): void {
  let rest = typeof data === "string" ? encoder.encode(data) : data;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(sink.writeSync(rest));
    } catch (error) {
      if (error instanceof Deno.errors.Interrupted) continue;
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS);
    }
  }
}
