/** `queuectl dlq retry`: gives dead jobs another life. @module */
import { ConflictError, quoted, UsageError } from "../../../core/errors.ts";
import type { JobSelection, Store } from "../../../store/store.ts";
import { changeJobs } from "../../change_jobs.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isOn } from "../../input.ts";
import { jobFilter, jobSelection } from "../../job_filter.ts";

export async function run(context: Context, input: Input): Promise<number> {
  const all = isOn(input, "all");
  if (all && input.words.length > 0) throw new UsageError("Cannot take both ids and --all: give one");
  return await changeJobs(context, input, {
    verb: "retry",
    past: "will run again",
    asks: false,
    states: ["dead"],
    selection: all ? { filter: jobFilter(context, input) } : jobSelection(context, input),
    change: async (store, which) => {
      await refuseLiving(store, which);
      return await store.jobs.retry(which);
    },
  });
}

/** `retry` takes any finished job; this one must not run a completed job again by mistake. */
async function refuseLiving(store: Store, which: JobSelection): Promise<void> {
  if (!("ids" in which)) return;
  for (const id of which.ids) {
    const job = await store.jobs.find(id);
    if (job.state !== "dead") {
      throw new ConflictError(`Cannot retry dead job ${quoted(job.id)}: it is ${job.state}`, {
        hint: `queuectl retry ${job.id}`,
      });
    }
  }
}
