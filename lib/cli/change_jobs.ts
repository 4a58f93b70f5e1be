/**
 * The common part of commands that change jobs by id or by filter: choose,
 * ask, change, tell.
 * @module
 */
import type { JobState } from "../core/job_state.ts";
import type { ChangedJob, JobFilter, JobSelection, Store } from "../store/store.ts";
import type { Input } from "./command.ts";
import { confirm } from "./confirm.ts";
import type { Context } from "./context.ts";
import { jobSelection } from "./job_filter.ts";
import { isJsonFormat, printJson } from "./output/json.ts";

export interface Change {
  /** `cancel` */
  readonly verb: string;
  /** `cancelled` */
  readonly past: string;
  /** Asks before it changes more than one job. */
  readonly asks: boolean;
  /** A filter without states means these: the ones to which it can happen. */
  readonly states: readonly JobState[];
  readonly change: (store: Store, which: JobSelection) => Promise<readonly ChangedJob[]>;
  /** Default: what the command line says. */
  readonly selection?: JobSelection;
}

export async function changeJobs(context: Context, input: Input, change: Change): Promise<number> {
  const which = narrowed(change.selection ?? jobSelection(context, input), change.states);
  const store = await context.store("write");
  const count = "ids" in which ? which.ids.length : await store.jobs.count(which.filter);
  if (change.asks && count > 1 && !confirm(context, `${capital(change.verb)} ${count} jobs?`)) {
    context.note("Nothing was changed");
    return 1;
  }
  const changed = await change.change(store, which);
  if (isJsonFormat(context)) printJson(context, { changed: changed.length, jobs: changed });
  else if (changed.length === 1) context.note(`Job ${changed[0]?.id} ${change.past}`);
  else context.note(changed.length === 0 ? "No jobs match" : `${changed.length} jobs ${change.past}`);
  return 0;
}

function narrowed(which: JobSelection, states: readonly JobState[]): JobSelection {
  if ("ids" in which) return which;
  const filter: JobFilter = { ...which.filter, states: which.filter.states ?? states };
  return { filter };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
