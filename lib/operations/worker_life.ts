/**
 * Whether a registered worker lives, as far as this host can tell without
 * touching anything.
 * @module
 */
import { COPIED, type HostIdentity, isRunning, isSameHost } from "../host/process_identity.ts";
import { workerLockPath, workerLockState } from "../host/worker_lock.ts";
import type { WorkerRecord } from "../store/mod.ts";

/** `unknown`: on another machine, or hidden from us by a container; only its heartbeats tell. */
export type WorkerLife = "alive" | "dead" | "unknown";

export interface LifeSigns {
  /** The host that looks. */
  readonly here: HostIdentity;
  /** `<db>.d/run`, where workers hold their locks. */
  readonly runFolder: string;
}

export function lifeOf(worker: WorkerRecord, { here, runFolder }: LifeSigns): WorkerLife {
  const lock = workerLockState(runFolder, worker.id);
  // Of another database, of which this one is a copy; unless it holds its lock here, and the copy was moved in.
  if (worker.boot_id === COPIED) return lock === "held" ? "alive" : "dead";
  const isKnown = lock === "held" || lock === "free";
  if (isSameHost(worker, here)) {
    // The process is asked, too: somebody may have cleared the folder, or it is another user's worker, or its lock is
    // in the hands of the one who cleans up after it.
    return lock !== "free" && isRunning(worker.pid, worker.process_start) ? "alive" : "dead";
  }
  if (worker.host !== here.host) return "unknown";
  // Of a boot of this host that is over; what is not known proves nothing.
  const isOtherBoot = worker.pid_namespace === here.pid_namespace && worker.boot_id !== "" && here.boot_id !== "" &&
    worker.boot_id !== here.boot_id;
  if (isOtherBoot) return "dead";
  // In another container perhaps, where the numbers of processes mean nothing to us: its lock does, within reach.
  return !isKnown ? "unknown" : lock === "held" ? "alive" : "dead";
}

/** Far beyond any lease: who has not beaten for so long is not coming back by itself. */
const SILENCE_MS = 10 * 60_000;

/** Whether a worker may still be at work: it lives, or nothing but a short silence speaks against it. */
export function mayLive(worker: WorkerRecord, life: WorkerLife, now: number): boolean {
  return life === "alive" || (life === "unknown" && now - worker.beat_at <= SILENCE_MS);
}

/** Ids of all who hold a lock here, registered or not: also when the registrations cannot be read any more. */
export function lockHolders(runFolder: string): string[] {
  return locksIn(runFolder).map(({ id }) => id).filter((id) =>
    ["held", "foreign"].includes(workerLockState(runFolder, id))
  );
}

/** Lock files whose owner is gone. */
export function freeLocks(runFolder: string): { readonly id: string; readonly path: string }[] {
  return locksIn(runFolder).filter(({ id }) => workerLockState(runFolder, id) === "free");
}

function locksIn(runFolder: string): { readonly id: string; readonly path: string }[] {
  try {
    return [...Deno.readDirSync(runFolder)].flatMap(({ name }) => {
      const id = /^worker-(.+)\.lock$/.exec(name)?.[1];
      return id === undefined ? [] : [{ id, path: workerLockPath(runFolder, id) }];
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return []; // no worker ever ran here
    throw error;
  }
}
