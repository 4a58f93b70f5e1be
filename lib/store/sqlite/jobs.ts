/**
 * Jobs in SQLite: each call is one transaction around a function of `insert.ts`,
 * `find.ts`, `list.ts`, `claim.ts`, `finish.ts` or `control.ts`.
 * @module
 */
import type { Clock } from "../../core/clock.ts";
import { isFinal, type JobState } from "../../core/job_state.ts";
import type { JobStore, WakeUp } from "../store.ts";
import { namesOf, type Record } from "./audit.ts";
import { claimJobs } from "./claim.ts";
import type { Connection } from "./connection.ts";
import { cancelJobs, type ControlParts, countJobs, editJob, removeJobs, retryJobs, reviveJobs } from "./control.ts";
import { findJob } from "./find.ts";
import { finishRun } from "./finish.ts";
import { inserter } from "./insert.ts";
import { listJobs, pagesOfJobs } from "./list.ts";
import { freeAbandoned, hasAbandoned, reserve } from "./reserve.ts";
import { rescueJobs } from "./rescue.ts";
import { runFromRow } from "./rows.ts";
import claimSql from "./sql/claim.sql" with { type: "text" };
import controlSql from "./sql/control.sql" with { type: "text" };
import jobsSql from "./sql/jobs.sql" with { type: "text" };
import reserveSql from "./sql/reserve.sql" with { type: "text" };
import queuesSql from "./sql/queues.sql" with { type: "text" };
import workersSql from "./sql/workers.sql" with { type: "text" };
import { statements } from "./statements.ts";

/**
 * 32 MiB. Ids are random, so that a batch writes all over their index: with the usual 2 MB its pages would go to
 * disk and come back again and again.
 */
const BATCH_CACHE = "pragma cache_size = -32768";

export function sqliteJobs(
  connection: Connection,
  { clock, wake, record }: { clock: Clock; wake: WakeUp; record: Record },
): JobStore {
  const { driver } = connection;
  const sql = statements(driver, jobsSql);
  const claimStatements = statements(driver, claimSql);
  const queueStatements = statements(driver, queuesSql);
  const reserveStatements = statements(driver, reserveSql);
  const controlStatements = statements(driver, controlSql);
  const workerStatements = statements(driver, workersSql);
  const parts = (): ControlParts => ({
    driver,
    jobs: sql,
    control: controlStatements,
    queues: queueStatements,
    now: clock.now(),
  });
  return {
    enqueue: async (jobs, { reserveFor } = {}) => {
      const enqueued = await connection.write("enqueue jobs", () => {
        const inserted = jobs.map(inserter(sql, queueStatements, clock.now()));
        if (reserveFor !== undefined) reserve(reserveStatements, inserted, reserveFor);
        record("enqueue", namesOf(inserted.map(({ id }) => id)));
        return inserted;
      });
      wake.poke();
      return enqueued;
    },
    enqueueMany: async (jobs, onEnqueued) => {
      driver.exec(BATCH_CACHE);
      const count = await connection.write("enqueue many jobs", () => {
        const insert = inserter(sql, queueStatements, clock.now());
        let inserted = 0;
        for (const job of jobs()) {
          const { id } = insert(job);
          inserted++;
          onEnqueued?.(id);
        }
        record("enqueue-batch", null, `${inserted} jobs`);
        return inserted;
      });
      wake.poke();
      return count;
    },
    find: (id) => connection.read("find a job", () => findJob(sql, id)),
    list: (listing) => connection.read("list jobs", () => listJobs(driver, listing)),
    pages: (listing) => pagesOfJobs(connection, listing),
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
    freeReserved: async (which) => {
      const isAny = await connection.read(
        "look for reservations",
        () => hasAbandoned(reserveStatements, which),
      );
      if (!isAny) return 0;
      const freed = await connection.write("free reservations", () => freeAbandoned(reserveStatements, which));
      wake.poke();
      return freed;
    },
    finish: async (reports) => {
      const finished = await connection.write(
        "finish runs",
        () => reports.map((report) => finishRun(claimStatements, report)),
      );
      // What is to run again may be for another worker, sooner than it would look.
      if (finished.some(({ state }) => state !== undefined && !isFinal(state))) wake.poke();
      return finished;
    },
    rescue: async (request) => {
      const finished = await connection.write("rescue jobs", () =>
        rescueJobs({
          workers: workerStatements,
          finish: (report) => finishRun(claimStatements, report),
          now: clock.now(),
        }, request));
      if (finished.length > 0) wake.poke();
      return finished;
    },
    cancel: async (which) => {
      const changed = await connection.write("cancel jobs", () => {
        const cancelled = cancelJobs(parts(), which);
        if (cancelled.length > 0) record("cancel", namesOf(cancelled.map(({ id }) => id)));
        return cancelled;
      });
      wake.poke();
      return changed;
    },
    retry: async (which) => {
      const changed = await connection.write("retry jobs", () => {
        const retried = retryJobs(parts(), which);
        if (retried.length > 0) record("retry", namesOf(retried.map(({ id }) => id)));
        return retried;
      });
      wake.poke();
      return changed;
    },
    revive: async (diedBefore, limit) => {
      const revived = await connection.write("revive dead jobs", () => {
        const changed = reviveJobs(parts(), diedBefore, limit);
        if (changed.length > 0) record("revive", namesOf(changed.map(({ id }) => id)));
        return changed;
      });
      if (revived.length > 0) wake.poke();
      return revived;
    },
    edit: async (id, change) => {
      const edited = await connection.write("edit a job", () => {
        const job = editJob(parts(), id, change);
        record("edit", job.id);
        return job;
      });
      wake.poke();
      return edited;
    },
    count: (filter) => connection.read("count jobs", () => countJobs(driver, filter)),
    remove: (filter, limit) =>
      connection.write("remove jobs", () => {
        const removed = removeJobs(parts(), filter, limit);
        if (removed.length > 0) record("remove", null, `${removed.length} jobs`);
        return removed;
      }),
    cancelRequests: (workerId) =>
      connection.read(
        "look for cancelled jobs",
        () => controlStatements("cancel_requests").all(workerId).map((row) => Number(row.seq)),
      ),
    nextDue: () =>
      connection.read("find the next due time", () => {
        const at = claimStatements("next_due").get()?.at;
        return at == null ? undefined : Number(at);
      }),
  };
}
