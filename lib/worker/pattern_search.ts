/**
 * Searches one stream for patterns, in the process that `pattern_process.ts`
 * keeps, and bounds what that may cost.
 *
 * A line in which the search takes too long is hidden as a whole. A stream with
 * many such lines uses up its budget, and all further lines are hidden unseen
 * until time has passed: a job waits for its output to be taken, and a worker
 * that is to stop waits for its jobs.
 * @module
 */
import { endOfLine, type Matches } from "../core/pattern_stage.ts";
import { type PatternProcess, patternProcess } from "./pattern_process.ts";

/** How many searches of a stream may fail at once. Each takes 0.2 s with the start of the next process. */
const BUDGET = 6;
/** One more may fail after each of these. */
const REFILL_MS = 2_000;

/** How the matches of patterns are found. */
export interface Search {
  find(lines: string): Promise<Matches>;
  /** To be called when the job has ended: from now on somebody waits. */
  hurry(): void;
}

export class PatternSearch implements Search {
  readonly #patterns: readonly RegExp[];
  readonly #process: PatternProcess;
  readonly #begin = performance.now();
  #failed = 0;
  /** How many of all streams had failed when the job ended. */
  #hurriedAt: number | undefined;
  /** Whether the process is to tell of each line: it costs time, and is needed when one was bad. */
  #isCareful = false;

  constructor(patterns: readonly RegExp[], process: PatternProcess = patternProcess()) {
    this.#patterns = patterns;
    this.#process = process;
    // By the time that the job prints, it is ready.
    if (patterns.length > 0) process.prepare();
  }

  hurry(): void {
    this.#hurriedAt = this.#process.failed;
  }

  async find(lines: string): Promise<Matches> {
    const found: number[] = [];
    for (let at = 0; at < lines.length;) {
      const answer = await this.#process.search({
        patterns: this.#patterns,
        text: lines.slice(at),
        isCareful: this.#isCareful,
        isWanted: () => !this.#isSpent(),
      });
      for (const place of answer.found) found.push(at + place);
      if (answer.kind === "unwanted") hide(lines, at, found);
      if (answer.kind !== "stuck") break;
      this.#failed++;
      if (this.#isCareful) {
        const bad = at + answer.line;
        at = endOfLine(lines, bad) + 1;
        found.push(bad, at - 1);
      }
      this.#isCareful = true;
    }
    return found;
  }

  /** After the end of the job, searches of others count too: they keep this stream waiting. */
  #isSpent(): boolean {
    if (this.#hurriedAt !== undefined && this.#process.failed - this.#hurriedAt >= BUDGET) return true;
    return this.#failed >= BUDGET + (performance.now() - this.#begin) / REFILL_MS;
  }
}

/** Each line from there on. */
function hide(lines: string, start: number, found: number[]): void {
  for (let at = start; at < lines.length;) {
    const end = endOfLine(lines, at);
    if (end > at) found.push(at, end);
    at = end + 1;
  }
}
