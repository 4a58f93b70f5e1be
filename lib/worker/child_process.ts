/**
 * A job's process: started in a session and process group of its own, so that
 * it and all its children can be ended together and survive our terminal.
 * @module
 */
import { portableSpawner } from "./portable_spawn.ts";
import { posixSpawner } from "./posix_spawn.ts";

/** Everything that is needed to start a process. Paths are absolute. */
export interface Launch {
  /** File to run. */
  readonly program: string;
  /** With the program's name first, as the program sees it. */
  readonly argv: readonly string[];
  /** `NAME=VALUE`, complete: nothing is added. */
  readonly env: readonly string[];
  /** null: the worker's own. */
  readonly cwd: string | null;
  readonly stdin: string;
  /** Made when missing, for the owner only; written at its end. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExitStatus {
  /** 128 + N after signal N. */
  readonly code: number;
  readonly signal: string | null;
}

export interface Child {
  /** Also the id of its process group and session. */
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
}

export interface Spawner {
  /** Whether a process has its files open when `spawn` returns. */
  readonly opensFirst: boolean;
  /** Rejects when the program cannot be started. */
  spawn(launch: Launch): Promise<Child>;
  close(): void;
}

/** The best spawner of this machine. */
export function openSpawner(): Spawner {
  return posixSpawner() ?? portableSpawner();
}
