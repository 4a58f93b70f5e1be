/** `queuectl show`: everything about one job. @module */
import { jobToJson, runToJson } from "../../core/job_json.ts";
import type { Job, Run } from "../../core/job.ts";
import { readOutput } from "../../operations/read_output.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord } from "../input.ts";
import { stylerFor } from "../output/color.ts";
import { jobBlock } from "../output/job_view.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import type { Store } from "../../store/store.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const store = await context.store("read");
  const job = await store.jobs.find(requiredWord(input, 0));
  const runs = await store.jobs.runs(job.seq);
  if (!isJsonFormat(context)) {
    context.write(jobBlock(job, runs, { paint: stylerFor(context.color), now: context.clock.now() }), {
      isStyled: true,
    });
    return;
  }
  const older = isOn(input, "compat") ? await olderNames(store, job, runs) : {};
  printJson(context, { ...jobToJson(job), ...older, runs: runs.map(runToJson) });
}

/** The names of the designs that this grew from, for scripts that read them. */
async function olderNames(store: Store, job: Job, runs: readonly Run[]): Promise<Record<string, unknown>> {
  const json = jobToJson(job);
  const last = runs.at(-1);
  const output = last === undefined ? undefined : await readOutput(store, job, last.run);
  const decoder = new TextDecoder();
  return {
    timeout_seconds: json.timeout,
    timeout_ms: job.timeout_ms,
    next_run_at: json.run_at,
    max_attempts: job.max_retries + 1,
    execution_time_ms: job.duration_ms,
    completed_at: json.finished_at,
    error: job.state === "completed" ? null : job.reason,
    output: output === undefined ? null : decoder.decode(output.stdout) + decoder.decode(output.stderr),
  };
}
