/** `queuectl cancel`: by id, or by filter. @module */
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { changeJobs } from "../change_jobs.ts";

export async function run(context: Context, input: Input): Promise<number> {
  return await changeJobs(context, input, {
    verb: "cancel",
    past: "cancelled",
    asks: true,
    states: ["scheduled", "blocked", "pending", "processing", "failed"],
    change: (store, which) => store.jobs.cancel(which),
  });
}
