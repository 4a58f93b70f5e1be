/** `queuectl worker scale N`: another number of workers; those that are too many finish their jobs. @module */
import { parseInteger } from "../../../core/job_fields.ts";
import { MAX_WORKERS } from "../../../core/pool.ts";
import { scalePool, workingIn } from "../../../worker/pool_control.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { requiredWord } from "../../input.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { counted, poolControl, poolName, progress } from "../../pool_options.ts";
import { poolJson, poolText } from "./start.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = poolName(input);
  const count = parseInteger(requiredWord(input, 0), "count", 0, MAX_WORKERS);
  const say = progress(context);
  const control = await poolControl(context, name, {
    onLook: (seen) => say(waitingText(workingIn(seen).length, count)),
  });
  const seen = await scalePool(control, count);
  if (isJsonFormat(context)) printJson(context, poolJson(seen));
  else context.print(`Scaled pool ${name}: ${poolText(seen)}`);
}

function waitingText(now: number, wanted: number): string {
  return now > wanted
    ? `waiting for ${counted(now - wanted, "worker")} to finish first`
    : `waiting for workers: ${now} of ${wanted}`;
}
