/**
 * Why a job does not run, or why it ended: one reason, the one that has to be
 * dealt with first, and what to do next.
 *
 * Order of looking: what the job itself says (ended, runs, expired, waits for
 * others or for a time), then what holds its queue back, then what it needs besides (its
 * lock, its gate), then whether anyone is there to run it.
 * @module
 */
import { formatDuration } from "./duration.ts";
import { quoted } from "./errors.ts";
import type { GateVerdict } from "./gate.ts";
import type { Job } from "./job.ts";
import { formatTime } from "./point_in_time.ts";
import { UNSUPERVISED_POOLS, USUAL_POOL } from "./pool.ts";

export const WHY_KINDS = [
  "completed",
  "dead",
  "cancelled",
  "expired",
  "running",
  "parent",
  "run_at",
  "backoff",
  "paused",
  "limit",
  "rate",
  "reserved",
  "lock",
  "gate",
  "no_worker",
  "alone",
  "busy",
  "ready",
] as const;

export type WhyKind = typeof WHY_KINDS[number];

export interface Why {
  readonly kind: WhyKind;
  /** One sentence without its period, to be read behind `Job k3v9 is pending:`. */
  readonly sentence: string;
  /** Ids of the jobs because of which it waits. */
  readonly by: readonly string[];
  /** When that will be over by itself; null when no time is known. */
  readonly until: number | null;
  /** A command line that looks further, or changes it. */
  readonly next: string;
}

/** What there is to know around a job. */
export interface WhyFacts {
  readonly job: Job;
  readonly now: number;
  readonly queue: { readonly paused: boolean; readonly concurrency: number | null };
  /** Jobs of its queue that run; as many as its limit is enough. */
  readonly running: readonly string[];
  /** When the rate of its queue allows another start; undefined: now. */
  readonly rateFreeAt: number | undefined;
  /** Who holds its lock. */
  readonly lockHolder: string | undefined;
  /** Its gate as it is now, where one asks; undefined when nobody looked. */
  readonly gateHere?: GateVerdict | undefined;
  readonly parents: readonly ParentFact[];
  /** Workers that live and serve its queue. */
  readonly workers: readonly WorkerFact[];
  /** The pool that `worker start` means when nobody names one runs, for other queues than this. */
  readonly isUsualPoolElsewhere: boolean;
}

export interface ParentFact {
  readonly id: string;
  readonly isSatisfied: boolean;
  /** null: it is gone. */
  readonly state: string | null;
}

export interface WorkerFact {
  readonly id: string;
  readonly slots: number;
  /** How many jobs it runs. */
  readonly busy: number;
}

/** Ids that a sentence names; the rest is counted. */
const MAX_NAMED = 5;

export function why(facts: WhyFacts): Why {
  const { job, now } = facts;
  switch (job.state) {
    case "completed":
    case "dead":
    case "cancelled":
      return ended(job);
    case "processing":
      return running(job);
    case "blocked":
      return overdue(facts) ?? blocked(facts);
    case "scheduled":
    case "failed":
      if (job.run_at !== null && job.run_at > now) return overdue(facts) ?? later(job, job.run_at, now);
      return overdue(facts) ?? waiting(facts);
    case "pending":
      return overdue(facts) ?? waiting(facts);
  }
}

/** It waited past its time, and nobody was there to cancel it yet: no worker takes it any more. */
function overdue({ job, now }: WhyFacts): Why | undefined {
  if (job.expires_at === null || job.expires_at > now) return undefined;
  return {
    kind: "expired",
    sentence: `it expired at ${formatTime(job.expires_at)}, and whoever works next cancels it`,
    by: [],
    until: null,
    next: `queuectl edit ${job.id} --expires 1h`,
  };
}

function ended(job: Job): Why {
  const isExpired = job.state === "cancelled" && /\bexpired\b/.test(job.reason ?? "");
  const look = job.state === "cancelled" ? `queuectl retry ${job.id}` : `queuectl output ${job.id}`;
  return {
    kind: isExpired ? "expired" : job.state as "completed" | "dead" | "cancelled",
    sentence: `it has ended: ${job.reason ?? job.state}`,
    by: [],
    until: null,
    next: look,
  };
}

function running(job: Job): Why {
  const isEnding = job.cancel_requested_at !== null;
  return {
    kind: "running",
    // A reason while it runs says why it is not over.
    sentence: job.reason ?? (isEnding ? `worker ${job.worker_id} is ending it` : `worker ${job.worker_id} runs it`),
    by: [],
    until: null,
    next: `queuectl logs -f ${job.id}`,
  };
}

function blocked({ job, parents }: WhyFacts): Why {
  const open = parents.filter((parent) => !parent.isSatisfied);
  const names = open.map(({ id, state }) => `${id} (${state ?? "gone"})`);
  return {
    kind: "parent",
    sentence: open.length === 0 ? "it waits for other jobs" : `it waits for ${listed(names)}`,
    by: open.map(({ id }) => id),
    until: null,
    next: open[0] === undefined ? `queuectl show ${job.id}` : `queuectl why ${open[0].id}`,
  };
}

function later(job: Job, at: number, now: number): Why {
  const when = `${formatTime(at)}, in ${formatDuration(at - now)}`;
  const isRetry = job.state === "failed";
  const last = job.reason === null ? "" : ` (${job.reason})`;
  return {
    kind: isRetry ? "backoff" : "run_at",
    sentence: isRetry ? `it failed and is tried again at ${when}${last}` : `its time is ${when}${last}`,
    by: [],
    until: at,
    next: `queuectl retry ${job.id}`,
  };
}

/** Nothing about the job itself keeps it from running now. */
function waiting(facts: WhyFacts): Why {
  return heldByQueue(facts) ?? heldByNeeds(facts) ?? heldByWorkers(facts) ?? {
    kind: "ready",
    sentence: "nothing holds it back; a free worker is about to take it",
    by: [],
    until: null,
    next: `queuectl show ${facts.job.id}`,
  };
}

function heldByQueue({ job, now, queue, running, rateFreeAt }: WhyFacts): Why | undefined {
  const name = quoted(job.queue);
  if (queue.paused) {
    return {
      kind: "paused",
      sentence: `queue ${name} is paused`,
      by: [],
      until: null,
      next: `queuectl queue resume ${job.queue}`,
    };
  }
  if (queue.concurrency !== null && running.length >= queue.concurrency) {
    return {
      kind: "limit",
      sentence: `queue ${name} runs ${queue.concurrency} at once, and ${listed(running)} ${
        running.length === 1 ? "does" : "do"
      }`,
      by: running,
      until: null,
      next: `queuectl queue set ${job.queue} --concurrency ${queue.concurrency + 1}`,
    };
  }
  if (rateFreeAt !== undefined && rateFreeAt > now) {
    return {
      kind: "rate",
      sentence: `the rate of queue ${name} allows the next start at ${formatTime(rateFreeAt)}, in ${
        formatDuration(rateFreeAt - now)
      }`,
      by: [],
      until: rateFreeAt,
      next: "queuectl queue list",
    };
  }
  return undefined;
}

function heldByNeeds(facts: WhyFacts): Why | undefined {
  const { job, lockHolder, gateHere } = facts;
  if (lockHolder !== undefined) {
    return {
      kind: "lock",
      sentence: `job ${lockHolder} holds its lock ${quoted(job.lock)}`,
      by: [lockHolder],
      until: null,
      next: `queuectl why ${lockHolder}`,
    };
  }
  // A reserved job stays parked for its worker; that its gate was seen closed is in its reason.
  if (job.parked === "gate" || (job.when !== null && job.parked === "run" && job.reason !== null)) {
    const noWorker = gateHere?.isOpen ? heldByWorkers(facts) : undefined;
    if (noWorker !== undefined) return noWorker;
    return {
      kind: "gate",
      sentence: gateSentence(job, gateHere),
      by: [],
      until: null,
      next: `queuectl show ${job.id}`,
    };
  }
  return undefined;
}

/** The job says what was seen when a worker came to it, which may be long ago. */
function gateSentence(job: Job, here: GateVerdict | undefined): string {
  const seen = job.reason ?? `its gate ${quoted(job.when)} was closed when a worker came to it`;
  if (here === undefined) return seen;
  return here.isOpen ? `${seen}; on this host it is open now` : `waits for its gate: ${here.seen}`;
}

function heldByWorkers({ job, workers, isUsualPoolElsewhere }: WhyFacts): Why | undefined {
  if (job.reserved_for !== null) {
    return {
      kind: "reserved",
      sentence: `it is for worker ${job.reserved_for}, which \`queuectl run\` started for it`,
      by: [],
      until: null,
      next: "queuectl worker status",
    };
  }
  if (workers.length === 0) {
    return {
      kind: "no_worker",
      sentence: `no live worker serves queue ${quoted(job.queue)}`,
      by: [],
      until: null,
      // Started again, a pool that runs says so and nothing more: it takes another one.
      next: `queuectl worker start${isUsualPoolElsewhere ? ` --pool ${poolFor(job.queue)} --queue ${job.queue}` : ""}`,
    };
  }
  if (job.crashes > 0 && workers.every((worker) => worker.busy > 0)) {
    const times = job.crashes === 1 ? "once" : `${job.crashes} times`;
    return {
      kind: "alone",
      sentence: `its worker died ${times} while running it, so that it waits for a worker with nothing else to do`,
      by: [],
      until: null,
      next: "queuectl worker status",
    };
  }
  if (workers.every((worker) => worker.busy >= worker.slots)) {
    return {
      kind: "busy",
      sentence: `all ${workers.reduce((sum, worker) => sum + worker.slots, 0)} slots of its workers are taken`,
      by: [],
      until: null,
      next: "queuectl worker status",
    };
  }
  return undefined;
}

/** A name for a pool that serves one queue. */
function poolFor(queue: string): string {
  return [USUAL_POOL, ...UNSUPERVISED_POOLS].includes(queue) ? `${queue}-queue` : queue;
}

/** `a`, `a and b`, `a, b and 7 more`. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED);
  const rest = names.length - shown.length;
  const parts = rest === 0 ? shown : [...shown, `${rest} more`];
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
