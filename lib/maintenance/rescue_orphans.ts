/**
 * Gives back the jobs of workers that are gone.
 *
 * Before a job is given back, every process of its run that is on this host has
 * ended. A late worker elsewhere may still be running it; it can no longer
 * report, because reporting needs the claim that is taken away here.
 * @module
 */
import { formatDuration } from "../core/duration.ts";
import { endLeftovers, leftReason } from "../host/leftovers.ts";
import { holdsItsLock } from "../host/own_process.ts";
import { signalProcess } from "../host/process_group.ts";
import { effectiveLeaseMs, type Party, type Presence, PresenceWatch, releaseLocks } from "./presence.ts";
import type { MaintenanceContext, MaintenanceTask, TaskCounts } from "./task.ts";

/** Looks again and again: silence is seen between two calls, so that one such task serves a whole process. */
export function orphanRescue(context: Pick<MaintenanceContext, "store" | "clock">): MaintenanceTask {
  const watch = new PresenceWatch(context.clock, `${context.store.folder}/run`);
  let underWay: Promise<TaskCounts> | undefined;
  return {
    // Maintenance and an idle worker of the same process may ask at the same time.
    runOnce: (context) => underWay ??= rescueAll(context, watch).finally(() => underWay = undefined),
  };
}

async function rescueAll(context: MaintenanceContext, watch: PresenceWatch): Promise<TaskCounts> {
  const { store, settings } = context;
  const strays = await store.workers.strays();
  const workers: readonly Party[] = [...await store.workers.list(), ...strays.map(stray)];
  const presences = new Map(watch.look(workers, { leaseMs: effectiveLeaseMs(settings()) }));
  const counts = { workers: 0, jobs: 0, hanging: 0 };
  try {
    for (const worker of workers) {
      const presence = presences.get(worker.id);
      if (presence?.kind === "hangs") counts.hanging += endHanging(worker, context);
      if (presence?.kind !== "gone") continue;
      presences.delete(worker.id);
      const jobs = await rescueWorker(worker, presence, context);
      if (jobs === undefined) continue;
      counts.workers++;
      counts.jobs += jobs;
    }
    return counts;
  } finally {
    // When the store gave up on one, the next look is to find the locks of the others free.
    releaseLocks(presences.values());
  }
}

/** It holds jobs, and nobody knows where it is or was: only its silence tells. */
function stray(id: string): Party {
  return { id, host: "", boot_id: "", pid_namespace: "", pid: 0, process_start: "", beat: -1 };
}

/** Its lock is free a moment later, and then it is gone like any other. */
export function endHanging(party: Party, { log, store }: Pick<MaintenanceContext, "log" | "store">): number {
  if (!holdsItsLock(party, `${store.folder}/run`)) return 0;
  const { id, pid } = party;
  log.warn("worker hangs: killed", { id, pid });
  signalProcess(pid, "SIGKILL");
  return 1;
}

/** Has the lock from here on. Returns how many jobs; undefined when something of it cannot be ended and it has to wait. */
async function rescueWorker(
  worker: Party,
  { lock, how }: Presence & { kind: "gone" },
  { store, settings, log }: MaintenanceContext,
): Promise<number | undefined> {
  let isOver = false;
  try {
    const held = await store.workers.holdings(worker.id);
    const cookies = held.map(({ id, claim }) => ({ jobId: id, claim }));
    const left = await endLeftovers({ store, cookies, groups: lock?.groups ?? [] });
    if (left.length > 0) {
      const reason = leftReason(left);
      log.warn("jobs not rescued yet", { worker: worker.id, jobs: held.length, reason });
      await store.jobs.explain(held, reason);
      return undefined;
    }
    const finished = await store.jobs.rescue({
      workerId: worker.id,
      beat: worker.beat,
      held,
      reason: reasonOf(worker, how, effectiveLeaseMs(settings())),
      maxCrashes: settings().max_crashes,
      deadAreRetried: settings().dead_retry_after > 0,
    });
    const idOf = new Map(held.map(({ seq, id }) => [seq, id]));
    for (const { seq, state, reason } of finished) {
      log.warn("job rescued", { id: idOf.get(seq), worker: worker.id, state, reason });
    }
    isOver = true;
    return finished.length;
  } finally {
    if (isOver) lock?.remove();
    else lock?.release();
  }
}

function reasonOf({ host, pid }: Party, how: "lock" | "silence", leaseMs: number): string | undefined {
  if (host === "") return "it was not registered";
  const who = `process ${pid} on ${host}`;
  return how === "lock" ? `${who} is gone` : `no sign of life of ${who} for ${formatDuration(leaseMs)}`;
}
