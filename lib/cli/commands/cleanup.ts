/** `queuectl cleanup`: removes finished jobs of a certain age with all they left. @module */
import { FINAL_STATES, isFinal } from "../../core/job_state.ts";
import { InvalidValueError, UsageError } from "../../core/errors.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { commaList, durationMs } from "../input.ts";
import { parseState } from "../job_filter.ts";
import { removeCommand } from "../remove_jobs.ts";

export async function run(context: Context, input: Input): Promise<number> {
  // A forgotten age must not mean everything.
  if (durationMs(input, "older-than") === undefined) {
    throw new UsageError("Missing --older-than: say how long ago a job must have finished", {
      hint: "queuectl cleanup --older-than 30d --dry-run",
    });
  }
  const asked = commaList(input, "state").map(parseState);
  const unfit = asked.find((state) => !isFinal(state));
  if (unfit !== undefined) throw new InvalidValueError("state", unfit, `expected ${FINAL_STATES.join(", ")}`);
  const states = asked.length === 0 ? FINAL_STATES : asked;
  return await removeCommand(context, input, { states, what: `jobs that are ${states.join(" or ")}` });
}
