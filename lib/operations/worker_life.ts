/**
 * Whether a registered worker lives, as far as this host can tell without
 * touching anything.
 * @module
 */
import { type HostIdentity, isSameHost } from "../host/process_identity.ts";
import type { WorkerRecord } from "../store/mod.ts";

/** `silent`: on another host or out of reach, and not heard of for long. */
export type WorkerLife = "alive" | "gone" | "silent";

/** Far beyond any lease: who has not beaten for so long is not coming back by itself. */
const SILENCE_MS = 10 * 60_000;

export interface LifeOptions {
  readonly here: HostIdentity;
  /** `<db>.d/run`, where workers hold their locks. */
  readonly runFolder: string;
  readonly now: number;
}

export function lifeOf(worker: WorkerRecord, { here, runFolder, now }: LifeOptions): WorkerLife {
  // Of a boot of this host that is over; what is unknown proves nothing.
  const isOtherBoot = worker.host === here.host && worker.pid_namespace === here.pid_namespace &&
    worker.boot_id !== "" && here.boot_id !== "" && worker.boot_id !== here.boot_id;
  if (isOtherBoot) return "gone";
  if (isSameHost(worker, here)) return isLockHeld(lockOf(runFolder, worker.id)) ? "alive" : "gone";
  return now - worker.beat_at > SILENCE_MS ? "silent" : "alive";
}

/** Ids of all who hold a lock here, registered or not: also when the registrations cannot be read any more. */
export function lockHolders(runFolder: string): string[] {
  return locksIn(runFolder).filter(({ path }) => isLockHeld(path)).map(({ id }) => id);
}

/** Lock files whose owner is gone. */
export function freeLocks(runFolder: string): { readonly id: string; readonly path: string }[] {
  return locksIn(runFolder).filter(({ path }) => !isLockHeld(path));
}

function locksIn(runFolder: string): { readonly id: string; readonly path: string }[] {
  try {
    return [...Deno.readDirSync(runFolder)].flatMap(({ name }) => {
      const id = /^worker-(.+)\.lock$/.exec(name)?.[1];
      return id === undefined ? [] : [{ id, path: lockOf(runFolder, id) }];
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return []; // no worker ever ran here
    throw error;
  }
}

function lockOf(runFolder: string, id: string): string {
  return `${runFolder}/worker-${id}.lock`;
}

/** Shared, so that two who look do not take each other for the worker. */
function isLockHeld(path: string): boolean {
  try {
    using file = Deno.openSync(path, { read: true });
    return !file.tryLockSync(false);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
