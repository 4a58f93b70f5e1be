/**
 * Putting new jobs into the table.
 * @module
 */
import { ConflictError, quoted } from "../../core/errors.ts";
import type { NewJob } from "../../core/job.ts";
import { generateJobId } from "../../core/job_id.ts";
import type { EnqueuedJob } from "../store.ts";
import { isUniqueViolation } from "./errors.ts";
import { optionsWriter } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Inserts one job after the other; keeps what they share between them. */
export function inserter(sql: Statements, queues: Statements, now: number): (job: NewJob) => EnqueuedJob {
  const known = new Set<string>();
  const insert = sql("insert");
  const optionsText = optionsWriter();
  return (job) => {
    if (!known.has(job.queue)) {
      queues("ensure").run(job.queue, now);
      known.add(job.queue);
    }
    const isScheduled = job.run_at !== null && job.run_at > now;
    const id = job.id ?? generateJobId();
    try {
      const { lastInsertRowid } = insert.run(
        id,
        job.id === null ? 1 : 0,
        isScheduled ? "scheduled" : "pending",
        job.queue,
        job.priority,
        job.type,
        job.command,
        job.argv === null ? null : JSON.stringify(job.argv),
        job.max_retries,
        job.timeout_ms,
        isScheduled ? job.run_at : null,
        job.tags.length === 0 ? null : JSON.stringify(job.tags),
        job.template,
        optionsText(job),
        now,
        now,
        job.lock,
        job.key,
        job.batch,
        job.expires_at,
        job.when,
      );
      const seq = Number(lastInsertRowid);
      for (const tag of job.tags) sql("insert_tag").run(tag, seq);
      return { seq, id };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ConflictError(`Cannot enqueue job ${quoted(id)}: the id is in use`, {
        hint: `queuectl show ${id}`,
        cause: error,
      });
    }
  };
}
