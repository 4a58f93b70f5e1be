/**
 * How queues and their limits look to people and scripts.
 * @module
 */
import type { Json } from "../../core/job_json.ts";
import { formatRate } from "../../core/queue_limits.ts";
import type { Queue } from "../../store/store.ts";

export function queueToJson(queue: Queue): Record<string, Json> {
  return {
    name: queue.name,
    paused: queue.paused,
    concurrency: queue.concurrency,
    rate: queue.rate === null ? null : formatRate(queue.rate),
    max_pending: queue.max_pending,
  };
}

/** On one line; null when it has none. */
export function limitsText({ concurrency, rate, max_pending }: Queue): string | null {
  const limits = [
    concurrency === null ? null : `concurrency ${concurrency}`,
    rate === null ? null : `rate ${formatRate(rate)}`,
    max_pending === null ? null : `max pending ${max_pending}`,
  ].filter((text) => text !== null);
  return limits.length === 0 ? null : limits.join(", ");
}
