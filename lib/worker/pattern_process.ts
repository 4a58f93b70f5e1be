/**
 * The process that searches for patterns: this program again, as `__redact`.
 *
 * A regular expression that backtracks can take longer than anybody waits, and
 * the engine cannot be interrupted. A thread of the runtime goes on searching
 * after it was told to end; a process can be killed. There is one for all jobs
 * of a worker, started when a job with patterns starts. What it costs: 50 ms of
 * start once, and its memory.
 *
 * Requests and answers are lines of JSON.
 * @module
 */
import type { Matches } from "../core/pattern_stage.ts";
import { WholeLines } from "../core/whole_lines.ts";
import { selfCommand } from "./spawn_self.ts";

/** Processor time that one search may take; 64 KiB of usual lines take a hundredth of it. */
const LIMIT_MS = 100;
/** Linux counts processor time in these. */
const TICK_MS = 10;
/** Between two looks at it. */
const MIN_LOOK_MS = 10;
/** However little of that the machine has given. */
const PATIENCE_MS = 5_000;
/** For a slow machine; the start takes 50 ms. */
const START_PATIENCE_MS = 30_000;

/** As it goes over the pipe. */
export interface Request {
  /** Source and flags of each. */
  readonly patterns: readonly (readonly [string, string])[];
  readonly text: string;
  /** Whether an answer comes before each line, too. */
  readonly isCareful: boolean;
}

/** As it comes over the pipe. `line`: the line that is searched next; absent in the last answer. */
export interface Answer {
  readonly found: Matches;
  readonly line?: number;
}

export interface SearchRequest {
  readonly patterns: readonly RegExp[];
  readonly text: string;
  readonly isCareful: boolean;
  /** Asked when its turn has come. */
  readonly isWanted: () => boolean;
}

/** `stuck`: it took too long, or the process died; `line`: where the line begins that it was at, when it was careful. */
export type SearchResult =
  & { readonly found: Matches }
  & (
    | { readonly kind: "found" | "unwanted" }
    | { readonly kind: "stuck"; readonly line: number }
  );

/** The process as this module needs it. */
export interface Searcher {
  /** Resolves when it can be used; false when it cannot. */
  isReady(): Promise<boolean>;
  send(request: Request): Promise<void>;
  /** The next answer; undefined when there will be none. */
  receive(): Promise<Answer | undefined>;
  /** Processor time that it has used, in milliseconds; undefined where the system does not say. */
  spentMs(): number | undefined;
  kill(): void;
}

export class PatternProcess {
  readonly #start: () => Searcher;
  #searcher: Searcher | undefined;
  /** The end of all searches that were asked for. */
  #last: Promise<unknown> = Promise.resolve();
  #failed = 0;

  constructor(start: () => Searcher = () => new ChildSearcher()) {
    this.#start = start;
  }

  /** How many searches of all streams together brought nothing. */
  get failed(): number {
    return this.#failed;
  }

  /** Starts the process ahead of its use. */
  prepare(): void {
    try {
      this.#searcher ??= this.#start();
    } catch {
      // No process to be had now. The search tries again, and hides lines when it fails, too.
    }
  }

  /** One search at a time; never rejects. */
  search(request: SearchRequest): Promise<SearchResult> {
    const result = this.#last.then(() => this.#search(request));
    this.#last = result;
    return result;
  }

  close(): void {
    this.#searcher?.kill();
    this.#searcher = undefined;
  }

  async #search({ patterns, text, isCareful, isWanted }: SearchRequest): Promise<SearchResult> {
    const found: number[] = [];
    if (!isWanted()) return { kind: "unwanted", found };
    let line = 0;
    let stopWatching = () => {};
    try {
      this.#searcher ??= this.#start();
      const searcher = this.#searcher;
      if (await searcher.isReady()) {
        stopWatching = killWhenTooLong(searcher);
        await searcher.send({ patterns: patterns.map(({ source, flags }) => [source, flags]), text, isCareful });
        for (let answer = await searcher.receive(); answer !== undefined; answer = await searcher.receive()) {
          for (const place of answer.found) found.push(place);
          if (answer.line === undefined) return { kind: "found", found };
          line = answer.line;
        }
      }
    } catch {
      // It could not be started, or died while it was written to.
    } finally {
      stopWatching();
    }
    this.close();
    this.#failed++;
    return { kind: "stuck", found, line };
  }
}

/** Processor time counts, so that a busy machine hides no lines. Returns what ends the watch. */
function killWhenTooLong(searcher: Searcher): () => void {
  const spentBefore = searcher.spentMs();
  const begin = performance.now();
  const look = () => {
    const elapsed = performance.now() - begin;
    const spentNow = searcher.spentMs();
    const spent = spentBefore === undefined || spentNow === undefined ? elapsed : spentNow - spentBefore;
    if (spent >= LIMIT_MS || elapsed >= PATIENCE_MS) searcher.kill();
    else timer = setTimeout(look, Math.max(MIN_LOOK_MS, LIMIT_MS - spent));
  };
  let timer = setTimeout(look, LIMIT_MS);
  return () => clearTimeout(timer);
}

class ChildSearcher implements Searcher {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers: AsyncGenerator<Answer, undefined>;
  readonly #ready: Promise<boolean>;

  /** @throws when there is no process to be had. */
  constructor() {
    const [program, ...args] = selfCommand(["__redact"]);
    // In a session of its own: what ends a worker by its terminal must not end this before the last output is through.
    this.#child = new Deno.Command(program, {
      args,
      cwd: "/",
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      detached: true,
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#answers = answersFrom(this.#child.stdout);
    const patience = setTimeout(() => this.kill(), START_PATIENCE_MS);
    this.#ready = this.receive().then((answer) => answer !== undefined, () => false).finally(() =>
      clearTimeout(patience)
    );
    // Reaped when it ends.
    void this.#child.status;
  }

  isReady(): Promise<boolean> {
    return this.#ready;
  }

  send(request: Request): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
  }

  async receive(): Promise<Answer | undefined> {
    return (await this.#answers.next()).value;
  }

  spentMs(): number | undefined {
    try {
      const stat = Deno.readTextFileSync(`/proc/${this.#child.pid}/stat`);
      // Behind the name, which may hold anything: the 12th and 13th word are user and system time.
      const words = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(words[11]) + Number(words[12])) * TICK_MS;
    } catch {
      return undefined;
    }
  }

  kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    this.#writer.abort().catch(() => {});
  }
}

async function* answersFrom(output: ReadableStream<Uint8Array>): AsyncGenerator<Answer, undefined> {
  const lines = new WholeLines();
  const decoder = new TextDecoder();
  for await (const piece of output) {
    for (const line of decoder.decode(lines.push(piece)).split("\n")) if (line !== "") yield JSON.parse(line);
  }
  return undefined;
}

let shared: PatternProcess | undefined;

/** The one of this process. */
export function patternProcess(): PatternProcess {
  return shared ??= new PatternProcess();
}

/** To be called when no job runs any more. */
export function endPatternProcess(): void {
  shared?.close();
}
