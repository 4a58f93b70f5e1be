/**
 * Pieces of output -> lines. Each stream of each run has lines of its own; a
 * line is given when its end has come, or when its run is over.
 * @module
 */
import type { OutputChunk } from "../../operations/follow_output.ts";
import { droppedLine, type StreamName } from "../../operations/output_files.ts";

export interface LogLine {
  /** When it was read; of a run that had ended before: when that was. */
  readonly at: number;
  readonly run: number;
  readonly stream: StreamName;
  /** Without its line end. Bytes that are no UTF-8 are shown as U+FFFD. */
  readonly text: string;
}

/** Of a line without an end, this much is held back at most. */
const MAX_LINE = 1024 * 1024;

interface Partial {
  readonly decoder: TextDecoder;
  text: string;
  at: number;
}

export class LogLines {
  #run = 0;
  #partial = new Map<StreamName, Partial>();

  /** The lines that this piece makes whole. */
  push(chunk: OutputChunk, now: number): LogLine[] {
    const ended = chunk.run === this.#run ? [] : this.end();
    this.#run = chunk.run;
    const at = chunk.runFinishedAt ?? now;
    const partial = this.#of(chunk.stream);
    if (chunk.dropped > 0) partial.text += droppedLine(chunk.dropped).replace(/^\n/, partial.text === "" ? "" : "\n");
    partial.text += partial.decoder.decode(chunk.bytes, { stream: true });
    partial.at = at;
    const lines = partial.text.split("\n");
    partial.text = lines.pop() ?? "";
    if (partial.text.length > MAX_LINE) lines.push(partial.text), partial.text = "";
    return [...ended, ...lines.map((text) => ({ at, run: chunk.run, stream: chunk.stream, text }))];
  }

  /** What is left without a line end. */
  end(): LogLine[] {
    const lines = [...this.#partial].map(([stream, { decoder, text, at }]) => ({
      at,
      run: this.#run,
      stream,
      text: text + decoder.decode(),
    }));
    this.#partial.clear();
    return lines.filter(({ text }) => text !== "");
  }

  #of(stream: StreamName): Partial {
    let partial = this.#partial.get(stream);
    if (partial === undefined) {
      partial = { decoder: new TextDecoder(), text: "", at: 0 };
      this.#partial.set(stream, partial);
    }
    return partial;
  }
}
