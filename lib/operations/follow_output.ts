/**
 * What the runs of a job print, as they print it: from the files while a run
 * goes on, from the files or the store once it has ended. No byte is lost or
 * given twice when output moves from the one to the other.
 *
 * Order of looking makes that so: first whether the run has ended, then what
 * is there. The result of a run is stored after its last byte was kept, and a
 * file goes only after its content is in the store.
 * @module
 */
import { NotFoundError } from "../core/errors.ts";
import type { Run } from "../core/job.ts";
import { isFinal } from "../core/job_state.ts";
import type { Store } from "../store/mod.ts";
import { outputBase, type StreamName, streamPath, STREAMS } from "./output_files.ts";
import { type OutputWatch, watchOutput } from "./output_watch.ts";
import { type Piece, StreamReader } from "./stream_reader.ts";

/** A piece of one stream, byte for byte as it was printed. */
export interface OutputChunk {
  readonly run: number;
  readonly stream: StreamName;
  /** May be empty, when all that is to say is that bytes are missing. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes that were printed just before these and are not kept, because the output was over its limit. */
  readonly dropped: number;
  /** When the run had ended before this was read: the time of its end. Null while it runs. */
  readonly runFinishedAt: number | null;
}

export interface FollowOptions {
  readonly job: { readonly seq: number; readonly id: string };
  /** Ends the following, quietly. */
  readonly signal: AbortSignal;
  /** First run to tell of. Default: 1. A run that has not begun is waited for. */
  readonly fromRun?: number;
  /** Goes on until the job is final, over all its retries. False: what is there now. Default: true. */
  readonly isLive?: boolean;
  /** Called when a run is begun to be told of, before its first chunk. */
  readonly onRun?: (run: Run) => void;
  /** Called when all was told that was there at the beginning, and perhaps again later. */
  readonly onCaughtUp?: () => void;
}

/** Rounds of reading before the run is looked at again: a process may print without a pause. */
const MAX_ROUNDS = 64;
/** How often a file that is being rewritten is waited for, after its run has ended; then its worker died over it. */
const MAX_PATIENCE = 20;

/**
 * Yields until the job is final and everything was told, the signal is aborted, or the job is removed. Both streams
 * of a run come as they grow, then the next run.
 */
export async function* followOutput(store: Store, options: FollowOptions): AsyncGenerator<OutputChunk, void> {
  const { job, signal, isLive = true, onRun } = options;
  const watch = watchOutput(`${store.folder}/logs`, `${job.seq}-`, signal);
  try {
    for (let number = options.fromRun ?? 1; !signal.aborted;) {
      // The state before the runs: a job that is final begins no other run after that.
      const isOver = !isLive || await isJobOver(store, job.id);
      const run = await findRun(store, job.seq, number);
      if (run !== undefined) {
        onRun?.(run);
        yield* followRun(store, { ...options, isLive, number, watch });
        number++;
      } else if (isOver) return;
      else {
        options.onCaughtUp?.();
        await watch.wait();
      }
    }
  } finally {
    await watch.close();
  }
}

interface RunFollowing extends FollowOptions {
  readonly isLive: boolean;
  readonly number: number;
  readonly watch: OutputWatch;
}

async function* followRun(store: Store, following: RunFollowing): AsyncGenerator<OutputChunk, void> {
  const { job, number, signal, isLive, watch } = following;
  const base = outputBase(store.folder, job.seq, number);
  const streams = STREAMS.map((name) => {
    const reader = new StreamReader(streamPath(base, name));
    // What is there now has an end also when the process prints faster than anybody reads.
    const there = reader.printed();
    return { name, reader, there, end: isLive ? Infinity : there };
  });
  let patience = MAX_PATIENCE;
  while (!signal.aborted) {
    const run = await findRun(store, job.seq, number);
    if (run === undefined) return;
    const chunk = (stream: StreamName, piece: Piece): OutputChunk => ({
      run: number,
      stream,
      ...piece,
      runFinishedAt: run.outcome === null ? null : run.finished_at,
    });
    let isOpen = true;
    let isChanging = false;
    for (let round = 0; isOpen && round < MAX_ROUNDS; round++) {
      isOpen = false;
      for (const { name, reader, end } of streams) {
        const piece = reader.next(run.outcome === null ? end : endOf(run, name));
        if (typeof piece === "object") {
          isOpen = true;
          yield chunk(name, piece);
        } else if (piece === "changing") isChanging = true;
        else if (piece === "missing" && run.outcome !== null) {
          const stored = await fromStore(store, { seq: job.seq, run, stream: name, offset: reader.offset });
          if (stored === undefined) continue;
          reader.skipTo(reader.offset + stored.dropped + stored.bytes.length);
          yield chunk(name, stored);
        }
        if (signal.aborted) return;
      }
    }
    if (run.outcome === null && streams.every(({ reader, there }) => reader.offset >= there)) following.onCaughtUp?.();
    if (isOpen) continue;
    const isDone = run.outcome !== null || !isLive;
    if (isDone && !(isChanging && patience-- > 0)) return;
    await watch.wait();
  }
}

async function findRun(store: Store, seq: number, number: number): Promise<Run | undefined> {
  return (await store.jobs.runs(seq)).find(({ run }) => run === number);
}

/** Final, or not there any more. */
async function isJobOver(store: Store, id: string): Promise<boolean> {
  try {
    return isFinal((await store.jobs.find(id)).state);
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

/** How many bytes belong to the run; what a process that it left behind appends later does not. */
function endOf(run: Run, stream: StreamName): number {
  const bytes = stream === "stdout" ? run.stdout_bytes : run.stderr_bytes;
  // Of a run that nobody saw the end of, nobody counted the bytes: its file is all there is.
  return bytes === 0 ? Infinity : bytes;
}

/** What the store has from an offset on: the whole of a small stream, the end of a large one. */
async function fromStore(
  store: Store,
  { seq, run, stream, offset }: { seq: number; run: Run; stream: StreamName; offset: number },
): Promise<Piece | undefined> {
  const bytes = (await store.jobs.output(seq, run.run))?.[stream];
  const end = stream === "stdout" ? run.stdout_bytes : run.stderr_bytes;
  if (bytes == null || offset >= end) return undefined;
  const begin = Math.max(offset, end - bytes.length);
  return { bytes: bytes.slice(begin - (end - bytes.length)), dropped: begin - offset };
}
