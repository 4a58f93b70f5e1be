/** `queuectl queue list`: queues, their limits and how many jobs they hold. @module */
import { STATES } from "../../../core/job_state.ts";
import { formatDurationExact } from "../../../core/duration.ts";
import type { Queue } from "../../../store/store.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { printList } from "../../output/format_list.ts";

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
      name: queue.name,
      paused: queue.paused,
      concurrency: queue.concurrency,
      rate: rateText(queue),
      max_pending: queue.max_pending,
      jobs: Object.fromEntries(STATES.map((state) => [state, of(queue, state)])),
    }),
    whenEmpty: "No queues: one is made when it is first used",
  });
}

function rateText({ rate }: Queue): string | null {
  return rate === null ? null : `${rate.count}/${formatDurationExact(rate.ms)}`;
}

function limitsText(queue: Queue): string | null {
  const limits = [
    queue.concurrency === null ? null : `concurrency ${queue.concurrency}`,
    queue.rate === null ? null : `rate ${rateText(queue)}`,
    queue.max_pending === null ? null : `max pending ${queue.max_pending}`,
  ].filter((text) => text !== null);
  return limits.length === 0 ? null : limits.join(", ");
}
