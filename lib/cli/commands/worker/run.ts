/** `queuectl worker run`: one worker in the foreground. @module */
import { loadSettings } from "../../../config/load_settings.ts";
import { parseInteger, parseName } from "../../../core/job_fields.ts";
import { FOREGROUND_POOL } from "../../../core/pool.ts";
import { wholeEnvironment } from "../../../host/own_environment.ts";
import { textLogger } from "../../../log/logger.ts";
import { VERSION } from "../../../version.ts";
import { listenForStop } from "../../../worker/signals.ts";
import { refuseWhileStopped } from "../../../worker/stop_file.ts";
import { runWorker } from "../../../worker/worker.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { commaList, durationMs, integer, isOn, isOnOrOff } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { writeErr } from "../../output/streams.ts";
import { shownText } from "../../output/terminal_text.ts";
import { startUpkeep } from "../../upkeep.ts";

/** More slots than this in one process wait for each other instead of for their jobs. */
const MAX_CONCURRENCY = 256;

export async function run(context: Context, input: Input): Promise<number> {
  const concurrency = integer(input, "concurrency");
  const maxJobs = integer(input, "max-jobs");
  const queues = commaList(input, "queue").map((name) => parseName(name, "queue"));
  const options = {
    concurrency: concurrency === undefined ? undefined : parseInteger(concurrency, "concurrency", 1, MAX_CONCURRENCY),
    maxJobs: maxJobs === undefined ? undefined : parseInteger(maxJobs, "max-jobs", 1, Number.MAX_SAFE_INTEGER),
    queues: queues.length === 0 ? undefined : queues,
    idleExitMs: durationMs(input, "idle-exit"),
    drain: isOn(input, "drain"),
    waitForRetries: isOnOrOff(input, "wait-retries") ?? true,
  };
  // Jobs inherit all of it: a variable that they could not get is told now.
  wholeEnvironment();
  const signals = listenForStop();
  try {
    const store = await context.store("work");
    let settings = await context.settings();
    refuseWhileStopped(store.folder);
    const log = textLogger({
      write: (line) => writeErr(shownText(line, { hasStyles: false })),
      level: () => context.quiet ? "warn" : context.verbose ? "debug" : settings.values.log_level,
      now: () => context.clock.now(),
    });
    const { clock } = context;
    const summary = await runWorker({
      ...options,
      store,
      signals,
      clock,
      log,
      version: VERSION,
      pool: FOREGROUND_POOL,
      startUpkeep: (self) => startUpkeep({ store, clock, log, settings: () => settings.values }, self),
      loadSettings: async () => settings = loadSettings({ env: context.env, stored: await store.settings.all() }),
    });
    const { completed, failed, dead, reason } = summary;
    if (isJsonFormat(context)) printJson(context, summary);
    else context.note(`worker stopped (${reason}): ${completed} completed, ${failed} failed, ${dead} dead`);
    return options.drain && dead > 0 ? 1 : 0;
  } finally {
    signals.close();
  }
}
