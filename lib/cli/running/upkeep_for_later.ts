/**
 * Upkeep that keeps out of the way of a job whose caller waits for it: it
 * begins when the worker has lived for a moment, when it looks for lost jobs,
 * or at the latest when its job is done. So a host on which nothing but
 * `queuectl run` runs, from cron, still has its store maintained.
 * @module
 */
import type { MaintenanceContext } from "../../maintenance/task.ts";
import type { LeaseHolder } from "../../store/mod.ts";
import type { Upkeep } from "../../worker/worker.ts";

/** Most jobs for which somebody waits have begun by then. */
const BEGIN_MS = 1_000;

export function upkeepForLater(context: Omit<MaintenanceContext, "signal">, self: LeaseHolder): Upkeep {
  let begun: Promise<Upkeep> | undefined;
  let upkeep: Upkeep | undefined;
  const begin = () =>
    begun ??= (async () => {
      const { startUpkeep } = await import("../upkeep.ts");
      return upkeep = startUpkeep(context, self);
    })();
  const timer = setTimeout(begin, BEGIN_MS);
  return {
    rescue: async () => await (await begin()).rescue(),
    isMaintaining: () => upkeep?.isMaintaining() ?? false,
    async stop() {
      clearTimeout(timer);
      await (await begin()).stop();
    },
  };
}
