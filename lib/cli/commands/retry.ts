/** `queuectl retry`: runs jobs now, with a fresh count of attempts. @module */
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { changeJobs } from "../change_jobs.ts";

export async function run(context: Context, input: Input): Promise<number> {
  return await changeJobs(context, input, {
    verb: "retry",
    past: "will run again",
    asks: false,
    states: ["scheduled", "failed", "completed", "dead", "cancelled"],
    change: (store, which) => store.jobs.retry(which),
  });
}
