/** `__worker`: one worker of a pool, as its supervisor starts it. @module */
import { USUAL_POOL } from "../../../core/pool.ts";
import { VERSION } from "../../../version.ts";
import { listenForStop } from "../../../worker/signals.ts";
import { watchSupervisor } from "../../../worker/supervisor_watch.ts";
import { runWorker } from "../../../worker/worker.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { commaList, integer, text } from "../../input.ts";
import { effectiveLeaseMs } from "../../../maintenance/presence.ts";
import { openPoolLog } from "../../pool_log.ts";
import { startSupervisor } from "../../start_supervisor.ts";
import { startUpkeep } from "../../upkeep.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const pool = text(input, "pool") ?? USUAL_POOL;
  const host = text(input, "host") ?? Deno.hostname();
  const queues = commaList(input, "queue");
  const signals = listenForStop();
  const store = await context.store("work");
  const { log, settings, reloadSettings } = openPoolLog(context, store, { pool, role: "worker" });
  const key = { name: pool, host };
  let isStopping = false;
  void signals.first.then(() => isStopping = true);
  const watch = watchSupervisor({
    store,
    log,
    key,
    clock: context.clock,
    leaseMs: () => effectiveLeaseMs(settings()),
    isStopping: () => isStopping,
    startSupervisor: () => startSupervisor(context, key),
  });
  try {
    // While it was starting, the pool may have been stopped, and nobody left who would tell.
    if ((await store.pools.find(key))?.state !== "running") return;
    const { reason, ...counts } = await runWorker({
      store,
      signals,
      log,
      clock: context.clock,
      version: VERSION,
      pool,
      host,
      generation: integer(input, "generation"),
      concurrency: integer(input, "concurrency"),
      queues: queues.length === 0 ? undefined : queues,
      drain: false,
      waitForRetries: true,
      trouble: () => log.trouble(),
      loadSettings: reloadSettings,
      startUpkeep: (self) => startUpkeep({ store, clock: context.clock, log, settings }, self),
    });
    log.info("worker stopped", { reason, ...counts });
  } catch (error) {
    log.error("worker failed", { reason: error instanceof Error ? error.message : String(error) });
    throw error;
  } finally {
    await watch.stop();
    signals.close();
    log.close();
  }
}
