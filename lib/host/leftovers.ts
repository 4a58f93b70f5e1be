/**
 * Finds what runs of jobs left behind on this host, and ends it.
 *
 * Every process of a run carries the cookie of its claim in its environment, and
 * so do those that it detached (`setsid`, `nohup`). What wiped its environment
 * and left its process group is out of reach.
 *
 * Needs /proc: where there is none, only recorded groups are ended.
 * @module
 */
import { signalGroup, signalProcess } from "./process_group.ts";
import { isRunning, processes } from "./process_identity.ts";
import type { RecordedGroup } from "./group_records.ts";

/** One claim of one job. A token alone is not unique: two jobs may be claimed in the same millisecond. */
export interface Cookie {
  readonly jobId: string;
  readonly claim: number;
}

/** The store whose jobs are meant: copies of it have jobs with the same ids and claims. */
export interface CookieStore {
  readonly identity: string;
  readonly location: string;
}

export interface Leftovers {
  readonly store: CookieStore;
  readonly cookies: readonly Cookie[];
  /** Groups that the worker recorded; only those whose leader is still the same process are ended. */
  readonly groups?: readonly RecordedGroup[];
}

/** KILL takes effect within milliseconds; a process that is still there hangs in the kernel or is another user's. */
const GIVE_UP_MS = 5_000;
const PAUSE_MS = 5;

/** So many are looked at before everything else in this process gets its turn: about 5 ms. */
const READS_IN_A_ROW = 200;

/** KILLs them, and all that they start meanwhile. True when nothing is left; the dead that nobody reaped do not count. */
export async function endLeftovers({ store, cookies, groups = [] }: Leftovers): Promise<boolean> {
  const wanted = new Set(cookies.map(({ jobId, claim }) => `${claim} ${jobId}`));
  const deadline = performance.now() + GIVE_UP_MS;
  while (true) {
    const leaders = groups.filter(({ pgid, processStart }) =>
      isRunning(pgid, processStart) && !isOfOtherStore(pgid, store)
    );
    for (const { pgid } of leaders) signalGroup(pgid, "SIGKILL");
    const carriers = wanted.size === 0 ? [] : await carriersOf(wanted, store);
    for (const pid of carriers) signalProcess(pid, "SIGKILL");
    if (leaders.length === 0 && carriers.length === 0) return true;
    if (performance.now() > deadline) return false;
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
}

/** Processes whose environment holds one of the cookies, written `CLAIM JOB_ID`. */
async function carriersOf(wanted: ReadonlySet<string>, store: CookieStore): Promise<number[]> {
  const found: number[] = [];
  let reads = 0;
  for (const pid of processes()) {
    if (++reads % READS_IN_A_ROW === 0) await new Promise((wake) => setTimeout(wake, 0));
    const cookie = cookieOf(pid, store);
    if (cookie !== undefined && wanted.has(cookie) && pid !== Deno.pid) found.push(pid);
  }
  return found;
}

function cookieOf(pid: number, store: CookieStore): string | undefined {
  const environment = environmentOf(pid);
  const claim = valueOf(environment, "QUEUECTL_CLAIM");
  return claim === undefined || !isOf(store, environment)
    ? undefined
    : `${claim} ${valueOf(environment, "QUEUECTL_JOB_ID") ?? ""}`;
}

/** The record of a group may have been copied together with the database. */
function isOfOtherStore(pid: number, store: CookieStore): boolean {
  const environment = environmentOf(pid);
  return valueOf(environment, "QUEUECTL_CLAIM") !== undefined && !isOf(store, environment);
}

/** Empty for the dead, those that are gone, and those of another user. */
function environmentOf(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`);
  } catch {
    return "";
  }
}

/** Jobs that an earlier version started carry the place of their store alone. */
function isOf({ identity, location }: CookieStore, environment: string): boolean {
  const noted = valueOf(environment, "QUEUECTL_STORE");
  return noted === undefined ? valueOf(environment, "QUEUECTL_DB") === location : noted === identity;
}

function valueOf(environment: string, name: string): string | undefined {
  const start = environment.startsWith(`${name}=`) ? 0 : environment.indexOf(`\0${name}=`) + 1;
  if (start === 0 && !environment.startsWith(`${name}=`)) return undefined;
  const end = environment.indexOf("\0", start);
  return environment.slice(start + name.length + 1, end === -1 ? undefined : end);
}
