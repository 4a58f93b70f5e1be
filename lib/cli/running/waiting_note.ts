/**
 * Says on stderr why a job that is shown does not run yet, once for each
 * reason. Whoever waits for a paused queue would else wait without knowing.
 * @module
 */
import type { Job } from "../../core/job.ts";
import type { WhyKind } from "../../core/why.ts";
import type { Store } from "../../store/store.ts";
import type { Context } from "../context.ts";

/** What passes within this time needs no words. */
const SILENT_MS = 1_000;
/** How often the reason is looked for. */
const LOOK_MS = 1_000;

/** Reasons that are none, or that the one who shows the job takes care of. */
const NOT_TOLD: ReadonlySet<WhyKind> = new Set([
  "completed",
  "dead",
  "cancelled",
  "expired",
  "running",
  "reserved",
  "ready",
]);

export interface WaitingNote {
  stop(): Promise<void>;
}

export interface NoteOptions {
  readonly jobId: string;
  /** It has a worker of its own, so that the absence of others means nothing. */
  readonly hasOwnWorker: boolean;
  /** Also tells that it failed and is tried again. Else that is no news to whoever asked for retries. */
  readonly tellsRetries: boolean;
}

export function tellWhyItWaits(context: Context, store: Store, options: NoteOptions): WaitingNote {
  let timer: number | undefined;
  let told: WhyKind | undefined;
  let isStopped = false;
  let looking = Promise.resolve();
  const look = async () => {
    try {
      const job = await store.jobs.find(options.jobId);
      const why = await reasonOf(job);
      if (why !== undefined && why.kind !== told && !isStopped) {
        told = why.kind;
        context.note(`queuectl: Job ${job.id} is ${job.state}: ${why.sentence}`);
      }
    } catch {
      // The one who shows the job meets the same trouble, and says so.
      return;
    }
    arm(LOOK_MS);
  };
  const reasonOf = async (job: Job) => {
    // Loaded when it is needed: most jobs do not wait.
    const { explainJob } = await import("../../operations/why.ts");
    const { liveWorkers } = await import("../worker_view.ts");
    const workers = options.hasOwnWorker
      ? [{ id: "own", pool: "", queues: null, slots: 1, jobs: [] }]
      : await liveWorkers(context, store);
    const why = await explainJob(store, job, { workers, clock: context.clock });
    return NOT_TOLD.has(why.kind) || (why.kind === "backoff" && !options.tellsRetries) ? undefined : why;
  };
  const arm = (ms: number) => {
    if (!isStopped) timer = setTimeout(() => looking = look(), ms);
  };
  arm(SILENT_MS);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
