/** `queuectl queue clear`: cancels everything in a queue that waits; what runs goes on. @module */
import { NotFoundError, quoted } from "../../../core/errors.ts";
import { changeJobs } from "../../change_jobs.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";

export async function run(context: Context, input: Input): Promise<number> {
  const name = requiredWord(input, 0);
  const store = await context.store("write");
  if (!(await store.queues.list()).some((queue) => queue.name === name)) {
    throw new NotFoundError(`No queue ${quoted(name)}`, { hint: "queuectl queue list" });
  }
  return await changeJobs(context, input, {
    verb: "cancel",
    past: "cancelled",
    asks: true,
    states: ["scheduled", "blocked", "pending", "failed"],
    selection: { filter: { queues: [name] } },
    change: (store, which) => store.jobs.cancel(which),
  });
}
