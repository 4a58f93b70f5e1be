/**
 * What belongs to pools in the folder beside the store: the lock that makes a
 * supervisor the only one, and the file by which it is woken.
 * @module
 */
import { openExisting, openOwnFile } from "../host/own_file.ts";
import { ownFolders } from "../host/own_folder.ts";
import type { PoolKey } from "../store/mod.ts";

export interface HeldLock {
  release(): void;
}

/** Undefined while another process looks after this pool. The kernel frees it when its holder dies. */
export function takeSupervisorLock(folder: string, key: PoolKey): HeldLock | undefined {
  const file = openLock(folder, key);
  if (file.tryLockSync(true)) return { release: () => file.close() };
  file.close();
  return undefined;
}

/** Whether a supervisor looks after the pool, on this host. */
export function isSupervised(folder: string, key: PoolKey): boolean {
  let file: Deno.FsFile;
  try {
    file = openExisting(supervisorLockPath(folder, key), { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  // Shared, so that two who ask do not take each other for a supervisor.
  const isFree = file.tryLockSync(false);
  file.close();
  return !isFree;
}

/** Those who decide on a pool (start, scale, restart, stop) do it one after the other. */
export async function decidingOn<T>(folder: string, key: PoolKey, decide: () => Promise<T>): Promise<T> {
  ownFolders(folder, "run");
  const file = openOwnFile(`${folder}/run/pool-${key.name}.lock`, { write: true });
  // Not `using`: see refuseLostUsing() of tools/compile/pack.ts.
  try {
    await file.lock(true);
    return await decide();
  } finally {
    file.close();
  }
}

/** As `decidingOn`; returns at once, having done nothing, while somebody else decides. */
export async function decidingNow(folder: string, key: PoolKey, decide: () => Promise<void>): Promise<void> {
  const file = openOwnFile(`${folder}/run/pool-${key.name}.lock`, { write: true });
  try {
    if (file.tryLockSync(true)) await decide();
  } finally {
    file.close();
  }
}

function openLock(folder: string, key: PoolKey): Deno.FsFile {
  ownFolders(folder, "run");
  return openOwnFile(supervisorLockPath(folder, key), { read: true, write: true });
}

/** With the host: containers that share a volume have pools of the same name. */
export function supervisorLockPath(folder: string, { name, host }: PoolKey): string {
  return `${folder}/run/supervisor-${name}@${host.replaceAll("/", "_")}.lock`;
}

/** Tells supervisors that something was asked of their pools. */
export function wakeSupervisors(folder: string): void {
  try {
    const now = new Date();
    Deno.utimeSync(`${folder}/run/pools/wake`, now, now);
  } catch {
    // No supervisor ever ran here; and one that does also looks by itself.
  }
}

export interface PoolWatch {
  /** False where the system does not let us: then one has to look. */
  readonly isWatching: boolean;
  close(): Promise<void>;
}

/** Calls back soon after each `wakeSupervisors`. */
export function watchPools(folder: string, onWake: () => void): PoolWatch {
  const wakeFolder = `${folder}/run/pools`;
  let watcher: Deno.FsWatcher;
  try {
    ownFolders(folder, "run", "pools");
    openOwnFile(`${wakeFolder}/wake`, { write: true }).close();
    watcher = Deno.watchFs(wakeFolder, { recursive: false });
  } catch {
    // The system is out of watches.
    return { isWatching: false, close: () => Promise.resolve() };
  }
  const isOver = (async () => {
    for await (const _event of watcher) onWake();
  })().catch(() => {});
  return {
    isWatching: true,
    close() {
      watcher.close();
      return isOver;
    },
  };
}
