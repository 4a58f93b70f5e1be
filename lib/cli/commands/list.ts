/** `queuectl list`: jobs, newest first. @module */
import { InvalidValueError } from "../../core/errors.ts";
import { jobToJson } from "../../core/job_json.ts";
import { isJobState, type JobState, STATES } from "../../core/job_state.ts";
import type { JobFilter } from "../../store/store.ts";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { commaList, durationMs, integer, text } from "../input.ts";
import { printList } from "../output/format_list.ts";
import { jobColumns } from "../output/job_view.ts";

/** What fits a look; `--limit 0` shows all. */
const USUAL_LIMIT = 50;

export async function run(context: Context, input: Input): Promise<void> {
  const filter = filterOf(context, input);
  const store = await context.store("read");
  const jobs = await store.jobs.list(filter);
  await printList(context, jobs, {
    columns: jobColumns(context.clock.now()),
    toJson: jobToJson,
    whenEmpty: "No jobs",
  });
  if (filter.limit !== undefined && jobs.length === filter.limit && context.format === "table") {
    context.note(`The ${filter.limit} newest are shown; --limit 0 shows all`);
  }
}

function filterOf(context: Context, input: Input): JobFilter {
  const states = commaList(input, "state").map(parseState);
  const limit = integer(input, "limit") ?? USUAL_LIMIT;
  if (limit < 0) throw new InvalidValueError("limit", limit, "expected 0 (all) or more");
  const sinceMs = durationMs(input, "since");
  const [queue, tag, search] = [commaList(input, "queue"), commaList(input, "tag"), text(input, "search")];
  return {
    ...(states.length === 0 ? {} : { states: [...new Set(states)] }),
    ...(queue.length === 0 ? {} : { queues: queue }),
    ...(tag.length === 0 ? {} : { tags: tag }),
    ...(search === undefined ? {} : { search }),
    ...(sinceMs === undefined ? {} : { since: context.clock.now() - sinceMs }),
    ...(limit === 0 ? {} : { limit }),
  };
}

function parseState(name: string): JobState {
  if (isJobState(name)) return name;
  throw new InvalidValueError("state", name, `expected ${STATES.join(", ")}`);
}
