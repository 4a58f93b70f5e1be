/**
 * A database that is made ready beside its place, and put there when it is
 * whole: for restoring and salvaging.
 * @module
 */
import { ConflictError, quotedPath } from "../../../core/errors.ts";
import type { Actor } from "../../store.ts";
import { exists, publish, removeQuietly, sync } from "../copy.ts";
import { openDriver } from "../driver.ts";
import { giveNewIdentity } from "../identity.ts";
import { openSqliteStore } from "../sqlite_store.ts";

/** What SQLite keeps beside a file. */
export const BESIDE = ["-wal", "-shm", "-journal"];

/** Makes a database under another name, and gives it its own when all went well. @throws {ConflictError} when that is taken. */
export async function publishNew<T>(file: string, make: (staging: string) => Promise<T>): Promise<T> {
  if (exists(file)) {
    throw new ConflictError(`Cannot write ${quotedPath(file)}: the file exists`, { hint: "choose another name" });
  }
  return await withStaging(file, async (staging) => {
    const made = await make(staging);
    sync(staging);
    publish(staging, file, false);
    return made;
  });
}

/** Hands out a name beside `file`; whatever is left under it afterwards is removed. */
export async function withStaging<T>(file: string, work: (staging: string) => Promise<T>): Promise<T> {
  const staging = `${file}.${Deno.pid}.staging`;
  try {
    return await work(staging);
  } finally {
    for (const ending of ["", ...BESIDE]) removeQuietly(staging + ending);
    try {
      Deno.removeSync(`${staging}.d`, { recursive: true });
    } catch {
      // Most of the time there is none.
    }
  }
}

export interface SettleOptions {
  readonly now: number;
  /** Written to the audit as `restore`, with what was restored. */
  readonly audit?: { readonly actor: Actor; readonly source: string } | undefined;
  /** Jobs that come get higher numbers than this: their output files must not meet those of others. */
  readonly lastSeq?: number | undefined;
}

/**
 * Makes a copy that was taken at some moment fit to go on from now: nobody
 * works, nobody holds a duty, and what was running is pending again with its
 * attempt given back. Leaves one file in WAL mode with nothing beside it.
 * Returns how many jobs were running.
 */
export async function settleCopy(path: string, { now, audit, lastSeq = 0 }: SettleOptions): Promise<number> {
  const clock = { now: () => now, monotonic: () => performance.now() };
  const store = await openSqliteStore(path, { mode: "write", clock });
  let released = 0;
  try {
    for await (const page of store.jobs.pages({ states: ["processing"] })) {
      await store.jobs.finish(page.map((job) => ({
        seq: job.seq,
        claim: job.claim,
        result: { kind: "interrupted" },
        finishedAt: now,
        durationMs: Math.max(0, now - (job.started_at ?? now)),
        maxCrashes: Infinity,
        random: 0,
      })));
      released += page.length;
    }
    for (const { id } of await store.workers.list()) await store.workers.unregister(id);
  } finally {
    await store.close();
  }
  const driver = openDriver(path, { busyTimeoutMs: 0 });
  try {
    driver.prepare("pragma journal_mode = wal").get();
    giveNewIdentity(driver, path);
    driver.prepare("update sqlite_sequence set seq = max(seq, ?) where name = 'jobs'").run(lastSeq);
    if (audit !== undefined) {
      const { user, host, pid } = audit.actor;
      driver.prepare("insert into audit (at, user, host, pid, action, target) values (?, ?, ?, ?, 'restore', ?)")
        .run(now, user, host, pid, audit.source);
    }
  } finally {
    // As the last one it brings the log into the file.
    driver.close();
  }
  return released;
}
