/**
 * Puts a backup in the place of the store, when nobody works on it.
 * @module
 */
import { ConflictError } from "../core/errors.ts";
import { endLeftovers } from "../host/leftovers.ts";
import { hostIdentity } from "../host/process_identity.ts";
import type { Actor, Restored, Store, StoreCare } from "../store/mod.ts";
import { forgetBootCheck } from "./boot_check.ts";
import { lifeOf, lockHolders, mayLive } from "./worker_life.ts";

export interface RestoreRequest {
  readonly care: StoreCare;
  /** Opens the present store; a damaged one may refuse, and then its locks alone tell who works. */
  readonly open: () => Promise<Store>;
  readonly file: string;
  readonly now: number;
  readonly actor: Actor;
}

/** @throws {ConflictError} while a worker lives. */
export async function restore(request: RestoreRequest): Promise<Restored> {
  await refuseWhileWorking(request);
  await endLeftRuns(request);
  const restored = await request.care.restore(request.file, { now: request.now, actor: request.actor });
  forgetBootCheck(request.care.folder);
  return restored;
}

/** @throws {ConflictError} while a worker lives, as far as can be told. */
export async function refuseWhileWorking({ care, open, now }: Omit<RestoreRequest, "file" | "actor">): Promise<void> {
  const runFolder = `${care.folder}/run`;
  const holders = new Set(lockHolders(runFolder));
  if (care.exists()) {
    for (const worker of await registered(open)) {
      if (mayLive(worker, lifeOf(worker, { here: hostIdentity(), runFolder }), now)) holders.add(worker.id);
    }
  }
  if (holders.size === 0) return;
  const who = holders.size === 1 ? `worker ${[...holders][0]} is` : `${holders.size} workers are`;
  throw new ConflictError(`Cannot restore while workers use the database: ${who} registered and alive`, {
    hint: "queuectl worker stop, then restore again",
  });
}

/**
 * What killed workers left running of the jobs that are about to be replaced. Afterwards nobody could tell whose it is,
 * and a restored job of the same id would run beside it.
 */
async function endLeftRuns({ care, open }: Pick<RestoreRequest, "care" | "open">): Promise<void> {
  if (!care.exists()) return;
  let store: Store | undefined;
  try {
    store = await open();
    const jobs = await store.jobs.list({ states: ["processing"] });
    await endLeftovers({ store, cookies: jobs.map(({ id, claim }) => ({ jobId: id, claim })) });
  } catch {
    // Damaged, newer, or no database: it does not tell what ran.
  } finally {
    await store?.close();
  }
}

async function registered(open: () => Promise<Store>) {
  let store: Store | undefined;
  try {
    store = await open();
    return await store.workers.list();
  } catch {
    // Damaged, newer, or no database: that is why it is being replaced.
    return [];
  } finally {
    await store?.close();
  }
}
