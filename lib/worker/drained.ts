/**
 * When a worker that drains has done its share.
 * @module
 */
import type { WorkerOptions } from "./worker_options.ts";

/**
 * Whether nothing is left that this worker could run, now or when its retry is due. Children that still wait for a job
 * that ended are told first: that may cancel them, and make the job that follows their batch.
 */
export async function isDrained(
  options: WorkerOptions,
  { deadAreRetried }: { deadAreRetried: boolean },
): Promise<boolean> {
  if (await isWaiting(options)) return false;
  await options.store.jobs.settle(deadAreRetried);
  return !await isWaiting(options);
}

async function isWaiting({ store, queues, waitForRetries }: WorkerOptions): Promise<boolean> {
  const waitsFor = waitForRetries ? ["pending", "failed"] : ["pending"];
  const paused = new Set((await store.queues.list()).filter((queue) => queue.paused).map(({ name }) => name));
  const counts = await store.jobs.counts();
  return counts.some(({ queue, state }) =>
    waitsFor.includes(state) && !paused.has(queue) && (queues?.includes(queue) ?? true)
  );
}
