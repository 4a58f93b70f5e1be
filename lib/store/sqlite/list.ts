/**
 * Listing jobs by filter, newest first. Conditions are put together from fixed
 * pieces; values are always bound.
 * @module
 */
import type { Job } from "../../core/job.ts";
import type { JobFilter } from "../store.ts";
import type { Driver, SqlValue } from "./driver.ts";
import { jobFromRow } from "./rows.ts";

/** Runs inside a read transaction. */
export function listJobs(driver: Driver, filter: JobFilter): Job[] {
  const { where, values } = conditions(filter);
  const { states, limit } = filter;
  const ending = `order by seq desc${limit === undefined ? "" : " limit ?"}`;
  const bound = limit === undefined ? [] : [limit];
  if (states === undefined) {
    const sql = `select * from jobs ${where === "" ? "" : `where ${where}`} ${ending}`;
    return driver.prepare(sql).all(...values, ...bound).map(jobFromRow);
  }
  // One walk along jobs_by_state per state, each already in order and cut short, then merged.
  const sql = `select * from jobs where state = ? ${where === "" ? "" : `and ${where}`} ${ending}`;
  const rows = [...new Set(states)].flatMap((state) => driver.prepare(sql).all(state, ...values, ...bound));
  const jobs = rows.map(jobFromRow);
  if (states.length > 1) jobs.sort((a, b) => b.seq - a.seq);
  return limit === undefined ? jobs : jobs.slice(0, limit);
}

function conditions(filter: JobFilter): { where: string; values: SqlValue[] } {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...bound: SqlValue[]) => {
    parts.push(condition);
    values.push(...bound);
  };
  if (filter.queues !== undefined) add(`queue in (${filter.queues.map(() => "?").join(", ")})`, ...filter.queues);
  for (const tag of filter.tags ?? []) add("seq in (select job_seq from job_tags where tag = ?)", tag);
  if (filter.since !== undefined) add("created_at >= ?", filter.since);
  if (filter.search !== undefined) {
    // Arguments are searched as they would be typed, not as the JSON in which they are stored.
    const typed = "coalesce(command, (select group_concat(value, ' ') from json_each(argv)))";
    add(`(instr(lower(id), lower(?)) or instr(lower(${typed}), lower(?)))`, filter.search, filter.search);
  }
  return { where: parts.join(" and "), values };
}
