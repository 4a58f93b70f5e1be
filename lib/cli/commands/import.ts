/** `queuectl import`: jobs of an export, all or none. @module */
import { currentDirectory } from "../../host/current_directory.ts";
import { jobDefaults } from "../../config/job_defaults.ts";
import { quoted } from "../../core/errors.ts";
import { insertImport, readImport } from "../../operations/import_jobs.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { requiredWord } from "../input.ts";
import { openChunks } from "../open_chunks.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { progressFor } from "../output/progress.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const path = requiredWord(input, 0);
  const defaults = jobDefaults(await context.settings(), { now: context.clock.now(), cwd: currentDirectory() });
  const progress = progressFor(context);
  try {
    using batch = await readImport({
      chunks: await openChunks(path),
      form: "json",
      name: path === "-" ? "standard input" : quoted(path),
    }, {
      defaults,
      folders: [`${context.dbPath}.d`, context.env("TMPDIR") || "/tmp"],
      onRead: (jobs) => progress.show("Reading", jobs),
    });
    const imported = await insertImport(await context.store("write"), batch, (count) => {
      if ((count & 1023) === 0) progress.show("Adding", count, batch.count);
    });
    progress.clear();
    if (isJsonFormat(context)) printJson(context, { imported, skipped: batch.count - imported });
    else context.note(`Imported ${imported} ${imported === 1 ? "job" : "jobs"}`);
  } finally {
    progress.clear();
  }
}
