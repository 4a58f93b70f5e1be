/** `queuectl list`: jobs, newest first or sorted. @module */
import { InvalidValueError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { jobToJson } from "../../core/job_json.ts";
import type { JobSortField } from "../../core/job_sort.ts";
import type { JobState } from "../../core/job_state.ts";
import type { JobListing, JobSort } from "../../store/store.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { integer, text } from "../input.ts";
import { jobFilter } from "../job_filter.ts";
import { printList } from "../output/format_list.ts";
import { jobColumns } from "../output/job_view.ts";

/** What fits a look; `--limit 0` shows all. */
const USUAL_LIMIT = 50;

export async function run(context: Context, input: Input): Promise<void> {
  await listCommand(context, input, { whenEmpty: "No jobs" });
}

export interface ListChoice {
  /** Only these, whatever the flags say. */
  readonly states?: readonly JobState[];
  readonly whenEmpty: string;
}

export async function listCommand(context: Context, input: Input, { states, whenEmpty }: ListChoice): Promise<void> {
  const listing = { ...listingOf(context, input), ...(states === undefined ? {} : { states }) };
  const store = await context.store("read");
  const jobs: Job[] = [];
  for await (const page of store.jobs.pages(listing)) jobs.push(...page);
  await printList(context, jobs, { columns: jobColumns(context.clock.now()), toJson: jobToJson, whenEmpty });
  if (listing.limit !== undefined && jobs.length === listing.limit && context.format === "table") {
    context.note(
      `The ${listing.sort === undefined ? "newest" : "first"} ${listing.limit} are shown; --limit 0 shows all`,
    );
  }
}

function listingOf(context: Context, input: Input): JobListing {
  const limit = integer(input, "limit") ?? USUAL_LIMIT;
  if (limit < 0) throw new InvalidValueError("limit", limit, "expected 0 (all) or more");
  return { ...jobFilter(context, input), ...(limit === 0 ? {} : { limit }), sort: sortOf(input) };
}

function sortOf(input: Input): JobSort | undefined {
  const sort = text(input, "sort");
  if (sort === undefined) return undefined;
  const isDescending = sort.startsWith("-");
  return { field: (isDescending ? sort.slice(1) : sort) as JobSortField, isDescending };
}
