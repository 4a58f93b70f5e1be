/** `queuectl output`: what a job wrote. @module */
import { NotFoundError, UsageError } from "../../core/errors.ts";
import type { Run } from "../../core/job.ts";
import { readOutput } from "../../operations/read_output.ts";
import { visibleText } from "../../core/visible_text.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { integer, isOn, requiredWord } from "../input.ts";
import { stylerFor } from "../output/color.ts";
import { isJsonFormat, printJson } from "../output/json.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const wanted = ["stdout", "stderr", "raw"].filter((name) => isOn(input, name));
  if (wanted.length > 1) throw new UsageError(`Too many choices: give one of --stdout, --stderr and --raw`);
  const store = await context.store("read");
  const job = await store.jobs.find(requiredWord(input, 0));
  const chosen = chooseRun(await store.jobs.runs(job.seq), job.id, integer(input, "run"));
  const output = await readOutput(store, job, chosen.run);
  if (isOn(input, "stdout")) return context.writeBytes(output.stdout);
  if (isOn(input, "stderr")) return context.writeBytes(output.stderr);
  if (isOn(input, "raw")) {
    context.writeBytes(output.stdout);
    return context.writeBytes(output.stderr);
  }
  const decoder = new TextDecoder();
  const [stdout, stderr] = [decoder.decode(output.stdout), decoder.decode(output.stderr)];
  if (isJsonFormat(context)) {
    return printJson(context, { id: job.id, run: chosen.run, stdout, stderr, dropped_bytes: chosen.dropped_bytes });
  }
  const paint = stylerFor(context.color);
  const dropped = chosen.dropped_bytes === 0 ? "" : `, ${chosen.dropped_bytes} bytes dropped`;
  const heading = visibleText(`Job ${job.id}, run ${chosen.run}: ${chosen.outcome ?? "running"}${dropped}`);
  context.write(`${paint("strong", heading)}\n`, { isStyled: true });
  for (
    const [name, text, bytes] of [["STDOUT", stdout, output.stdout], ["STDERR", stderr, output.stderr]] as const
  ) {
    context.write(`${paint("dim", `${name}:`)}\n`, { isStyled: true });
    if (text === "") continue;
    // A terminal must not be driven by what a job printed; a file or a pipe gets the bytes.
    if (context.isTerminal) context.write(visibleText(text, { keepNewlines: true }));
    else context.writeBytes(bytes);
    if (!text.endsWith("\n")) context.print("");
  }
}

function chooseRun(runs: readonly Run[], id: string, number: number | undefined): Run {
  const found = number === undefined ? runs.at(-1) : runs.find(({ run }) => run === number);
  if (found !== undefined) return found;
  if (runs.length === 0) throw new NotFoundError(`No output of job "${id}": it has not run yet`);
  throw new NotFoundError(`No run ${number} of job "${id}": it has runs 1 to ${runs.length}`, {
    hint: `queuectl output ${id} --run ${runs.length}`,
  });
}
