/**
 * Signals to processes and to whole process groups.
 * @module
 */
import { processes, processStatus } from "./process_identity.ts";

/** 0 stands for our own group, 1 for every process that there is, and what is no number for nothing. */
export function isGroupNumber(pgid: number): boolean {
  return Number.isSafeInteger(pgid) && pgid > 1;
}

/** Sends a signal to a whole process group. False when none of it is left. */
export function signalGroup(pgid: number, signal: Deno.Signal): boolean {
  return isGroupNumber(pgid) && send(-pgid, signal);
}

/** Whether any process of the group runs. One that ended and was not reaped yet does not, where the system tells. */
export function isGroupRunning(pgid: number): boolean {
  const isThere = signalGroup(pgid, 0 as unknown as Deno.Signal);
  if (!isThere || Deno.build.os !== "linux") return isThere;
  // Orphans may wait a second and more until they are reaped.
  return processes().some((pid) => {
    const { group, isDead } = processStatus(pid);
    return group === pgid && !isDead;
  });
}

/** A process that runs, with the start time that makes its number unique. */
export interface Member {
  readonly pid: number;
  readonly start: string;
}

/**
 * The running processes of each of these groups, or of the session of the same number, whatever their user. The dead that
 * nobody reaped do not count. Where there is no /proc, a group that answers a signal counts as its leader.
 */
export function membersOf(pgids: Iterable<number>): ReadonlyMap<number, readonly Member[]> {
  const members = new Map<number, Member[]>([...pgids].map((pgid) => [pgid, []]));
  if (members.size === 0) return members;
  if (Deno.build.os !== "linux") {
    for (const [pgid, found] of members) {
      if (signalGroup(pgid, 0 as unknown as Deno.Signal)) found.push({ pid: pgid, start: "" });
    }
    return members;
  }
  for (const pid of processes()) {
    const { group, session, start, isDead } = processStatus(pid);
    if (isDead) continue;
    for (const number of new Set([group, session])) members.get(number)?.push({ pid, start });
  }
  return members;
}

/** False when there is no such process. One of another user is there, and not ours to end. */
export function signalProcess(pid: number, signal: Deno.Signal): boolean {
  return isGroupNumber(pid) && send(pid, signal);
}

function send(target: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(target, signal);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.PermissionDenied) return true;
    throw error;
  }
}

/** KILLs it. False when that is not ours to do: it is another user's. */
export function killProcess(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return true;
}
