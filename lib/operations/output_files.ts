/**
 * The files in which a run's output lives: `<db>.d/logs/<seq>-<run>.out` and
 * `.err`, named by numbers of ours, never by text of a user.
 *
 * A stream that grew over `output_limit` lacks its middle. What is missing is
 * told by a small file beside it, `.out.cut`: every reader looks there, because
 * the file alone does not show it (a hole reads as zeros).
 * @module
 */
import { writeNewFile } from "../host/own_file.ts";

export const STREAMS = ["stdout", "stderr"] as const;
export type StreamName = typeof STREAMS[number];

const SUFFIX: Readonly<Record<StreamName, string>> = { stdout: "out", stderr: "err" };

/** What all files of a run begin with. */
export function outputBase(storeFolder: string, seq: number, run: number): string {
  return `${storeFolder}/logs/${seq}-${run}`;
}

export function streamPath(base: string, stream: StreamName): string {
  return `${base}.${SUFFIX[stream]}`;
}

/** Everything that a run may have left behind. */
export function filesOfRun(base: string): string[] {
  const streams = STREAMS.map((stream) => streamPath(base, stream));
  const beside = streams.flatMap((path) => [cutPath(path), newPath(cutPath(path)), newPath(path), fifoPath(path)]);
  return [...streams, ...beside, `${base}.in`];
}

export function cutPath(path: string): string {
  return `${path}.cut`;
}

/** Where a file is written before it takes the place of another. */
export function newPath(path: string): string {
  return `${path}.new`;
}

/** Through which a process prints when its output is redacted. */
export function fifoPath(path: string): string {
  return `${path}.fifo`;
}

/**
 * Which part of a stream is missing from its file. Counted in bytes that were
 * printed: `head` are there from the beginning; then it goes on with byte
 * `resume`, which is at `position` of the file.
 */
export interface Cut {
  readonly head: number;
  readonly resume: number;
  readonly position: number;
}

/** What a reader may see: nothing is missing, this much is, or the file is being rewritten: look again. */
export type CutState = Cut | undefined | "changing";

export function readCut(path: string): CutState {
  let text: string;
  try {
    text = Deno.readTextFileSync(cutPath(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const [head, resume, position] = text.split(" ").map(Number);
  if (head === undefined || resume === undefined || position === undefined) return "changing";
  return { head, resume, position };
}

/** Says what is missing, or that the file is about to change. Replaced as a whole: a reader sees the old or the new. */
export function writeCut(path: string, cut: Cut | "changing"): void {
  const text = cut === "changing" ? cut : `${cut.head} ${cut.resume} ${cut.position}`;
  writeNewFile(newPath(cutPath(path)), text);
  Deno.renameSync(newPath(cutPath(path)), cutPath(path));
}

export function isSameCut(a: CutState, b: CutState): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return a.head === b.head && a.resume === b.resume && a.position === b.position;
}

/** Stands where bytes are missing. */
export function droppedLine(bytes: number): string {
  return `\n[queuectl: ${bytes} bytes dropped]\n`;
}
