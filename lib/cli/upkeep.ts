/**
 * What every long-lived process of a queue does beside its own work: tries for
 * the duty of maintenance, and rescues when it has nothing else to do. Here the
 * tasks meet those who run them.
 * @module
 */
import { runOnce as expireJobs } from "../maintenance/expire_jobs.ts";
import { hostIdentity } from "../host/process_identity.ts";
import { checkAfterBoot } from "../maintenance/check_after_boot.ts";
import { runOnce as freeReservedJobs } from "../maintenance/free_reserved_jobs.ts";
import { runOnce as forgetPools } from "../maintenance/forget_pools.ts";
import { type Maintainer, type ScheduledTask, startMaintainer } from "../maintenance/maintainer.ts";
import { runOnce as pruneAudit } from "../maintenance/prune_audit.ts";
import { runOnce as pruneFinishedJobs } from "../maintenance/prune_finished_jobs.ts";
import { runOnce as pruneHistory } from "../maintenance/prune_history.ts";
import { recorded } from "../maintenance/recorded_task.ts";
import { orphanRescue } from "../maintenance/rescue_orphans.ts";
import { runOnce as reviveDeadJobs } from "../maintenance/revive_dead_jobs.ts";
import { runOnce as settleChildren } from "../maintenance/settle_children.ts";
import type { MaintenanceContext } from "../maintenance/task.ts";
import type { LeaseHolder } from "../store/mod.ts";
import type { Upkeep } from "../worker/worker.ts";
import { quickCheckProcess } from "./quick_check_process.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const RESCUE = "rescue orphans";

/** All tasks of maintenance. Rescue is the same object for maintenance and for an idle worker: it remembers what it saw. */
function scheduledTasks(rescue: ScheduledTask["task"], location: string): readonly ScheduledTask[] {
  const tasks: readonly ScheduledTask[] = [
    { name: RESCUE, task: rescue, intervalMs: () => 2 * SECOND_MS },
    { name: "free reserved jobs", task: { runOnce: freeReservedJobs }, intervalMs: () => 6 * SECOND_MS },
    { name: "expire jobs", task: { runOnce: expireJobs }, intervalMs: () => 6 * SECOND_MS },
    { name: "settle children", task: { runOnce: settleChildren }, intervalMs: () => 6 * SECOND_MS },
    { name: "revive dead jobs", task: { runOnce: reviveDeadJobs }, intervalMs: () => MINUTE_MS },
    { name: "prune finished jobs", task: { runOnce: pruneFinishedJobs }, intervalMs: () => MINUTE_MS },
    { name: "forget pools", task: { runOnce: forgetPools }, intervalMs: () => HOUR_MS },
    { name: "prune history", task: { runOnce: pruneHistory }, intervalMs: () => HOUR_MS },
    { name: "prune audit", task: { runOnce: pruneAudit }, intervalMs: () => HOUR_MS },
  ];
  const bootCheck = checkAfterBoot({
    bootId: hostIdentity().boot_id,
    check: (signal) => quickCheckProcess(location, signal),
  });
  return [
    // Rescue is recorded already.
    ...tasks.map((task) => task.name === RESCUE ? task : { ...task, task: recorded(task.name, task.task) }),
    // Not recorded in the store: it may be damaged.
    { name: "check after boot", task: bootCheck, intervalMs: () => 10 * SECOND_MS },
  ];
}

/** `self` must hold the worker lock of its id. */
export function startUpkeep(context: Omit<MaintenanceContext, "signal">, self: LeaseHolder): Upkeep {
  const rescue = recorded(RESCUE, orphanRescue(context));
  const maintainer: Maintainer = startMaintainer({
    context,
    self,
    tasks: scheduledTasks(rescue, context.store.location),
  });
  return {
    rescue: async () => (await rescue.runOnce(context)).jobs ?? 0,
    isMaintaining: () => maintainer.isHolder,
    stop: () => maintainer.stop(),
  };
}
