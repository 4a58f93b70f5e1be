/**
 * What a run prints: the process writes to files by itself, no byte passes
 * through us, unless something is to be taken out of it. While it runs we look at their length now and then, and cut what
 * is over the limit. Afterwards the output settles: nothing printed, nothing
 * kept; a little goes into the store alone; much stays in its file.
 * @module
 */
import { existsSync } from "node:fs";
import { isNothing, type Redaction } from "../core/redaction.ts";
import { writeNewFile } from "../host/own_file.ts";
import { streamPath } from "../operations/output_files.ts";
import type { RunReport } from "../store/mod.ts";
import { LimitedStream, removeQuietly, type SettledStream } from "./limited_stream.ts";
import { RedactedPipe } from "./redacted_pipe.ts";
import type { SpareFiles } from "../host/spare_files.ts";

export interface OutputFiles {
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
}

export type SettledOutput = NonNullable<RunReport["output"]>;

/** Of a job that was not started. */
export const NO_OUTPUT: SettledOutput = { stdout: null, stderr: null, stdoutBytes: 0, stderrBytes: 0, droppedBytes: 0 };

export interface OutputOptions {
  /** What the names of the files begin with. */
  readonly base: string;
  /** Handed to the process as its standard input. */
  readonly stdin: string | null;
  readonly isKept: boolean;
  /** Of each stream. */
  readonly limitBytes: () => number;
  /** What is not to be kept of it. */
  readonly redaction: Redaction;
  /** Where files come from and go to when they are not needed. Default: they are made and removed. */
  readonly spares?: SpareFiles | undefined;
}

/** Most jobs have ended by then, and are never looked at. */
const FIRST_LOOK_MS = 100;
/** How long a job that was quiet may print without being looked at. */
const MAX_LOOK_MS = 250;
const MIN_LOOK_MS = 10;
/** The next look comes when a stream that goes on as fast has printed this share of the limit. */
const LOOK_SHARE = 0.25;

const NOT_KEPT: SettledStream = { tail: null, bytes: 0, dropped: 0 };

/** The files of one run. */
export class OutputCapture {
  /** What the process is to open. */
  readonly files: OutputFiles;
  readonly #options: OutputOptions;
  readonly #streams: readonly LimitedStream[];
  readonly #pipes: RedactedPipe[] = [];
  #timer: number | undefined;

  /** @throws when something cannot be made, such as on a full disk. */
  constructor(options: OutputOptions) {
    const { base, isKept, limitBytes, redaction, spares } = options;
    this.#options = options;
    const paths = isKept ? [streamPath(base, "stdout"), streamPath(base, "stderr")] : [];
    this.#streams = paths.map((path) =>
      new LimitedStream(path, { limitBytes, ...spares && { discard: (path) => spares.put(path) } })
    );
    for (const path of paths) spares?.use(path);
    try {
      if (options.stdin !== null) writeNewFile(`${base}.in`, options.stdin);
      if (!isNothing(redaction)) {
        for (const stream of this.#streams) this.#pipes.push(new RedactedPipe(stream, redaction));
      }
    } catch (error) {
      // Else what could be made is open as long as the worker lives, and where files are short, each failure takes more.
      for (const pipe of this.#pipes) pipe.abandon();
      if (options.stdin !== null) removeQuietly(`${base}.in`);
      this.letGo();
      throw error;
    }
    const [stdout = "/dev/null", stderr = "/dev/null"] = this.#pipes.length > 0
      ? this.#pipes.map(({ path }) => path)
      : paths;
    this.files = { stdin: options.stdin === null ? "/dev/null" : `${base}.in`, stdout, stderr };
  }

  /**
   * To be called when the process has started: from now on its output is kept within the limit.
   * @param hasOpened whether it is known to have opened its files already.
   */
  watch(hasOpened: boolean): void {
    if (!this.#options.isKept) return;
    if (hasOpened) { for (const pipe of this.#pipes) pipe.hide(); }
    this.#lookAfter(FIRST_LOOK_MS, { at: performance.now(), printed: 0 });
  }

  /** Whether all that the process is to open for writing is there. A process that was started makes it. */
  isMade(): boolean {
    return existsSync(this.files.stdout) && existsSync(this.files.stderr);
  }

  /** To be called once, when the process has ended. Never throws: a job does not fail because of its output. */
  async settle(): Promise<SettledOutput> {
    clearTimeout(this.#timer);
    if (this.#options.stdin !== null) removeQuietly(this.files.stdin);
    for (const pipe of this.#pipes) await pipe.close();
    const [stdout = NOT_KEPT, stderr = NOT_KEPT] = await Promise.all(this.#streams.map((stream) => stream.settle()));
    return {
      stdout: stdout.tail,
      stderr: stderr.tail,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      droppedBytes: stdout.dropped + stderr.dropped,
    };
  }

  /** The process goes on without us: what it prints stays where it is. */
  abandon(): void {
    clearTimeout(this.#timer);
    for (const pipe of this.#pipes) pipe.abandon();
  }

  /** To be called when the result is stored. Before that, whoever reads along would find the output nowhere. */
  letGo(): void {
    for (const stream of this.#streams) stream.letGo();
  }

  #lookAfter(ms: number, last: { at: number; printed: number }): void {
    this.#timer = setTimeout(() => {
      const now = performance.now();
      const printed = this.#streams.reduce((sum, stream) => sum + stream.look(), 0);
      const perMs = (printed - last.printed) / Math.max(1, now - last.at);
      const wanted = this.#options.limitBytes() * LOOK_SHARE / Math.max(perMs, Number.MIN_VALUE);
      this.#lookAfter(Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, wanted)), { at: now, printed });
    }, ms);
  }
}
