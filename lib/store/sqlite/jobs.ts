/**
 * Jobs in SQLite: each call is one transaction around a function of `insert.ts`,
 * `find.ts`, `list.ts`, `claim.ts`, `finish.ts` or `control.ts`.
 * @module
 */
import type { Clock } from "../../core/clock.ts";
import type { Job } from "../../core/job.ts";
import { isFinal, type JobState } from "../../core/job_state.ts";
import type { ClaimRequest, JobStore, RunReport, WakeUp } from "../store.ts";
import { namesOf, type Record } from "./audit.ts";
import type { Changes } from "./change.ts";
import { claimJobs, expireJobs } from "./claim.ts";
import { completeJobs, completeTags } from "./complete.ts";
import type { Connection } from "./connection.ts";
import { cancelJobs, type ControlParts, editJob, removeJobs, retryJobs, reviveJobs } from "./control.ts";
import { findJob } from "./find.ts";
import { finishRun } from "./finish.ts";
import type { FollowContext } from "./follow.ts";
import { aloneAtGate, waitingGates } from "./gates.ts";
import { importJob } from "./import.ts";
import { inserter } from "./insert.ts";
import { nextRateTime } from "./limits.ts";
import { countJobs, listJobs, oldestSeqs, pagesOfJobs } from "./list.ts";
import { freeAbandoned, hasAbandoned } from "./reserve.ts";
import { LineMemory } from "./open_lines.ts";
import { rescueJobs } from "./rescue.ts";
import { runFromRow } from "./rows.ts";
import workersSql from "./sql/workers.sql" with { type: "text" };
import { type Statements, statements } from "./statements.ts";

/**
 * 32 MiB. Ids are random, so that a batch writes all over their index: with the usual 2 MB its pages would go to
 * disk and come back again and again.
 */
const BATCH_CACHE = "pragma cache_size = -32768";

export interface JobParts {
  readonly sql: Statements;
  readonly clock: Clock;
  readonly wake: WakeUp;
  readonly record: Record;
  readonly changes: Changes;
  readonly enqueue: JobStore["enqueue"];
}

export function sqliteJobs(
  connection: Connection,
  { sql, clock, wake, record, changes, enqueue }: JobParts,
): JobStore {
  const { driver } = connection;
  const workers = statements(driver, workersSql);
  /** When jobs were last claimed here, and whether that was cut short. */
  const lines = new LineMemory();
  let lastClaim = { at: -Infinity, isCut: false };
  const whatWaits = () => {
    const row = sql("what_waits").get();
    const times = [row?.due_at, row?.expires_at].filter((at) => at != null).map(Number);
    return { isPending: row?.is_pending === 1, nextAt: times.length === 0 ? undefined : Math.min(...times) };
  };
  const { here, change, changeBy, settleAll } = changes;
  const writeClaim = async ({ only, isWanted = () => true }: ClaimRequest, attempt: () => readonly Job[]) => {
    // Nobody else would do a job that is there for this worker alone.
    if (only !== undefined) return await connection.write("claim a job", attempt);
    const jobs = await connection.writeInTurn("claim jobs", attempt, () => !isWanted());
    if (jobs === undefined) lastClaim = { at: clock.now(), isCut: true };
    return jobs ?? [];
  };
  const parts = (context: FollowContext): ControlParts => ({ driver, sql, ...context });
  return {
    enqueue,
    enqueueMany: async (jobs, onEnqueued, options) => {
      driver.exec(BATCH_CACHE);
      const count = await connection.write("enqueue many jobs", () => {
        const { insert, close } = inserter(sql, { ...options, ...here(), isAlone: false });
        let inserted = 0;
        for (const job of jobs()) {
          const { id, deduplicated } = insert(job);
          if (!deduplicated) inserted++;
          onEnqueued?.(id);
        }
        close();
        record("enqueue-batch", null, `${inserted} jobs`);
        return inserted;
      });
      wake.poke();
      return count;
    },
    importMany: async (jobs, onImported) => {
      driver.exec(BATCH_CACHE);
      const count = await connection.write("import jobs", () => {
        const context = here();
        const inserting = inserter(sql, { ...context, isAlone: false });
        let imported = 0;
        for (const job of jobs()) {
          if (importJob(sql, job, { inserter: inserting, now: context.now })) imported++;
          onImported?.();
        }
        inserting.close();
        record("import", null, `${imported} jobs`);
        return imported;
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
    complete: (request) => connection.read("complete ids", () => completeJobs(driver, request)),
    completeTags: (prefix, limit) => connection.read("complete tags", () => completeTags(driver, prefix, limit)),
    claim: (request) =>
      changeBy(
        (attempt) => writeClaim(request, attempt),
        (context) => {
          try {
            const { jobs, isCut } = claimJobs(sql, request, context, lines);
            lastClaim = { at: context.now, isCut };
            return jobs;
          } catch (error) {
            // What was remembered of this claim has not happened.
            lines.forget();
            throw error;
          }
        },
        "when ready",
      ),
    waiting: () => connection.look("look for jobs", whatWaits),
    freeReserved: async (which) => {
      const isAny = await connection.read("look for reservations", () => hasAbandoned(sql, which));
      return isAny ? await change("free reservations", () => freeAbandoned(sql, which), "always") : 0;
    },
    finish: (reports) =>
      change("finish runs", ({ effects }) => {
        const finished = reports.map((report) => finishRun(sql, report, effects));
        effects.deadAreRetried = reports.some(({ deadAreRetried }) => deadAreRetried === true);
        // What is to run again may be for another worker, sooner than it would look.
        effects.wakes ||= finished.some(({ state }) => state !== undefined && !isFinal(state));
        return finished;
      }, "when ready"),
    rescue: (request) =>
      change("rescue jobs", ({ now, effects }) => {
        const finish = (report: RunReport) => finishRun(sql, report, effects);
        const finished = rescueJobs({ workers, finish, now }, request);
        effects.wakes ||= finished.length > 0;
        effects.deadAreRetried = request.deadAreRetried === true;
        return finished;
      }, "when ready"),
    cancel: (which) =>
      change("cancel jobs", (context) => {
        const cancelled = cancelJobs(parts(context), which);
        if (cancelled.length > 0) record("cancel", namesOf(cancelled.map(({ id }) => id)));
        return cancelled;
      }, "always"),
    retry: (which) =>
      change("retry jobs", (context) => {
        const retried = retryJobs(parts(context), which);
        if (retried.length > 0) record("retry", namesOf(retried.map(({ id }) => id)));
        return retried;
      }, "always"),
    revive: (diedBefore, limit) =>
      change("revive dead jobs", (context) => {
        const revived = reviveJobs(parts(context), diedBefore, limit);
        if (revived.length > 0) record("revive", namesOf(revived.map(({ id }) => id)));
        context.effects.wakes ||= revived.length > 0;
        return revived;
      }, "when ready"),
    edit: (id, written) =>
      change("edit a job", (context) => {
        const job = editJob(parts(context), id, written);
        record("edit", job.id);
        return job;
      }, "always"),
    expire: (limit) => change("expire jobs", (context) => expireJobs(sql, limit, context), "when ready"),
    settle: (deadAreRetried) => settleAll(deadAreRetried),
    parents: (seq) =>
      connection.read("find parents", () =>
        sql("parents").all(seq).map((row) => ({
          id: String(row.parent_id),
          needs: String(row.needs) as "completed" | "ended",
          isSatisfied: row.state === "satisfied",
          state: row.parent_state == null ? null : String(row.parent_state) as JobState,
        }))),
    lockHolder: (lock) =>
      connection.read("find who holds a lock", () => {
        const row = sql("lock_holder").get(lock);
        return row === undefined ? undefined : String(row.id);
      }),
    pageEnd: (filter, after, limit) =>
      connection.read("look for more jobs", () => oldestSeqs(driver, { ...filter, limit }, { after }).at(-1)),
    count: (filter) => connection.read("count jobs", () => countJobs(driver, filter)),
    remove: (filter, limit) =>
      connection.write("remove jobs", () => {
        const removed = removeJobs(parts(here()), filter, limit);
        if (removed.length > 0) record("remove", null, `${removed.length} jobs`);
        return removed;
      }),
    hasAlone: ({ queues, openGates = [] }) =>
      connection.read("look for jobs that run alone", () => {
        const waiting = sql("waiting_alone").all().map((row) => String(row.queue));
        return waiting.some((queue) => queues?.includes(queue) ?? true) ||
          openGates.some((gate) => aloneAtGate(sql, gate) !== undefined);
      }),
    waitingGates: (walk) => connection.read("look for gates", () => waitingGates(sql, walk)),
    explain: async (jobs, reason) => {
      await connection.write("say why jobs run on", () => {
        for (const { seq, claim } of jobs) sql("explain").run(reason, seq, claim, reason);
      });
    },
    cancelRequests: (workerId) =>
      connection.read(
        "look for cancelled jobs",
        () => sql("cancel_requests").all(workerId).map((row) => Number(row.seq)),
      ),
    nextDue: () =>
      connection.look("find the next due time", () => {
        if (lastClaim.isCut) return clock.now();
        const { isPending, nextAt } = whatWaits();
        const rateAt = isPending ? nextRateTime(sql, lastClaim.at) : undefined;
        return rateAt === undefined ? nextAt : Math.min(rateAt, nextAt ?? Infinity);
      }),
  };
}
