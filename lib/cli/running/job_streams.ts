/**
 * What a job prints, handed on byte for byte: its stdout to ours, its stderr
 * to ours.
 * @module
 */
import type { OutputChunk } from "../../operations/follow_output.ts";
import { droppedLine } from "../../operations/output_files.ts";
import { OutputClosedError, writeErr, writeOut } from "../output/streams.ts";

export class JobStreams {
  #isOutClosed = false;

  write({ stream, bytes, dropped }: OutputChunk): void {
    // Bytes that were over output_limit are not there to be handed on; silence about it would be a lie.
    if (dropped > 0) this.#put(stream, new TextEncoder().encode(droppedLine(dropped)));
    if (bytes.length > 0) this.#put(stream, bytes);
  }

  #put(stream: OutputChunk["stream"], bytes: Uint8Array): void {
    if (stream === "stderr") return writeErr(bytes);
    if (this.#isOutClosed) return;
    try {
      writeOut(bytes);
    } catch (error) {
      // `queuectl run ... | head -1`: whoever read is gone, but the job goes on, and its exit code is still wanted.
      if (!(error instanceof OutputClosedError)) throw error;
      this.#isOutClosed = true;
    }
  }
}
