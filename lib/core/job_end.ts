/**
 * How a job ended, as the one number that `run` and `wait` exit with, so that
 * scripts can tell the job's own failure from ours.
 *
 * - 0: completed, whatever code counted as success
 * - its own exit code when it ended by itself
 * - 124: timed out; 128+N: killed by signal N; 126, 127: could not be started
 * - 125: everything of ours: cancelled, lost, expired, a parent failed
 * @module
 */
import type { Job, Run } from "./job.ts";
import { isFinal } from "./job_state.ts";
import { signalNumber } from "./run_result.ts";

const TIMED_OUT = 124;
/** Not the job's own doing. */
export const NOT_ITS_OWN = 125;
const CANNOT_EXECUTE = 126;

/**
 * The exit code that stands for the end of a job. `lastRun` is the run with the number `job.run_count`; undefined
 * for a job that never ran.
 * @throws {RangeError} when the job is not final: it has not ended.
 */
export function jobExitCode(job: Pick<Job, "id" | "state">, lastRun: LastRun | undefined): number {
  if (!isFinal(job.state)) throw new RangeError(`Job ${job.id} has not ended: it is ${job.state}`);
  if (job.state === "completed") return 0;
  if (job.state === "cancelled") return NOT_ITS_OWN;
  switch (lastRun?.outcome) {
    case "timed_out":
      return TIMED_OUT;
    case "failed":
      // Code 0 can be a failure (`--ok-on 3`); to hand it on would call the job a success.
      return lastRun.exit_code || 1;
    case "killed":
      return lastRun.exit_code || signalCode(lastRun.signal);
    case "not_started":
      return lastRun.exit_code || CANNOT_EXECUTE;
    default:
      // Lost with its worker too often, or somebody's record of it is gone.
      return NOT_ITS_OWN;
  }
}

export type LastRun = Pick<Run, "outcome" | "exit_code" | "signal">;

function signalCode(signal: string | null): number {
  const number = signal === null ? undefined : signalNumber(signal);
  return number === undefined ? NOT_ITS_OWN : 128 + number;
}
