/**
 * What the comparison asks of each tool.
 * @module
 */
import type { Box } from "./box.ts";

/** A run of jobs. */
export interface Drained {
  /** Milliseconds from the start of the worker's program to its end. */
  readonly wholeMs: number;
  /** Milliseconds from the first job's start to the last one's end, where that is known. */
  readonly workMs?: number;
}

/** Milliseconds until the first instruction of a job. */
export interface Pickup {
  readonly fromStart: number;
  /** From the return of the enqueue. Never negative: a job may begin before that. */
  readonly fromReturn: number;
}

/** Something that waits for jobs. */
export interface Idle {
  readonly worker: () => readonly number[];
  /** Processes that serve the worker, such as a database. */
  readonly server: () => readonly number[];
  stop(): Promise<void>;
}

/** A tool that can be measured. What is missing does not apply to it. */
export interface ReadyPeer {
  readonly version: string;
  /** Most jobs at once. Default: any number. */
  readonly mostSlots?: number;
  /** Runs so many no-op shell jobs, so many at once. */
  drain?(jobs: number, slots: number): Promise<Drained & { readonly jobs: number }>;
  /** One enqueue by a command. */
  enqueue?(): Promise<number>;
  /** One enqueue by a program that is connected already: the mean of so many. */
  add?(count: number): Promise<number>;
  pickups?(sizes: { readonly pickups: number; readonly slowPickups: number }): Promise<Pickup[]>;
  /** Jobs per second. */
  bulk?(sizes: { readonly bulk: number; readonly commands: number }): Promise<number>;
  idle?(): Promise<Idle>;
}

export interface Peer {
  /** As `--only` takes it. */
  readonly name: string;
  /** As the tables show it. */
  readonly title: string;
  /** Debian packages that have its programs. */
  readonly debian: readonly string[];
  readonly npm: readonly string[];
  /** Throws {@linkcode NotMeasured} when the machine lacks the tool. */
  prepare(box: Box, surroundings: Surroundings): Promise<ReadyPeer>;
}

export interface Surroundings {
  /** The compiled binary of this project. */
  readonly queuectl: string;
  /** Where the npm packages are. */
  readonly packages: string;
}

/** A tool is not there; the message says what is missing. */
export class NotMeasured extends Error {
  override readonly name = "NotMeasured";
}
