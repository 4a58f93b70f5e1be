/**
 * Writing how a run ended: one guarded change, judged by the rules of the job
 * as it is at this moment (a cancel may have been asked for meanwhile).
 *
 * When the claim was taken away the job is not touched; what happened is kept
 * in the run's own row as `late`.
 * @module
 */
import { afterRun } from "../../core/after_run.ts";
import { isFinal, type JobState } from "../../core/job_state.ts";
import { describeResult, exitCodeOf, signalOf } from "../../core/run_result.ts";
import type { FinishedRun, RunReport } from "../store.ts";
import type { Row, SqlValue } from "./driver.ts";
import { changedFrom, type Effects, follow } from "./follow.ts";
import { recordRun } from "./record_run.ts";
import { optionsFromText } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** Runs inside a write transaction. */
export function finishRun(sql: Statements, report: RunReport, effects: Effects): FinishedRun {
  const { seq, claim, result, finishedAt } = report;
  const row = sql("claimed_row").get(seq, claim);
  if (row === undefined) return lateRun(sql, report);
  const options = optionsFromText(String(row.options));
  const after = afterRun(result, {
    attempts: Number(row.attempts),
    maxRetries: Number(row.max_retries),
    crashes: Number(row.crashes),
    snoozes: Number(row.snoozes),
    backoff: options.backoff,
    exitRules: options.exit_rules,
    cancelRequested: row.cancel_requested_at !== null,
    maxCrashes: report.maxCrashes,
  }, { now: finishedAt, random: report.random });
  const exitCode = exitCodeOf(result);
  const signal = signalOf(result);
  sql("finish").run(
    after.state,
    after.state !== "pending" ? "" : row.lock !== null ? "lock" : after.crashes > 0 ? "alone" : "",
    after.attempts,
    after.crashes,
    after.snoozes,
    after.runAt,
    after.reason,
    exitCode,
    signal,
    report.durationMs,
    isFinal(after.state) ? finishedAt : null,
    finishedAt,
    seq,
    claim,
  );
  sql("finish_run").run(after.outcome, ...runColumns(report, after.reason), seq, claim);
  keepOutput(sql, report, Number(row.run_count));
  release(sql, row, after.state, { report, effects });
  recordRun(sql, {
    queue: String(row.queue),
    priority: Number(row.priority),
    finishedAt,
    seq,
    outcome: after.outcome,
    isDead: after.state === "dead",
    isRetry: Number(row.attempts) > 1,
    durationMs: report.durationMs,
    // The clock may have gone back meanwhile.
    waitMs: Math.max(0, Number(row.wait_ms)),
  });
  return { seq, outcome: after.outcome, state: after.state, reason: after.reason, runAt: after.runAt };
}

/** What the job held or was waited for goes on. Plain jobs held nothing. */
function release(
  sql: Statements,
  row: Row,
  to: JobState,
  { report, effects }: { report: RunReport; effects: Effects },
): void {
  if (row.lock !== null || row.batch !== null || row.has_children === 1) {
    const isRevivable = to === "dead" && report.deadAreRetried === true && row.revived === 0;
    follow(sql, changedFrom(row, to), { now: report.finishedAt, isRevivable, effects });
  }
  if (row.concurrency !== null && Number(sql("jobs_in_state").get(String(row.queue), "pending")?.n ?? 0) > 0) {
    effects.wakes = true;
  }
}

function lateRun(sql: Statements, report: RunReport): FinishedRun {
  const reason = `ended after its claim was taken away: ${describeResult(report.result)}`;
  const row = sql("late_run").get(...runColumns(report, reason), report.seq, report.claim);
  if (row !== undefined) keepOutput(sql, report, Number(row.run));
  return { seq: report.seq, outcome: "late", state: undefined, reason, runAt: null };
}

function runColumns(report: RunReport, reason: string): SqlValue[] {
  const { result, output } = report;
  return [
    report.finishedAt,
    report.durationMs,
    exitCodeOf(result),
    signalOf(result),
    reason,
    ...[output?.stdoutBytes, output?.stderrBytes, output?.droppedBytes].map((bytes = 0) => Math.min(bytes, MAX_BYTES)),
  ];
}

/** The sum of two counts may be more than either. What is stored must be readable again. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

function keepOutput(sql: Statements, { seq, output }: RunReport, run: number): void {
  if (output === undefined || (output.stdout === null && output.stderr === null)) return;
  sql("insert_output").run(seq, run, output.stdout, output.stderr);
}
