/**
 * Putting jobs of an export into the table: those that wait as new ones, those
 * that are over as they were. Runs inside a write transaction.
 * @module
 */
import type { ImportedJob } from "../../core/imported_job.ts";
import { isGeneratedId } from "../../core/job_id.ts";
import type { Inserter } from "./insert.ts";
import { insertRow } from "./insert_row.ts";
import type { Statements } from "./statements.ts";

/** False when the job stayed out because another holds its key. */
export function importJob(sql: Statements, { job, end }: ImportedJob, { inserter, now }: {
  inserter: Inserter;
  now: number;
}): boolean {
  const id = job.id ?? "";
  let seq: number;
  if (end === undefined) {
    const inserted = inserter.insert(job);
    if (inserted.deduplicated) return false;
    seq = inserted.seq;
  } else {
    sql("ensure").run(job.queue, now);
    // As a job that can be, then as it was: in between nobody sees it.
    seq = insertRow(sql, job, { id, state: "pending", parked: "", runAt: null, parentsLeft: 0, now });
    sql("end_imported").run(
      end.state,
      end.reason,
      end.created_at,
      end.started_at,
      end.finished_at,
      end.duration_ms,
      end.exit_code,
      end.signal,
      end.attempts,
      end.run_count,
      seq,
    );
  }
  // So that its beginning is enough to name it, as before.
  if (isGeneratedId(id)) sql("mark_generated").run(seq);
  return true;
}
