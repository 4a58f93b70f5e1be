/**
 * The process groups that a worker has running, in a file of its own: for its
 * guardian, which ends them when the worker dies, and for whoever cleans up
 * after both.
 *
 * One line of fixed length for each, written over when the group has ended, so
 * that the file holds no more lines than the worker had jobs at once, and a
 * reader that comes after the worker's death finds those alone that ran.
 * No sync: it matters only while the machine is up.
 * @module
 */
import { openOwnFile, readExisting } from "./own_file.ts";
import { isGroupNumber, type Member } from "./process_group.ts";
import { processStart } from "./process_identity.ts";

/** A process group that a worker started. */
export interface RecordedGroup {
  readonly claim: number;
  readonly pgid: number;
  /** Of its leader; "0" when it was not asked for yet. */
  readonly processStart: string;
  /** Its members as they were when its leader had ended. Default: it is known by its leader alone. */
  readonly members?: readonly Member[];
}

/** `CLAIM PGID START` and spaces: three numbers of 16, 10 and 20 digits. */
const LINE_BYTES = 64;
const EMPTY_LINE = "\n".padStart(LINE_BYTES);

/**
 * The start of its leader tells a group from a later one of the same number, which nobody asks before a worker and its
 * guardian are both dead. Most jobs have ended by then; asking costs as much as a tenth of starting one.
 */
const ASK_AFTER_MS = 100;

const encoder = new TextEncoder();

export class GroupRecords {
  readonly #path: string;
  readonly #live = new Map<number, { line: number; claim: number; isAsked: boolean }>();
  /** Lines of groups that have ended. */
  readonly #free: number[] = [];
  #lines = 0;
  #file: Deno.FsFile | undefined;
  #timer: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws when it cannot be written, on a full disk, say. */
  add(claim: number, pgid: number): void {
    const line = this.#free.pop() ?? this.#lines++;
    this.#live.set(pgid, { line, claim, isAsked: false });
    this.#timer ??= setTimeout(() => this.#askStarts(), ASK_AFTER_MS);
    this.#write(line, textOf({ claim, pgid, processStart: "0" }));
  }

  /** The group has ended. */
  remove(pgid: number): void {
    const group = this.#live.get(pgid);
    if (group === undefined) return;
    this.#live.delete(pgid);
    this.#free.push(group.line);
    this.#write(group.line, EMPTY_LINE);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#file?.close();
  }

  #askStarts(): void {
    this.#timer = undefined;
    for (const [pgid, group] of this.#live) {
      if (group.isAsked) continue;
      group.isAsked = true;
      try {
        this.#write(group.line, textOf({ claim: group.claim, pgid, processStart: processStart(pgid) || "0" }));
      } catch {
        // Its processes are found by their cookie.
      }
    }
  }

  #write(line: number, text: string): void {
    this.#file ??= openOwnFile(this.#path, { write: true });
    this.#file.seekSync(line * LINE_BYTES, Deno.SeekMode.Start);
    this.#file.writeSync(encoder.encode(text));
  }
}

/** What a worker that is gone noted; nothing when it died before it started anything. */
export function readGroups(path: string): RecordedGroup[] {
  let text: string;
  try {
    text = readExisting(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return [...text.matchAll(/^(\d+) (\d+) (\d+) *$/gm)].map(([, claim, pgid, start]) => ({
    claim: Number(claim),
    pgid: Number(pgid),
    processStart: start ?? "",
  })).filter(({ pgid }) => isGroupNumber(pgid));
}

function textOf({ claim, pgid, processStart }: RecordedGroup): string {
  return `${claim} ${pgid} ${processStart}`.padEnd(LINE_BYTES - 1) + "\n";
}
