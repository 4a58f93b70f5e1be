/**
 * The job of `--on-batch-done CMD`: a shell command in the directory of the
 * one who asks, with the usual settings.
 * @module
 */
import { currentDirectory } from "../host/current_directory.ts";
import { jobDefaults } from "../config/job_defaults.ts";
import { readNewJob } from "../core/job_fields.ts";
import type { NewJob } from "../core/job.ts";
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";

/** undefined when it was not asked for. @throws {UsageError} */
export async function onBatchDone(context: Context, input: Input): Promise<NewJob | undefined> {
  const command = input.flags.get("on-batch-done");
  if (command === undefined) return undefined;
  const defaults = jobDefaults(await context.settings(), { now: context.clock.now(), cwd: currentDirectory() });
  return readNewJob({ command }, defaults);
}
