/** `queuectl worker restart`: new workers for old ones, one after the other. @module */
import { VERSION } from "../../../version.ts";
import { restartPool, workingIn } from "../../../worker/pool_control.ts";
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { askedOptions, poolControl, poolName, progress } from "../../pool_options.ts";
import { poolJson, poolText } from "./start.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = poolName(input);
  const asked = askedOptions(input);
  const say = progress(context);
  const control = await poolControl(context, name, {
    onLook: (seen) => say(`waiting for new workers: ${workingIn(seen).length} of ${seen.pool?.count ?? "?"}`),
  });
  const seen = await restartPool(control, asked);
  if (isJsonFormat(context)) printJson(context, poolJson(seen));
  else context.print(`Restarted pool ${name}: ${poolText(seen)}`);
  const supervisor = seen.pool?.supervisor;
  // An init system waits for the end of this very process.
  if (supervisor?.is_foreground && supervisor.version !== VERSION) {
    context.note(`The supervisor is still queuectl ${supervisor.version}: restart its service to replace it, too`);
  }
}
