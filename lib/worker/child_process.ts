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
  /** @throws when the program cannot be started. */
  spawn(launch: Launch): Child;
  close(): void;
}

/** The best spawner of this machine. */
export function openSpawner(): Spawner {
  return posixSpawner() ?? portableSpawner();
}

/** Sends a signal to a whole process group. False when none of it is left. */
export function signalGroup(pgid: number, signal: Deno.Signal): boolean {
  return kill(-pgid, signal);
}

/** Whether any process of the group is there; one that ended but was not reaped counts. */
export function groupExists(pgid: number): boolean {
  return kill(-pgid, 0 as unknown as Deno.Signal);
}

function kill(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // A process of another user in the group (sudo): it is there, and not ours to end.
    if (error instanceof Deno.errors.PermissionDenied) return true;
    throw error;
  }
}
