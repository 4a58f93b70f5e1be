/** `queuectl export`: jobs as NDJSON, oldest first, to a file or standard output. @module */
import { ConflictError, QueuectlError, quoted } from "../../core/errors.ts";
import { jobToJson } from "../../core/job_json.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { isOn, requiredWord } from "../input.ts";
import { jobFilter } from "../job_filter.ts";
import { isJsonFormat, jsonText, printJson } from "../output/json.ts";
import { progressFor } from "../output/progress.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const path = requiredWord(input, 0);
  const filter = jobFilter(context, input);
  const store = await context.store("read");
  const total = await store.jobs.count(filter);
  const progress = progressFor(context);
  const target = path === "-" ? undefined : createFile(path, isOn(input, "replace"));
  let exported = 0;
  try {
    for await (const page of store.jobs.pages({ ...filter, sort: { field: "seq", isDescending: false } })) {
      const lines = page.map((job) => jsonText(jobToJson(job)) + "\n").join("");
      if (target === undefined) context.write(lines);
      else target.write(lines);
      exported += page.length;
      progress.show("Exporting", exported, total);
    }
    target?.publish();
  } finally {
    progress.clear();
    target?.discard();
  }
  if (target === undefined) return;
  if (isJsonFormat(context)) printJson(context, { file: path, exported });
  else context.note(`Exported ${exported} ${exported === 1 ? "job" : "jobs"} to ${path}`);
}

interface NewFile {
  write(text: string): void;
  /** Gives it its name. */
  publish(): void;
  /** Removes what has no name yet. */
  discard(): void;
}

/** Under another name until it is whole; for its owner only, because jobs may hold what others must not read. */
function createFile(path: string, replace: boolean): NewFile {
  if (!replace && exists(path)) {
    throw new ConflictError(`Cannot write ${quoted(path)}: the file exists`, {
      hint: "choose another name, or add --replace",
    });
  }
  const partial = `${path}.${Deno.pid}.partial`;
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const reason = error instanceof Deno.errors.NotFound ? "its folder does not exist" : (error as Error).message;
      throw new QueuectlError("failed", `Cannot write ${quoted(path)}: ${reason}`, { cause: error });
    }
  };
  const file = told(() => Deno.openSync(partial, { write: true, createNew: true, mode: 0o600 }));
  const encoder = new TextEncoder();
  let isOpen = true;
  const close = () => {
    if (isOpen) file.close();
    isOpen = false;
  };
  return {
    write(text) {
      told(() => {
        for (let rest = encoder.encode(text); rest.length > 0;) rest = rest.subarray(file.writeSync(rest));
      });
    },
    publish() {
      told(() => {
        file.syncSync();
        close();
        Deno.renameSync(partial, path);
      });
    },
    discard() {
      close();
      try {
        Deno.removeSync(partial);
      } catch {
        // It has its name.
      }
    },
  };
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
