/** `queuectl service print`: the systemd unit on stdout. @module */
import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { isJsonFormat, printJson } from "../../output/json.ts";
import { unitName, unitOptions } from "../../service/unit_options.ts";
import { unitText } from "../../service/unit_text.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const name = unitName(input);
  const options = await unitOptions(context, input);
  const unit = unitText(options);
  const { scope, user, pool, db } = options;
  if (isJsonFormat(context)) printJson(context, { name, scope, user, pool, db, unit });
  else context.write(unit);
}
