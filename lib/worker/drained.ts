/**
 * When a worker that drains has done its share.
 * @module
 */
import type { WorkerOptions } from "./worker_options.ts";

/** Whether nothing is left that this worker could run, now or when its retry is due. */
export async function isDrained({ store, queues, waitForRetries }: WorkerOptions): Promise<boolean> {
  const waitsFor = waitForRetries ? ["pending", "failed"] : ["pending"];
  const paused = new Set((await store.queues.list()).filter((queue) => queue.paused).map(({ name }) => name));
  const counts = await store.jobs.counts();
  return !counts.some(({ queue, state }) =>
    waitsFor.includes(state) && !paused.has(queue) && (queues?.includes(queue) ?? true)
  );
}
