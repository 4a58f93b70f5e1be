/** `queuectl enqueue-batch`: many jobs from a file or standard input, all or none. @module */
import { currentDirectory } from "../../host/current_directory.ts";
import { jobDefaults } from "../../config/job_defaults.ts";
import { quoted, UsageError } from "../../core/errors.ts";
import { generateJobId } from "../../core/job_id.ts";
import { insertBatch, readBatch } from "../../operations/enqueue_batch.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord, text } from "../input.ts";
import { onBatchDone } from "../on_batch_done.ts";
import { openChunks } from "../open_chunks.ts";
import { IdList } from "../output/id_list.ts";
import { isJsonFormat, printJson } from "../output/json.ts";
import { progressFor } from "../output/progress.ts";
import { flagFields } from "../written_job.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const path = requiredWord(input, 0);
  if (path === "-" && text(input, "stdin") === "-") {
    throw new UsageError("Cannot read both the batch and --stdin from standard input: give one as a file");
  }
  const defaults = jobDefaults(await context.settings(), {
    now: context.clock.now(),
    cwd: currentDirectory(),
    allowPast: isOn(input, "allow-past"),
  });
  // What is to follow a batch needs one, by whatever name.
  const batchName = text(input, "batch") ?? (input.flags.has("on-batch-done") ? generateJobId() : undefined);
  const progress = progressFor(context);
  try {
    using batch = await readBatch({
      chunks: await openChunks(path),
      form: isOn(input, "lines") ? "lines" : "json",
      name: path === "-" ? "standard input" : quoted(path),
    }, {
      defaults,
      common: { ...await flagFields(input), ...(batchName !== undefined && { batch: batchName }) },
      templates: await (await context.store("read")).templates.list(),
      folders: spoolFolders(context),
      onRead: (jobs) => progress.show("Reading", jobs),
    });
    const ids = isOn(input, "ids") ? new IdList() : undefined;
    const store = await context.store("write");
    const enqueued = await insertBatch(store, batch, {
      onBatchDone: await onBatchDone(context, input),
      onInserted(id, count) {
        ids?.add(id, count);
        // A look at the clock for each job would cost more than it tells.
        if ((count & 1023) === 0) progress.show("Adding", count, batch.count);
      },
    });
    progress.clear();
    if (isJsonFormat(context)) {
      printJson(context, { enqueued, batch: batchName ?? null, ...(ids && { ids: ids.all() }) });
    } else ids?.write((lines) => context.writeBytes(lines));
    context.note(`${enqueued} ${enqueued === 1 ? "job" : "jobs"} enqueued`);
  } finally {
    progress.clear();
  }
}

/** Beside the database, where there is room for the jobs too; else where temporary files go. */
function spoolFolders(context: Context): readonly string[] {
  return [`${context.dbPath}.d`, context.env("TMPDIR") || "/tmp"];
}
