/** `queuectl queue list`: queues, their limits and how many jobs they hold. @module */
import { STATES } from "../../../core/job_state.ts";
import type { Queue } from "../../../store/store.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { printList } from "../../output/format_list.ts";
import { limitsText, queueToJson } from "../../output/queue_view.ts";

export async function run(context: Context, _input: Input): Promise<void> {
  const store = await context.store("read");
  const counts = await store.jobs.counts();
  const of = (queue: Queue, state: string) =>
    counts.find((count) => count.queue === queue.name && count.state === state)?.n ?? 0;
  const waiting = (queue: Queue) => ["pending", "scheduled", "failed", "blocked"].reduce((n, s) => n + of(queue, s), 0);
  await printList(context, await store.queues.list(), {
    columns: [
      { header: "QUEUE", value: (queue) => queue.name },
      {
        header: "STATE",
        value: (queue) => queue.paused ? "paused" : "open",
        style: (queue) => queue.paused ? "warning" : "good",
      },
      { header: "WAITING", align: "right", value: waiting },
      { header: "RUNNING", align: "right", value: (queue) => of(queue, "processing") },
      { header: "DEAD", align: "right", value: (queue) => of(queue, "dead") },
      { header: "LIMITS", value: limitsText },
    ],
    toJson: (queue) => ({
      ...queueToJson(queue),
      jobs: Object.fromEntries(STATES.map((state) => [state, of(queue, state)])),
    }),
    whenEmpty: "No queues: one is made when it is first used",
  });
}
