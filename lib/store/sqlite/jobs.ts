/**
 * Jobs in SQLite: adding, finding, listing; claiming and finishing are in
 * `claim.ts` and `finish.ts`.
 * @module
 */
import type { Clock } from "../../core/clock.ts";
import { ConflictError, NotFoundError, quoted } from "../../core/errors.ts";
import type { Job, NewJob } from "../../core/job.ts";
import { optionsOf } from "../../core/job_fields.ts";
import { generateJobId, isIdPrefix } from "../../core/job_id.ts";
import type { JobState } from "../../core/job_state.ts";
import type { EnqueuedJob, JobStore, WakeUp } from "../store.ts";
import { claimJobs } from "./claim.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import { isUniqueViolation } from "./errors.ts";
import { finishRun } from "./finish.ts";
import { listJobs } from "./list.ts";
import { jobFromRow, optionsToText, runFromRow } from "./rows.ts";
import claimSql from "./sql/claim.sql" with { type: "text" };
import jobsSql from "./sql/jobs.sql" with { type: "text" };
import queuesSql from "./sql/queues.sql" with { type: "text" };
import { type Statements, statements } from "./statements.ts";

/** How many candidates an ambiguous prefix names. */
const MAX_CANDIDATES = 5;

export function sqliteJobs(connection: Connection, { clock, wake }: { clock: Clock; wake: WakeUp }): JobStore {
  const { driver } = connection;
  const sql = statements(driver, jobsSql);
  const claimStatements = statements(driver, claimSql);
  const queueStatements = statements(driver, queuesSql);
  return {
    enqueue: async (jobs) => {
      const enqueued = await connection.write("enqueue jobs", () => {
        const insert = inserter(sql, queueStatements, clock.now());
        return jobs.map(insert);
      });
      wake.poke();
      return enqueued;
    },
    find: (id) => connection.read("find a job", () => findJob(sql, id)),
    list: (filter) => connection.read("list jobs", () => listJobs(driver, filter)),
    counts: () =>
      connection.read("count jobs", () =>
        sql("counts").all().map((row) => ({
          queue: String(row.queue),
          state: String(row.state) as JobState,
          n: Number(row.n),
        }))),
    runs: (seq) => connection.read("list runs", () => sql("runs").all(seq).map(runFromRow)),
    output: (seq, run) =>
      connection.read("read output", () => {
        const row = sql("output").get(seq, run);
        return row && { stdout: row.stdout as Uint8Array | null, stderr: row.stderr as Uint8Array | null };
      }),
    completeIds: (prefix, limit) =>
      connection.read("complete ids", () => {
        const rows = prefix === "" ? sql("newest_ids").all(limit) : sql("complete_ids").all(prefix, limit);
        return rows.map((row) => String(row.id));
      }),
    claim: (request) => connection.write("claim jobs", () => claimJobs(claimStatements, request, clock.now())),
    finish: (reports) =>
      connection.write("finish runs", () => reports.map((report) => finishRun(claimStatements, report))),
    nextDue: () =>
      connection.read("find the next due time", () => {
        const at = claimStatements("next_due").get()?.at;
        return at == null ? undefined : Number(at);
      }),
  };
}

/** Inserts one job after the other; keeps what they share between them. */
function inserter(sql: Statements, queues: Statements, now: number): (job: NewJob) => EnqueuedJob {
  const known = new Set<string>();
  const insert = sql("insert");
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
        optionsToText(optionsOf(job)),
        now,
        now,
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

function findJob(sql: Statements, id: string): Job {
  const exact = sql("by_id").get(id);
  if (exact !== undefined) return jobFromRow(exact);
  const found: Row[] = isIdPrefix(id) ? sql("by_prefix").all(id, MAX_CANDIDATES + 1) : [];
  const [only, another] = found;
  if (only !== undefined && another === undefined) return jobFromRow(only);
  if (only === undefined) throw new NotFoundError(`No job ${quoted(id)}`, { hint: "queuectl list" });
  const names = found.slice(0, MAX_CANDIDATES).map((row) => String(row.id)).join(", ");
  const more = found.length > MAX_CANDIDATES ? ", ..." : "";
  throw new NotFoundError(`Ambiguous job ${quoted(id)}: it could be ${names}${more}`, {
    hint: `queuectl show ${String(only.id)}`,
  });
}
