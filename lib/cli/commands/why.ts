/** `queuectl why`: the one reason why a job does not run, or ended as it did, and the next step. @module */
import { formatTime } from "../../core/point_in_time.ts";
import { gateJudge } from "../../host/host_readings.ts";
import { explainJob } from "../../operations/why.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { requiredWord } from "../input.ts";
import { pastedLine } from "../pasted_line.ts";
import { stylerFor } from "../output/color.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { liveWorkers } from "../worker_view.ts";
import { visibleText } from "../../core/visible_text.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const store = await context.store("read");
  const job = await store.jobs.find(requiredWord(input, 0));
  const { clock } = context;
  const judgeGate = gateJudge(() => clock.monotonic());
  const why = await explainJob(store, job, { workers: await liveWorkers(context, store), clock, judgeGate });
  const next = pastedLine(why.next, context.dbFlag);
  if (isJsonFormat(context)) {
    return printJson(context, {
      id: job.id,
      state: job.state,
      why: why.kind,
      reason: why.sentence,
      by: why.by,
      until: why.until === null ? null : formatTime(why.until),
      next,
    });
  }
  const paint = stylerFor(context.color);
  context.print(`Job ${job.id} is ${job.state}: ${why.sentence}`);
  context.write(`${paint("dim", "Try:")} ${visibleText(next)}\n`, { isStyled: true });
}
