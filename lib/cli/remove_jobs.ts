/**
 * The common part of commands that remove finished jobs: count, ask, remove.
 * @module
 */
import type { JobState } from "../core/job_state.ts";
import { removeFinishedJobs } from "../operations/remove_finished_jobs.ts";
import type { JobFilter } from "../store/store.ts";
import type { Input } from "./command.ts";
import { confirm } from "./confirm.ts";
import type { Context } from "./context.ts";
import { durationMs, isOn } from "./input.ts";
import { jobFilter } from "./job_filter.ts";
import { isJsonFormat, printJson } from "./output/json.ts";
import { progressFor } from "./output/progress.ts";

export interface Removal {
  readonly states: readonly JobState[];
  /** For the question: `dead jobs`. */
  readonly what: string;
}

export async function removeCommand(context: Context, input: Input, { states, what }: Removal): Promise<number> {
  const olderMs = durationMs(input, "older-than");
  const filter: JobFilter = {
    ...jobFilter(context, input),
    states,
    ...(olderMs === undefined ? {} : { finishedBefore: context.clock.now() - olderMs + 1 }),
  };
  const isDry = input.flags.has("dry-run") && isOn(input, "dry-run");
  const store = await context.store(isDry ? "read" : "write");
  const count = await store.jobs.count(filter);
  if (!isDry && count > 1 && !confirm(context, `Remove ${count} ${what}, with their runs and output?`)) {
    context.note("Nothing was removed");
    return 1;
  }
  const progress = progressFor(context);
  const removed = isDry ? 0 : await removeFinishedJobs(store, filter, {
    onRemoved: (done) => progress.show("Removing", done, count),
  }).finally(() => progress.clear());
  if (isJsonFormat(context)) printJson(context, isDry ? { would_remove: count } : { removed });
  else context.note(isDry ? `Would remove ${count} jobs` : `Removed ${removed} jobs`);
  return 0;
}
