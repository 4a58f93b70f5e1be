/**
 * Reads the logs of pools back: what is there, in order of time over all
 * pools, and then what comes.
 * @module
 */
import { type LogEntry, parseLogEntry, poolLogName, poolOfLogName } from "./log_entry.ts";
import { rotatedPaths } from "./rotating_file.ts";

/** Pools that have written to this folder of logs, by name. */
export function poolsWithLogs(folder: string): readonly string[] {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return names.map(poolOfLogName).filter((pool) => pool !== undefined).sort();
}

/** The end of a log in which the reason of a failure that just happened is to be found. */
const TAIL_BYTES = 64 * 1024;

/** The entries at the end of a pool's log; none when it cannot be read. */
export function lastEntries(folder: string, pool: string): readonly LogEntry[] {
  try {
    using file = Deno.openSync(`${folder}/${poolLogName(pool)}`);
    const { size } = file.statSync();
    file.seekSync(Math.max(0, size - TAIL_BYTES), Deno.SeekMode.Start);
    return [...linesOf(file)].map(parseLogEntry).filter((entry) => entry !== undefined);
  } catch {
    // Whoever asks wants to explain another failure.
    return [];
  }
}

/** The logs of some pools, read as one. */
export class LogReader {
  readonly #folder: string;
  readonly #logs = new Map<string, PoolLog>();

  constructor(folder: string, pools: readonly string[]) {
    this.#folder = folder;
    this.include(pools);
  }

  /** Reads these as well from now on. */
  include(pools: readonly string[]): void {
    for (const pool of pools) {
      if (!this.#logs.has(pool)) this.#logs.set(pool, new PoolLog(`${this.#folder}/${poolLogName(pool)}`));
    }
  }

  /** Everything that was not read yet, the oldest first. */
  *next(): Generator<LogEntry> {
    const heads = [...this.#logs.values()].map((log) => {
      const entries = log.next();
      return { entries, entry: take(entries) };
    });
    while (true) {
      let first: typeof heads[number] | undefined;
      for (const head of heads) {
        if (head.entry !== undefined && (first?.entry === undefined || head.entry.time < first.entry.time)) {
          first = head;
        }
      }
      if (first?.entry === undefined) return;
      yield first.entry;
      first.entry = take(first.entries);
    }
  }

  close(): void {
    for (const log of this.#logs.values()) log.close();
  }
}

function take<T>(entries: Iterator<T>): T | undefined {
  const { value, done } = entries.next();
  return done === true ? undefined : value;
}

/** One log: first its older files, then the one that is written, over its renaming. */
class PoolLog {
  readonly #path: string;
  #isBegun = false;
  #isRenamed = false;
  #file: Deno.FsFile | undefined;
  /** The beginning of a line whose end is not written yet. */
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  *next(): Generator<LogEntry> {
    if (!this.#isBegun) {
      this.#isBegun = true;
      for (const path of rotatedPaths(this.#path).slice(0, -1)) {
        this.#file = openIfThere(path);
        yield* this.#read();
        this.close();
        this.#rest = "";
      }
    }
    const isOver = this.#isRenamed;
    yield* this.#read();
    // Others may write to a file for a moment after its renaming: it is read once more at the next call.
    this.#isRenamed = this.#file !== undefined && !isAt(this.#path, this.#file);
    if (isOver) {
      this.close();
      this.#rest = "";
      this.#isRenamed = false;
    }
    if (this.#file === undefined) {
      this.#file = openIfThere(this.#path);
      yield* this.#read();
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  *#read(): Generator<LogEntry> {
    if (this.#file === undefined) return;
    for (const line of linesOf(this.#file, this.#rest, (rest) => this.#rest = rest)) {
      const entry = parseLogEntry(line);
      if (entry !== undefined) yield entry;
    }
  }
}

/** Whole lines from where the file stands; `keep` gets what follows the last of them. */
function* linesOf(file: Deno.FsFile, begun = "", keep: (rest: string) => void = () => {}): Generator<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(TAIL_BYTES);
  let rest = begun;
  for (let n = file.readSync(buffer); n !== null; n = file.readSync(buffer)) {
    const lines = (rest + decoder.decode(buffer.subarray(0, n), { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    keep(rest);
    yield* lines;
  }
}

function openIfThere(path: string): Deno.FsFile | undefined {
  try {
    return Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function isAt(path: string, file: Deno.FsFile): boolean {
  try {
    const [named, opened] = [Deno.statSync(path), file.statSync()];
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch {
    return false;
  }
}
