/**
 * From filter flags to a filter. The flags are `JOB_FILTER_FLAGS` of the table.
 * @module
 */
import { InvalidValueError } from "../core/errors.ts";
import { isJobState, type JobState, STATES } from "../core/job_state.ts";
import type { JobFilter, JobSelection } from "../store/store.ts";
import { UsageError } from "../core/errors.ts";
import type { Input } from "./command.ts";
import type { Context } from "./context.ts";
import { commaList, durationMs, text } from "./input.ts";

type FilterContext = Pick<Context, "clock">;

/** What the filter flags ask for; empty when none was given. */
export function jobFilter(context: FilterContext, input: Input): JobFilter {
  const has = (name: string) => input.flags.has(name);
  const states = has("state") ? commaList(input, "state").map(parseState) : [];
  const queues = has("queue") ? commaList(input, "queue") : [];
  const tags = has("tag") ? commaList(input, "tag") : [];
  const batch = has("batch") ? someText(input, "batch") : undefined;
  const search = has("search") ? someText(input, "search") : undefined;
  const sinceMs = has("since") ? durationMs(input, "since") : undefined;
  return {
    ...(states.length === 0 ? {} : { states: [...new Set(states)] }),
    ...(queues.length === 0 ? {} : { queues }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(batch === undefined ? {} : { batch }),
    ...(search === undefined ? {} : { search }),
    ...(sinceMs === undefined ? {} : { since: context.clock.now() - sinceMs }),
  };
}

/** @throws {InvalidValueError} for an empty text: as a search it would find everything. */
function someText(input: Input, flag: string): string | undefined {
  const value = text(input, flag);
  if (value === "") throw new InvalidValueError(`--${flag}`, value, "expected a value");
  return value;
}

/** Ids or filter flags: one of both. @throws {UsageError} for none or both. */
export function jobSelection(context: FilterContext, input: Input): JobSelection {
  const filter = jobFilter(context, input);
  const hasFilter = Object.keys(filter).length > 0;
  const ids = input.words;
  if (ids.length > 0 && hasFilter) throw new UsageError("Cannot take both ids and filters: give one");
  if (ids.length > 0) return { ids };
  if (hasFilter) return { filter };
  throw new UsageError(`Missing job: give ids, or a filter such as --queue or --tag`, {
    hint: `queuectl ${input.spec.name} --help`,
  });
}

export function parseState(name: string): JobState {
  if (isJobState(name)) return name;
  throw new InvalidValueError("state", name, `expected ${STATES.join(", ")}`);
}
