/** `queuectl backup`: a copy of the database while everything goes on. @module */
import { formatByteSize } from "../../core/byte_size.ts";
import { careOf } from "../../store/mod.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { absolutePath } from "../absolute_path.ts";
import { isOn, requiredWord } from "../input.ts";
import { isJsonFormat, printJson } from "../output/json.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const file = absolutePath(requiredWord(input, 0));
  const care = await careOf(context.dbPath);
  const copy = await care.backup(file, { replace: isOn(input, "replace") });
  if (isJsonFormat(context)) printJson(context, { file, ...copy });
  else context.note(`Wrote ${file}: ${copy.jobs} jobs, ${formatByteSize(copy.bytes)}, checked`);
}
