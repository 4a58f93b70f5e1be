/** `__run ID WORKER`: the detached worker that `queuectl run` starts for its job. @module */
import { loadSettings } from "../../../config/load_settings.ts";
import { textLogger } from "../../../log/logger.ts";
import { RUN_POOL } from "../../../operations/why.ts";
import { VERSION } from "../../../version.ts";
import { OneJob } from "../../../worker/one_job.ts";
import { listenForStop } from "../../../worker/signals.ts";
import { runWorker } from "../../../worker/worker.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { writeErr } from "../../output/streams.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const signals = listenForStop();
  try {
    const store = await context.store("work");
    const job = await store.jobs.find(requiredWord(input, 0));
    let settings = await context.settings();
    await runWorker({
      store,
      signals,
      id: requiredWord(input, 1),
      only: new OneJob(job, { store, clock: context.clock }),
      clock: context.clock,
      version: VERSION,
      pool: RUN_POOL,
      queues: [job.queue],
      concurrency: 1,
      drain: false,
      waitForRetries: true,
      log: textLogger({
        write: writeErr,
        level: () => settings.values.log_level,
        now: () => context.clock.now(),
      }),
      loadSettings: async () => settings = loadSettings({ env: context.env, stored: await store.settings.all() }),
    });
  } finally {
    signals.close();
  }
}
