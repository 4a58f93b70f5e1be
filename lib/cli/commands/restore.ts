/** `queuectl restore`: a backup takes the place of the database. @module */
import { refuseWhileWorking, restore } from "../../operations/restore.ts";
import { careOf, openStore } from "../../store/mod.ts";
import { absolutePath } from "../absolute_path.ts";
import { currentActor } from "../actor.ts";
import type { Input } from "../command.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import { requiredWord } from "../input.ts";
import { isJsonFormat, printJson } from "../output/json.ts";

/** Who locks it so long that nothing can be read is not to be replaced under. */
const BUSY_TIMEOUT_MS = 2_000;

export async function run(context: Context, input: Input): Promise<number> {
  const file = absolutePath(requiredWord(input, 0));
  const care = await careOf(context.dbPath);
  const { jobs } = await care.inspect(file);
  const now = context.clock.now();
  const request = {
    care,
    file,
    now,
    actor: currentActor(),
    open: () => openStore(context.dbPath, { mode: "read", clock: context.clock, busyTimeoutMs: BUSY_TIMEOUT_MS }),
  };
  await refuseWhileWorking(request);
  if (care.exists() && !confirm(context, `Replace ${context.dbPath} by ${file} (${jobs} jobs)?`)) {
    context.note("Nothing was changed");
    return 1;
  }
  const restored = await restore(request);
  if (isJsonFormat(context)) {
    printJson(context, {
      db: context.dbPath,
      file,
      jobs: restored.jobs,
      released: restored.released,
      set_aside: restored.setAside ?? null,
    });
    return 0;
  }
  context.note(`Restored ${restored.jobs} jobs from ${file}`);
  if (restored.released > 0) context.note(`${restored.released} of them were running then, and are pending again`);
  if (restored.setAside !== undefined) context.note(`What was there before is ${restored.setAside}`);
  return 0;
}
