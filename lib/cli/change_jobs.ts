/**
 * The common part of commands that change jobs by id or by filter: choose,
 * ask, change, tell.
 * @module
 */
import type { JobState } from "../core/job_state.ts";
import { changeByFilter } from "../operations/change_by_filter.ts";
import type { ChangedJob, JobFilter, JobSelection, Store } from "../store/store.ts";
import type { Input } from "./command.ts";
import { confirm } from "./confirm.ts";
import type { Context } from "./context.ts";
import { jobSelection } from "./job_filter.ts";
import { isJsonFormat, printJson } from "./output/json.ts";
import { progressFor } from "./output/progress.ts";

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
  const count = "ids" in which ? new Set(which.ids).size : await store.jobs.count(which.filter);
  if (change.asks && count > 1 && !confirm(context, `${capital(change.verb)} ${count} jobs?`)) {
    context.note("Nothing was changed");
    return 1;
  }
  const changed = await changedJobs(context, { store, which, change, count });
  if (isJsonFormat(context)) {
    printJson(context, { changed: changed.total, jobs: changed.jobs.map(({ id, from, to }) => ({ id, from, to })) });
  } else if (changed.total === 1) context.note(`Job ${changed.jobs[0]?.id} ${change.past}`);
  else context.note(changed.total === 0 ? "No jobs match" : `${changed.total} jobs ${change.past}`);
  return 0;
}

interface Changing {
  readonly store: Store;
  readonly which: JobSelection;
  readonly change: Change;
  readonly count: number;
}

/** Jobs are remembered where they are told, which is not the million of a filter. */
async function changedJobs(
  context: Context,
  { store, which, change, count }: Changing,
): Promise<{ total: number; jobs: readonly ChangedJob[] }> {
  if ("ids" in which) {
    const jobs = await change.change(store, which);
    return { total: jobs.length, jobs };
  }
  const progress = progressFor(context);
  const jobs: ChangedJob[] = [];
  let total = 0;
  try {
    for await (const page of changeByFilter(store, which.filter, (some) => change.change(store, some))) {
      total += page.length;
      if (jobs.length === 0 || isJsonFormat(context)) jobs.push(...page);
      progress.show(capital(change.verb), total, count);
    }
  } finally {
    progress.clear();
  }
  return { total, jobs };
}

function narrowed(which: JobSelection, states: readonly JobState[]): JobSelection {
  if ("ids" in which) return which;
  const filter: JobFilter = { ...which.filter, states: which.filter.states ?? states };
  return { filter };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
