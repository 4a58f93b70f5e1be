/** `__run ID WORKER`: the detached worker that `queuectl run` starts for its job. @module */
import { RUN_POOL } from "../../../core/pool.ts";
import { VERSION } from "../../../version.ts";
import { OneJob } from "../../../worker/one_job.ts";
import { listenForStop } from "../../../worker/signals.ts";
import { runWorker } from "../../../worker/worker.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { openPoolLog } from "../../pool_log.ts";
import { upkeepForLater } from "../../running/upkeep_for_later.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const signals = listenForStop();
  const store = await context.store("work");
  const { clock } = context;
  const { log, settings, reloadSettings } = openPoolLog(context, store, { pool: RUN_POOL, role: "worker" });
  try {
    const job = await store.jobs.find(requiredWord(input, 0));
    await runWorker({
      store,
      signals,
      clock,
      log,
      id: requiredWord(input, 1),
      only: new OneJob(job, { store, clock }),
      version: VERSION,
      pool: RUN_POOL,
      queues: [job.queue],
      concurrency: 1,
      drain: false,
      waitForRetries: true,
      trouble: () => log.trouble(),
      startUpkeep: (self) => upkeepForLater({ store, clock, log, settings }, self),
      loadSettings: reloadSettings,
    });
  } catch (error) {
    log.error("worker failed", { reason: error instanceof Error ? error.message : String(error) });
    throw error;
  } finally {
    signals.close();
    log.close();
  }
}
