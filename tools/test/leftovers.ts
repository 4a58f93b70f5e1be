/**
 * Finds processes that tests started or left running, and ends them.
 *
 * A process belongs to a test when it carries the test's marker in its
 * environment, or works in the test's directory (a job may clear its environment).
 * Needs /proc: where there is none, nothing is found.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

export interface Leftover {
  pid: number;
  command: string;
}

/** Whose processes to look for. */
export interface Owner {
  /** `NAME=value` as in the environment, or the beginning of it. */
  marker: string;
  directory: string;
}

/**
 * What a test has just told to end takes a moment to go, many seconds on a busy machine. Only a test that leaves
 * something behind costs this time.
 */
const GRACE_MS = 20_000;
const INTERVAL_MS = 50;
const KILL_ROUNDS = 20;

/** The processes of `owner` that are still there after a moment of grace, now killed. */
export async function killLeftovers(owner: Owner): Promise<Leftover[]> {
  const deadline = Date.now() + GRACE_MS;
  let leftovers = findProcesses(owner);
  while (leftovers.length > 0 && Date.now() < deadline) {
    await delay(INTERVAL_MS);
    leftovers = findProcesses(owner);
  }
  if (leftovers.length > 0) await killProcesses(owner);
  return leftovers;
}

/** Kills the processes of `owner` and waits until they are gone. */
export async function killProcesses(owner: Owner): Promise<void> {
  // More than once, for one of them may be starting others; not for ever, for
  // one may be another user's.
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const found = findProcesses(owner);
    if (found.length === 0) return;
    for (const { pid } of found) kill(pid);
    await delay(INTERVAL_MS);
  }
}

/** The processes of `owner` that run now, this one excepted. */
export function findProcesses(owner: Owner): Leftover[] {
  const found: Leftover[] = [];
  for (const name of processDirectories()) {
    const pid = Number(name);
    if (pid !== Deno.pid && belongsTo(pid, owner)) found.push({ pid, command: commandLine(pid) });
  }
  return found;
}

function processDirectories(): string[] {
  try {
    return [...Deno.readDirSync("/proc")].map((entry) => entry.name).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // no /proc on this system
  }
}

/** Dead processes not yet reaped have neither environment nor directory, so they do not count. */
function belongsTo(pid: number, { marker, directory }: Owner): boolean {
  try {
    if (Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").some((variable) => variable.startsWith(marker))) {
      return true;
    }
    const cwd = Deno.readLinkSync(`/proc/${pid}/cwd`);
    return cwd === directory || cwd.startsWith(`${directory}/`);
  } catch {
    return false; // gone meanwhile, or somebody else's
  }
}

function commandLine(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
  } catch {
    return "(gone)";
  }
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // gone meanwhile
  }
}
