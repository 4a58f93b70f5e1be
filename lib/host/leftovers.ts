/**
 * Finds what runs of jobs left behind on this host, and ends it.
 *
 * Every process of a run carries the cookie of its claim in its environment, and
 * so do those that it detached (`setsid`, `nohup`). A process that wiped its
 * environment, or belongs to another user, is found by its process group or
 * session. Only a process that did both, wiped or hid its environment and left
 * its session, is out of reach.
 *
 * A process is killed only when it is proven to be of the run: by its cookie,
 * by the start time of the group's leader, or by a member that was recorded.
 * A number alone may have been given to another group since. Its members are
 * waited for, and never killed.
 *
 * Needs /proc: where there is none, only recorded groups are ended.
 * @module
 */
import type { RecordedGroup } from "./group_records.ts";
import { killProcess, type Member, membersOf } from "./process_group.ts";
import { processes } from "./process_identity.ts";

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
  /** Groups that were recorded for these claims. */
  readonly groups?: readonly RecordedGroup[];
}

/** KILL takes effect within milliseconds; a process that is still there hangs in the kernel. */
const GIVE_UP_MS = 5_000;
/** The same when we may not kill any of what is left: others wait for us meanwhile. */
const GIVE_UP_POWERLESS_MS = 200;
const PAUSE_MS = 5;

/** So many are looked at before everything else in this process gets its turn: about 5 ms. */
const READS_IN_A_ROW = 200;

/**
 * KILLs them, and all that they start meanwhile. Returns the processes that are still there when it gives up: those that
 * hang in the kernel, that belong to another user, or that may belong to somebody else. The dead do not count.
 */
export async function endLeftovers({ store, cookies, groups = [] }: Leftovers): Promise<readonly number[]> {
  const wanted = new Set(cookies.map(({ jobId, claim }) => `${claim} ${jobId}`));
  const ours = new Set<RecordedGroup>();
  const began = performance.now();
  while (true) {
    const carriers = wanted.size === 0 ? [] : await carriersOf(wanted, store);
    const left = new Set(carriers);
    const killable = new Set(carriers);
    const present = membersOf(groups.map(({ pgid }) => pgid));
    for (const group of groups) {
      const members = (present.get(group.pgid) ?? []).filter(({ pid }) => pid !== Deno.pid);
      const whose = whoseAre(members, group, store);
      if (whose === "ours") ours.add(group);
      if (whose === "others" && !ours.has(group)) continue;
      for (const { pid } of members) {
        if (!ours.has(group) && isOfAnotherRun(pid, wanted, store)) continue;
        left.add(pid);
        if (ours.has(group)) killable.add(pid);
      }
    }
    const isPowerless = [...killable].filter((pid) => killProcess(pid)).length === 0;
    const spent = performance.now() - began;
    if (left.size === 0 || spent > (isPowerless ? GIVE_UP_POWERLESS_MS : GIVE_UP_MS)) return [...left];
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
}

/** Whether the present members of a group's number are those of the recorded group. */
function whoseAre(members: readonly Member[], recorded: RecordedGroup, store: CookieStore): Whose {
  const { pgid, processStart, members: seen } = recorded;
  if (members.some(({ pid }) => isOfOtherStore(pid, store))) return "others";
  const leader = members.find(({ pid }) => pid === pgid);
  if (seen?.some(({ pid, start }) => members.some((member) => member.pid === pid && member.start === start))) {
    return "ours";
  }
  if (leader === undefined) return "unknown";
  // Its leader had ended when its members were recorded, or another process has its number since.
  if (seen !== undefined || (processStart !== "0" && processStart !== leader.start)) return "others";
  return processStart === "0" ? "unknown" : "ours";
}

type Whose = "ours" | "others" | "unknown";

/** In one sentence, why a job does not run a second time yet. */
export function leftReason(pids: readonly number[]): string {
  return `${named(pids)} of an earlier run ${pids.length === 1 ? "does" : "do"} not end`;
}

/** The same of the run that is not over. */
export function heldReason(pids: readonly number[]): string {
  return `it was ended, but ${named(pids)} of it ${pids.length === 1 ? "does" : "do"} not end`;
}

function named([pid, ...more]: readonly number[]): string {
  return more.length === 0 ? `process ${pid}` : `process ${pid} and ${more.length} more`;
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

/** Its environment names another run, or another store: the number of a group that is gone was used again. */
function isOfAnotherRun(pid: number, wanted: ReadonlySet<string>, store: CookieStore): boolean {
  if (isOfOtherStore(pid, store)) return true;
  const cookie = cookieOf(pid, store);
  return cookie !== undefined && !wanted.has(cookie);
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
