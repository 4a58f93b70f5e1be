/** `queuectl list`: jobs, newest first or sorted; once, or whenever they change. @module */
import { InvalidValueError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { jobToJson } from "../../core/job_json.ts";
import type { JobSortField } from "../../core/job_sort.ts";
import type { JobState } from "../../core/job_state.ts";
import { type JobListing, type JobSort, openStore, type Store } from "../../store/mod.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { integer, isOn, text } from "../input.ts";
import { jobFilter } from "../job_filter.ts";
import { type ListContext, printPages } from "../output/format_list.ts";
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

export async function listCommand(context: Context, input: Input, choice: ListChoice): Promise<void> {
  // Made anew for each look: `--since 1h` means the hour before it.
  const listing = () => ({
    ...listingOf(context, input),
    ...(choice.states === undefined ? {} : { states: choice.states }),
  });
  if (input.flags.has("watch") && isOn(input, "watch")) return await watch(context, listing, choice);
  await printJobs(context, await context.store("read"), { listing: listing(), now: context.clock.now(), ...choice });
}

interface Look extends ListChoice {
  readonly listing: JobListing;
  readonly now: number;
  /** Told of each page before it is printed. */
  readonly onPage?: (jobs: readonly Job[]) => void;
}

async function printJobs(context: ListContext, store: Store, look: Look): Promise<void> {
  const { listing, now, whenEmpty, onPage } = look;
  const columns = jobColumns(now);
  const pages = seen(store.jobs.pages(listing), onPage);
  const count = await printPages(context, pages, { columns, toJson: jobToJson, whenEmpty });
  if (listing.limit !== undefined && count === listing.limit && context.format === "table") {
    context.note(
      `The ${listing.sort === undefined ? "newest" : "first"} ${listing.limit} are shown; --limit 0 shows all`,
    );
  }
}

async function* seen<T>(pages: AsyncIterable<T>, onPage: ((page: T) => void) | undefined): AsyncGenerator<T> {
  for await (const page of pages) {
    onPage?.(page);
    yield page;
  }
}

async function watch(context: Context, listing: () => JobListing, choice: ListChoice): Promise<void> {
  const { showLive } = await import("../output/live_screen.ts");
  const open = () => openStore(context.dbPath, { mode: "read", clock: context.clock });
  let store = await open();
  try {
    await showLive(context, async () => {
      // Also when there was no database yet, or another took its place.
      if (!store.isSame()) {
        await store.close();
        store = await open();
      }
      let [text, essence] = ["", ""];
      const { format, color, isTerminal, columns } = context;
      const write = (more: string) => text += more;
      const onPicture: ListContext = { format, color, isTerminal, columns, write, note: (line) => write(`${line}\n`) };
      const onPage = (jobs: readonly Job[]) => {
        for (const { seq, state, updated_at } of jobs) essence += `${seq} ${state} ${updated_at}\n`;
      };
      await printJobs(onPicture, store, { listing: listing(), now: context.clock.now(), onPage, ...choice });
      return { text, essence };
    });
  } finally {
    await store.close();
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
