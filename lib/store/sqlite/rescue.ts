/**
 * Giving back the jobs of a worker that is gone: one transaction, guarded by
 * the tokens of the claims that were cleaned up after.
 * @module
 */
import type { FinishedRun, RescueRequest, RunReport } from "../store.ts";
import type { Statements } from "./statements.ts";

export interface RescueParts {
  /** Statements of workers.sql. */
  readonly workers: Statements;
  /** Ends a run that is processing under this token. */
  readonly finish: (report: RunReport) => FinishedRun;
  readonly now: number;
}

/** Runs inside a write transaction. */
export function rescueJobs({ workers, finish, now }: RescueParts, request: RescueRequest): FinishedRun[] {
  const { workerId } = request;
  const beat = workers("beat_of").get(workerId)?.beat;
  // It spoke after all.
  if (beat !== undefined && Number(beat) !== request.beat) return [];
  const claims = new Map(request.held.map(({ seq, claim }) => [seq, claim]));
  const held = workers("holdings").all(workerId);
  const lost = held.filter((row) => claims.get(Number(row.seq)) === Number(row.claim));
  const finished = lost.map((row) =>
    finish({
      seq: Number(row.seq),
      claim: Number(row.claim),
      result: { kind: "lost", reason: request.reason },
      finishedAt: now,
      // The clock may have gone back meanwhile.
      durationMs: Math.max(0, now - Number(row.started_at)),
      maxCrashes: request.maxCrashes,
      deadAreRetried: request.deadAreRetried,
      random: 0,
    })
  );
  if (lost.length === held.length) workers("unregister").run(workerId);
  return finished;
}
